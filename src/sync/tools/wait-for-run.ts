import { formatSentence } from '../../base/sentence.ts';
import { offerReview } from '../../review/offer-review.ts';
import type { AppError } from '../../base/errors.ts';
import type { SyncRun } from '../sync-engine.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import type { Clock } from '../../ports/clock.ts';
import { formatResult, type RunResult } from '../../protocol/run-result.ts';
import type { SyncResult } from '../../protocol/sync-result.ts';
import { waitForResult } from '../../mcp/wait-for-result.ts';

/**
 * Waits for the result of `run`. With progress, a call waits until the run ends. Without progress, the client would time out, so after
 * `BUDGET_MS.callWithoutProgress` the answer is `review_pending` and the run continues.
 *
 * Meanwhile, the person of a client with forms can decide there.
 *
 * @param onDismissed called when that person closed the form and no window shows the review
 * @throws AppError CANCELLED when the call is cancelled; the caller decides whether the run continues
 */
export async function waitForRun(
  run: SyncRun,
  call: ToolCall,
  clock: Clock,
  onDismissed: () => void = () => undefined,
): Promise<RunResult> {
  using _asking = call.ask && offerReview(run, { ask: call.ask, requestedBy: call.requestedBy, clock }, onDismissed);
  call.progress?.(`Sync run ${run.runId} is ${run.phase()}.`);
  const awaited = {
    result: run.result,
    phase: () => run.phase(),
    onProgress: (listener: (message: string) => void) =>
      run.onProgress(({ message }) => listener(formatSentence(message))),
    pending: (elapsedMs: number) => stillRunning(run, elapsedMs),
  };
  return await waitForResult(awaited, call, clock);
}

/** Waits like `waitForRun`, for the call that started the run: cancelling the call cancels the run. */
export async function waitForOwnRun(run: SyncRun, call: ToolCall, clock: Clock): Promise<RunResult> {
  try {
    return await waitForRun(run, call, clock, () => run.cancel());
  } catch (error) {
    run.cancel();
    throw error;
  }
}

/** Answers invalid arguments as a run that ended at once, with all fields of a result. */
export const refuseRun = async (
  deps: SyncToolDeps,
  refusal: AppError,
  { requestedBy }: ToolCall,
): Promise<SyncResult> =>
  formatResult(await deps.engine.start({ mode: 'standard', overrides: [], requestedBy, refusal }).result);

function stillRunning(run: SyncRun, elapsedMs: number): RunResult {
  const isReviewing = run.phase() === 'reviewing';
  const what = isReviewing
    ? 'A person is deciding in the review; nothing has been applied yet.'
    : `The run is not finished; it is ${run.phase()}.`;
  return {
    status: 'review_pending',
    summary: `${what} Call operation_wait with operationId "${run.runId}" to wait for its end.`,
    runId: run.runId,
    outcome: isReviewing ? 'waiting_for_user' : 'accepted',
    elapsedMs: Math.round(elapsedMs),
    changes: [],
    overrides: [],
  };
}
