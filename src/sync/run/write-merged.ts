import { AppError } from '../../base/errors.ts';
import type { Random } from '../../ports/random.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { RunChange } from '../changes/run-change.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { carryOut, type CarryOutDeps } from './carry-out.ts';
import type { Comparison } from './compare.ts';

export interface MergeDeps extends CarryOutDeps {
  readonly session: ProjectSession;
  readonly link: StudioLink;
  readonly random: Random;
}

export interface MergedText {
  readonly change: RunChange;
  readonly text: string;
  /** What the person saw. */
  readonly comparison: Comparison;
  readonly requestedBy: string;
}

/** The review itself shows what came of it. */
const unobserved = { journalled: () => undefined, pointOfNoReturn: () => undefined, late: () => undefined };
const refusal = (problems: string): AppError => new AppError('INVALID_INPUT', { problems });

/**
 * Writes a text that a person made of both sides into the file of a script, with its line ends. It is a small run of its own in the
 * journal, so that both old texts can be restored.
 *
 * @throws AppError INVALID_INPUT with nothing written, when a side is no longer what was seen
 */
export async function writeMerged(merged: MergedText, deps: MergeDeps, signal: AbortSignal): Promise<void> {
  const { change, text, comparison, requestedBy } = merged;
  const { session, link, journal, clock } = deps;
  const seen = change.disk;
  if (seen === undefined || change.studio.patchType !== 'Edit')
    throw refusal('only one side has a text; there is nothing to merge');
  await session.refresh(signal);
  if (session.get(seen.id)?.properties !== seen.properties)
    throw refusal('the file changed on disk since it was compared; look at the diff again');
  const { instances } = await link.read(comparison.compareId, [change.studio.id], signal);
  const [studio] = instances;
  if (studio === undefined || studio.studioHash !== change.studio.studioHash)
    throw refusal('the script changed in Studio since it was compared; look at the diff again');
  const request = { kind: 'edit', id: seen.id, studio: { ...studio, source: text, properties: {} } } as const;
  const plan = await session.planPull(request, signal);
  if (!plan.ok) throw refusal(plan.reason);
  if (plan.edits.length === 0) return;

  const own: RunChange = { ...change, choice: 'pull', reason: undefined, outcome: undefined };
  const runId = deps.random.uuid();
  const { place } = comparison.compared;
  const writes = plan.edits.map(edit => ({ edit, changes: [own] }));
  const decided = [{ change: own, studio }];
  const run = { runId, mode: 'manual', requestedBy, place, decided, writes, studio: undefined } as const;
  await carryOut(run, deps, signal, unobserved);
  const failed = own.outcome !== 'written';
  await journal.finish(runId, {
    at: clock.date(),
    status: failed ? 'partial' : 'success',
    summary: `Merged both sides of ${change.studio.path} on disk`,
    outcomes: [{ id: change.studio.id, outcome: own.outcome ?? 'failed', ...(own.reason && { reason: own.reason }) }],
  });
  if (failed) throw refusal(own.reason ?? 'the merged text was not written');
}
