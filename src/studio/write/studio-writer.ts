import type { ProjectPath } from '../../base/brand.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { WriteRequest } from '../../protocol/studio/requests.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { FeedGroup } from '../feed/tree-feed.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { applyAdditions } from './write-additions.ts';
import type { StudioWriterDeps, WriteContext, WriteOutcome } from './write-context.ts';
import { WriteJournal } from './write-journal.ts';
import { applyRemoval, applyUpdate } from './write-items.ts';

/** Writes the edits that plugins post to `/api/write` to disk, one request at a time. */
export interface StudioWriter {
  /** Resolves with one outcome per item, in the order removals, additions, updates. Does not reject for a failed item. */
  write(
    request: WriteRequest,
    group: FeedGroup,
    options: { readonly stages: boolean; readonly isBasedOnCurrent?: WriteContext['isBasedOnCurrent'] },
    signal: AbortSignal,
  ): Promise<readonly WriteOutcome[]>;
  /** Fires with the items that were not written to disk. */
  readonly onDidFail: Event<readonly WriteOutcome[]>;
}

export function createStudioWriter(deps: StudioWriterDeps): StudioWriter {
  const queue = new SerialQueue();
  const writeJournal = new WriteJournal(deps);
  const failed = new Emitter<readonly WriteOutcome[]>();

  const applyRequest = async (request: WriteRequest, context: WriteContext, stages: boolean) => {
    // Look up the files to stage first: removed instances have no paths afterwards.
    const staged = new Set(stages ? pathsOf(request.stageIds, deps.session) : []);
    const outcomes: WriteOutcome[] = [];
    for (const id of request.removed) outcomes.push(await applyRemoval(id, context));
    const additions = await applyAdditions(request.added, context);
    outcomes.push(...additions.outcomes);
    for (const update of request.updated) outcomes.push(await applyUpdate(update, context));
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
    async write(request, group, { stages, isBasedOnCurrent }, signal) {
      const context: WriteContext = { ...deps, group, writeJournal, isBasedOnCurrent, signal };
      const outcomes = await queue.run(signal, () => applyRequest(request, context, stages));
      const bad = outcomes.filter(({ outcome }) => outcome !== 'written' && outcome !== 'same');
      for (const { what, reason } of bad) deps.log.warn('edit from Studio not written', { what, reason });
      const written = outcomes.filter(({ outcome }) => outcome === 'written').length;
      if (written > 0) deps.log.info('edits from Studio written', { group, written, failed: bad.length });
      if (bad.length > 0) failed.fire(bad);
      return outcomes;
    },
  };
}

/** Files of the known ids. Skips unknown ids, which plugins invent for instances that exist only in Studio. */
function pathsOf(ids: readonly unknown[], session: ProjectSession): readonly ProjectPath[] {
  return ids.flatMap(raw => {
    const ref = typeof raw === 'string' ? parseRef(raw) : undefined;
    const instance = ref === undefined ? undefined : session.get(ref);
    if (ref === undefined || instance?.metadata.source?.kind !== 'path') return [];
    const own = session.fsPathOf(ref);
    return [instance.metadata.source.path, ...(own === null ? [] : [own])];
  });
}
