import { say, type Sentence } from '../../base/sentence.ts';
import { asksForApproval } from '../../protocol/override-policy.ts';
import type { ReviewSession } from '../../review/review-session.ts';
import type { RunPhase, SyncRequest } from '../sync-engine.ts';
import { isNotDone, type RunChange } from '../changes/run-change.ts';
import { applyDecisions, type ApplyDeps, type ApplyObserver } from './apply.ts';
import { applyFiles } from './apply-files.ts';
import { compareSides, type Comparison } from './compare.ts';
import type { Ending } from './result.ts';
import { comparingInWords, type ProgressStep } from './progress-words.ts';
import { reviewRun, type ReviewRunDeps } from './review-run.ts';

export interface RunDeps extends ReviewRunDeps, ApplyDeps {}

/** What the states of a run tell whoever holds it. */
export interface RunObserver {
  enter(phase: RunPhase, message: Sentence): void;
  progress(step: ProgressStep, done: number, total: number): void;
  compared(comparison: Comparison): void;
  reviewing(review: ReviewSession<RunChange> | undefined): void;
  /** Both sides are in the journal; the run will have an ending there. */
  journalled(): void;
  /** Nothing can be cancelled any more. */
  pointOfNoReturn(): void;
  /** Studio answered after the run had given it up; the outcomes of the changes say it by now. */
  late(): void;
}

/** The states of one run, in order; the only implementation of "sync". Throws `AppError` where a state fails. */
export async function runSync(
  runId: string,
  request: SyncRequest,
  deps: RunDeps,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Ending> {
  observer.enter('comparing', comparingInWords(request.restore?.side));
  let comparison = await compareSides(request.overrides, deps, signal, (done, total) =>
    observer.progress('compared', done, total),
  );
  observer.compared(comparison);
  const { changes, agreement } = comparison;
  // What a restore compares is not the project: nothing is learned of what it finds equal.
  if (request.mode !== 'dryrun' && request.restore === undefined)
    await agreement.learnUnchanged(changes, comparison.compared.messageCursor);
  if (changes.length === 0) return { status: 'empty' };
  if (request.mode === 'dryrun') return { status: 'dryrun' };

  const isAsking = asksForApproval(
    deps.settings,
    changes.flatMap(({ override }) => override ?? []),
  );
  const undecided = changes.some(change => change.choice === null);
  if (request.mode === 'fastfail' && (undecided || isAsking)) return { status: 'fastfail_unresolved' };
  if (request.mode === 'manual' || undecided || isAsking) {
    const reviewed = await reviewRun(runId, request, comparison, deps, observer, signal);
    if (reviewed.decision === 'reject') return { status: 'rejected' };
    comparison = reviewed.comparison;
  }
  return await applyRun(runId, request, comparison, deps, observer, signal);
}

async function applyRun(
  runId: string,
  request: SyncRequest,
  comparison: Comparison,
  deps: RunDeps,
  observer: RunObserver,
  signal: AbortSignal,
): Promise<Ending> {
  const { changes, agreement } = comparison;
  observer.enter('applying', changes.length === 1 ? say`Applying 1 change` : say`Applying ${changes.length} changes`);
  const { place } = comparison.compared;
  const toApply = {
    runId,
    compareId: comparison.compareId,
    mode: request.mode,
    requestedBy: request.requestedBy,
    place,
    changes,
  };
  const applyObserver: ApplyObserver = {
    journalled: () => observer.journalled(),
    late: () => observer.late(),
    progress: (step, done, total) => observer.progress(step, done, total),
    async pointOfNoReturn() {
      await agreement.forget(changes.filter(change => change.choice !== 'skip'));
      signal.throwIfAborted();
      observer.pointOfNoReturn();
    },
    verifying: () => observer.enter('verifying', say`Verifying both sides`),
  };
  if (comparison.writes === undefined) await applyDecisions(toApply, deps, signal, applyObserver);
  else await applyFiles(toApply, comparison.writes, deps, signal, applyObserver);
  await agreement.learnApplied(changes);
  return { status: changes.some(isNotDone) ? 'partial' : 'success' };
}
