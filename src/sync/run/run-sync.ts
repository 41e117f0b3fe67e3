import { AppError } from '../../base/errors.ts';
import { plural } from '../../base/plural.ts';
import { say } from '../../base/sentence.ts';
import { asksForApproval } from '../../protocol/override-policy.ts';
import { formatPlan } from '../changes/format-plan.ts';
import { isIncomplete } from '../changes/run-change.ts';
import type { SyncRequest } from '../sync-engine.ts';
import { readUntracked } from './untracked.ts';
import { applyDecisions, type ApplyDeps, type ApplyObserver, applyRecordedFiles } from './apply.ts';
import { compareSides, type Comparison } from './compare.ts';
import type { RunEnding } from './result.ts';
import { reviewRun, type ReviewRunDeps } from './review-run.ts';
import type { RunObserver } from './run-state.ts';

export interface RunDeps extends ReviewRunDeps, ApplyDeps {}

/** Runs one sync from `comparing` to its end; the only implementation of "sync". @throws AppError when a step fails */
export async function runSync(
  runId: string,
  request: SyncRequest,
  deps: RunDeps,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<RunEnding> {
  const compared = await compareSides(request.overrides, deps, signal, (done, total) =>
    observer.progress('compared', done, total),
  );
  let comparison = countsUntracked(request, compared)
    ? { ...compared, untracked: await readUntracked(compared.compareId, deps, signal) }
    : compared;
  observer.enter({ type: 'compared', comparison });
  const { changes, base } = comparison;
  // A restore does not compare the project, so equal instances say nothing about the base.
  if (request.mode !== 'dryrun' && request.restore === undefined)
    await base.learnUnchanged(changes, comparison.compared.messageCursor);
  const hasUntracked = request.showsUntracked === true && (comparison.untracked?.count ?? 0) > 0;
  if (changes.length === 0 && !hasUntracked) return { status: 'empty' };
  if (request.mode === 'dryrun') return { status: 'dryrun' };

  const needsApproval = asksForApproval(
    deps.settings,
    changes.flatMap(({ override }) => override ?? []),
  );
  const isUndecided = changes.some(change => change.choice === null);
  if (request.mode === 'fastfail' && (isUndecided || needsApproval)) return { status: 'fastfail_unresolved' };
  if (request.mode === 'manual' || isUndecided || needsApproval) {
    const reviewed = await reviewRun(runId, request, comparison, deps, observer, signal);
    if (reviewed.decision === 'reject') return { status: 'rejected' };
    comparison = reviewed.comparison;
    if (changes.length === 0 && comparison.changes.length === 0) return { status: 'empty' };
    const ending = await applyRun(runId, request, comparison, deps, observer, signal);
    await reviewed.forgetApplied();
    return ending;
  }
  checkPlan(request, changes);
  return await applyRun(runId, request, comparison, deps, observer, signal);
}

/** Untracked properties take time to find, so only the results that mention them do: dry runs on request, and runs without changes. */
const countsUntracked = ({ mode, restore, isBackground }: SyncRequest, { changes }: Comparison): boolean =>
  restore === undefined && isBackground !== true && (mode === 'dryrun' || changes.length === 0);

/** Refuses a run that would do anything but `plan`, because a person allowed nothing else. @throws AppError PLAN_CHANGED */
function checkPlan({ plan }: SyncRequest, changes: Comparison['changes']): void {
  if (plan === undefined) return;
  const actual = formatPlan(
    changes.map(({ choice, studio: { patchType, className } }) => ({
      direction: choice ?? 'unresolved',
      patchType,
      className,
    })),
  );
  if (actual !== plan) throw new AppError('PLAN_CHANGED', { plan: actual });
}

async function applyRun(
  runId: string,
  { mode, requestedBy, restore }: SyncRequest,
  comparison: Comparison,
  deps: RunDeps,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<RunEnding> {
  const { changes, base, compareId, writes } = comparison;
  const { place } = comparison.compared;
  observer.enter(
    { type: 'applying' },
    plural(changes.length, say`Applying 1 change`, say`Applying ${changes.length} changes`),
  );
  const applyObserver: ApplyObserver = {
    journaled: () => observer.enter({ type: 'journaled' }),
    late: () => observer.late(),
    progress: (step, done, total) => observer.progress(step, done, total),
    async committing() {
      // Changes that have already failed are not applied.
      const changing = changes.filter(
        ({ choice, outcome }) => choice !== 'skip' && choice !== null && outcome === undefined,
      );
      await base.forget(changing);
      signal.throwIfAborted();
      observer.enter({ type: 'committed' });
    },
    verifying: () => observer.enter({ type: 'verifying' }, say`Verifying both sides`),
  };
  const toApply = { runId, compareId, mode, requestedBy, place, restoredSide: restore?.side, changes };
  if (writes === undefined) {
    const applied = await applyDecisions(toApply, deps, signal, applyObserver).catch(async (error: unknown) => {
      // Studio may have applied what it did not confirm, so what it had is an older state from now on.
      await base.learnApplied(changes);
      throw error;
    });
    await base.learnApplied(changes, applied);
  } else {
    await applyRecordedFiles(toApply, writes, deps, signal, applyObserver);
    await base.learnApplied(changes);
  }
  if (!changes.some(isIncomplete)) return { status: 'success' };
  const isUntouched = changes.every(({ choice, outcome }) => choice === null || outcome === 'skipped');
  return { status: mode === 'fastfail' && isUntouched ? 'fastfail_unresolved' : 'partial' };
}
