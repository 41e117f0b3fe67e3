import type { ProjectPath } from '../../base/brand.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { WriteRequest } from '../../protocol/studio/requests.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { FeedGroup } from '../feed/tree-feed.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { carryOutAdditions } from './write-additions.ts';
import type { StudioWriterDeps, WriteContext, WriteOutcome } from './write-context.ts';
import { WriteJournal } from './write-journal.ts';
import { carryOutRemoval, carryOutUpdate } from './write-items.ts';

/** Brings what plugins post to `/api/write` to disk, item by item, one write after another. */
export interface StudioWriter {
  /** Never rejects for an item: each has its outcome, in the order removals, additions, updates. */
  write(
    request: WriteRequest,
    group: FeedGroup,
    options: { readonly stages: boolean; readonly isMadeFrom?: WriteContext['isMadeFrom'] },
    signal: AbortSignal,
  ): Promise<readonly WriteOutcome[]>;
  /** Items that are not on disk now although Studio has them so, whatever the reason. */
  readonly onDidFail: Event<readonly WriteOutcome[]>;
}

export function createStudioWriter(deps: StudioWriterDeps): StudioWriter {
  const lane = new SerialQueue();
  const kept = new WriteJournal(deps);
  const failed = new Emitter<readonly WriteOutcome[]>();

  const carryOut = async (request: WriteRequest, context: WriteContext, stages: boolean) => {
    // What is to be staged is looked up before anything moves, as for the removed it is afterwards too late.
    const staged = new Set(stages ? pathsOf(request.stageIds, deps.session) : []);
    const outcomes: WriteOutcome[] = [];
    for (const id of request.removed) outcomes.push(await carryOutRemoval(id, context));
    const additions = await carryOutAdditions(request.added, context);
    outcomes.push(...additions.outcomes);
    for (const update of request.updated) outcomes.push(await carryOutUpdate(update, context));
    if (stages) {
      const created = request.stageIds.flatMap(id => additions.created.get(String(id)) ?? []);
      for (const path of [...pathsOf(request.stageIds, deps.session), ...pathsOf(created, deps.session)])
        staged.add(path);
      if (staged.size > 0) await deps.git.stage(Array.from(staged), context.signal);
    }
    return outcomes;
  };

  return {
    onDidFail: failed.event,
    async write(request, group, { stages, isMadeFrom }, signal) {
      const context: WriteContext = { ...deps, group, kept, isMadeFrom, signal };
      const outcomes = await lane.run(signal, () => carryOut(request, context, stages));
      const bad = outcomes.filter(({ outcome }) => outcome !== 'written' && outcome !== 'same');
      for (const { what, reason } of bad) deps.log.warn('not written from Studio', { what, reason });
      const written = outcomes.filter(({ outcome }) => outcome === 'written').length;
      if (written > 0) deps.log.info('written from Studio', { group, written, failed: bad.length });
      if (bad.length > 0) failed.fire(bad);
      return outcomes;
    },
  };
}

/** Files of the ids that are known. Anything else in the list is passed over: plugins make ids up for what only Studio has. */
function pathsOf(ids: readonly unknown[], session: ProjectSession): readonly ProjectPath[] {
  return ids.flatMap(raw => {
    const ref = typeof raw === 'string' ? parseRef(raw) : undefined;
    const instance = ref === undefined ? undefined : session.get(ref);
    if (ref === undefined || instance?.metadata.source?.kind !== 'path') return [];
    const own = session.fsPathOf(ref);
    return [instance.metadata.source.path, ...(own === null ? [] : [own])];
  });
}
