import type { ProjectPath } from '../../base/brand.ts';
import { type PausableWork, runInSlices, TimeSlice } from '../../base/time-slice.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { reasonText } from '../../protocol/reason.ts';
import type { WriteRequest } from '../../protocol/studio/requests.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { FeedGroup } from '../feed/tree-feed.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { type Additions, applyAdditions } from './write-additions.ts';
import type { FailedWrite, StudioWriterDeps, WriteContext, WriteOutcome } from './write-context.ts';
import { WriteJournal } from './write-journal.ts';
import { applyRemovals } from './write-removals.ts';
import { applyUpdates } from './write-updates.ts';

/** Writes the edits that plugins post to `/api/write` to disk, one request at a time. */
export interface StudioWriter {
  /** Resolves with one outcome per item, in the order removals, additions, updates. Does not reject for a failed item. */
  write(
    request: WriteRequest,
    group: FeedGroup,
    options: { readonly stages: boolean; readonly isBasedOnCurrent?: WriteContext['isBasedOnCurrent'] },
    signal: AbortSignal,
  ): Promise<readonly WriteOutcome[]>;
  /** Runs other work that writes files from Studio, after the writes that were requested before. */
  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Fires with the items that were not written to disk. */
  readonly onDidFail: Event<FailedWrite>;
}

/** Refused edits of one request that are logged. */
const MAX_LOGGED = 100;

export function createStudioWriter(deps: StudioWriterDeps): StudioWriter {
  const queue = new SerialQueue();
  const writeJournal = new WriteJournal(deps);
  const failed = new Emitter<FailedWrite>();

  const applyRequest = async (request: WriteRequest, context: WriteContext, stages: boolean) => {
    // Look up the files to stage first: removed instances have no paths afterwards.
    const slice = new TimeSlice(deps.clock);
    const staged = new Set<ProjectPath>();
    const stage = (created?: Additions['created']) =>
      runInSlices(addPaths(request.stageIds, created, deps.session, staged), slice);
    if (stages) await stage();
    const removals = await applyRemovals(request.removed, context, slice);
    const additions = await applyAdditions(request.added, context, slice);
    const updates = await applyUpdates(request.updated, context, slice);
    if (stages) {
      await stage(additions.created);
      if (staged.size > 0) await deps.git.stage(Array.from(staged), context.signal);
    }
    return [...removals, ...additions.outcomes, ...updates];
  };

  return {
    onDidFail: failed.event,
    inTurn: (work, signal) => queue.run(signal, work),
    async write(request, group, { stages, isBasedOnCurrent }, signal) {
      const context: WriteContext = { ...deps, group, writeJournal, isBasedOnCurrent, signal };
      const outcomes = await queue.run(signal, () => applyRequest(request, context, stages));
      const bad = outcomes.filter(({ outcome }) => outcome !== 'written' && outcome !== 'same');
      for (const { what, reason } of bad.slice(0, MAX_LOGGED))
        deps.log.warn('edit from Studio not written', { what, reason: reason && reasonText(reason) });
      if (bad.length > MAX_LOGGED)
        deps.log.warn('more edits from Studio not written', { count: bad.length - MAX_LOGGED });
      const written = outcomes.filter(({ outcome }) => outcome === 'written').length;
      if (written > 0) deps.log.info('edits from Studio written', { group, written, failed: bad.length });
      if (bad.length > 0) failed.fire({ group, outcomes: bad });
      return outcomes;
    },
  };
}

/**
 * Adds the files of the known ids to `paths`. Skips unknown ids, which plugins invent for instances that exist only in Studio.
 *
 * @param created ids of instances that the request created
 */
function* addPaths(
  ids: readonly unknown[],
  created: Additions['created'] | undefined,
  session: ProjectSession,
  paths: Set<ProjectPath>,
): PausableWork<void> {
  for (const raw of ids) {
    yield;
    if (typeof raw !== 'string') continue;
    for (const ref of [parseRef(raw), created?.get(raw)]) {
      const instance = ref === undefined ? undefined : session.get(ref);
      if (ref === undefined || instance?.metadata.source?.kind !== 'path') continue;
      const own = session.fsPathOf(ref);
      paths.add(instance.metadata.source.path);
      if (own !== null) paths.add(own);
    }
  }
}
