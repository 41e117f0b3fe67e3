import { AppError } from '../../base/errors.ts';
import { plural } from '../../base/plural.ts';
import { say } from '../../base/sentence.ts';
import { asksForApproval } from '../../protocol/override-policy.ts';
import { planInWords } from '../changes/plan-in-words.ts';
import { isIncomplete } from '../changes/run-change.ts';
import type { SyncRequest } from '../sync-engine.ts';
import { applyDecisions, type ApplyDeps, type ApplyObserver, applyRecordedFiles } from './apply.ts';
import { compareSides, type Comparison } from './compare.ts';
import type { Ending } from './result.ts';
import { reviewRun, type ReviewRunDeps } from './review-run.ts';
import type { RunObserver } from './run-state.ts';

export interface RunDeps extends ReviewRunDeps, ApplyDeps {}

/** Moves one run from `comparing` to its end; the only implementation of "sync". Throws `AppError` when a step fails. */
export async function runSync(
  runId: string,
  request: SyncRequest,
  deps: RunDeps,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Ending> {
  let comparison = await compareSides(request.overrides, deps, signal, (done, total) =>
    observer.progress('compared', done, total),
  );
  observer.enter({ type: 'compared', comparison });
  const { changes, base } = comparison;
  // A restore does not compare the project, so equal instances say nothing about the base.
  if (request.mode !== 'dryrun' && request.restore === undefined)
    await base.learnUnchanged(changes, comparison.compared.messageCursor);
  if (changes.length === 0) return { status: 'empty' };
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
  } else checkPlan(request, changes);
  return await applyRun(runId, request, comparison, deps, observer, signal);
}

/** A person has allowed what `plan` says, and nothing else. @throws AppError PLAN_CHANGED */
function checkPlan({ plan }: SyncRequest, changes: Comparison['changes']): void {
  if (plan === undefined) return;
  const actual = planInWords(
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
  { mode, requestedBy }: SyncRequest,
  comparison: Comparison,
  deps: RunDeps,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Ending> {
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
      await base.forget(changes.filter(({ choice }) => choice !== 'skip' && choice !== null));
      signal.throwIfAborted();
      observer.enter({ type: 'committed' });
    },
    verifying: () => observer.enter({ type: 'verifying' }, say`Verifying both sides`),
  };
  const toApply = { runId, compareId, mode, requestedBy, place, changes };
  if (writes === undefined)
    await base.learnApplied(changes, await applyDecisions(toApply, deps, signal, applyObserver));
  else {
    await applyRecordedFiles(toApply, writes, deps, signal, applyObserver);
    await base.learnApplied(changes);
  }
  if (!changes.some(isIncomplete)) return { status: 'success' };
  const isUntouched = changes.every(({ choice, outcome }) => choice === null || outcome === 'skipped');
  return { status: mode === 'fastfail' && isUntouched ? 'fastfail_unresolved' : 'partial' };
}
