import type * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { outcomeOf } from '../run/result.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import type { Clock } from '../../ports/clock.ts';
import { toErrorBody } from '../../protocol/error-body.ts';
import { RecordedRun } from '../../protocol/history.ts';
import { BUDGET_MS } from '../../protocol/limits.ts';
import type { SyncResult } from '../../protocol/sync-result.ts';
import { type PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import type { RecordedResult } from '../../protocol/run-result.ts';
import { pageOfRecorded } from './page-of-recorded.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

/** The result of a run. `recorded`: a run that this session knows only from the journal. */
export const WaitedResult = SyncAnswer.extend({
  recorded: RecordedRun.optional().describe(
    'The record of a run of an earlier session or another window, with its changes.',
  ),
});
export type WaitedResult = z.infer<typeof WaitedResult>;

/** The answer about a run of another session that is still in progress. */
export const inProgressElsewhere = 'The run is in progress in another window or program of this project.';

/**
 * The result of a run of another session: from the journal if it has ended. A run in another window is checked again when the time of the
 * call is over.
 *
 * @throws AppError UNKNOWN_OPERATION, CANCELLED
 */
export async function waitForOtherProcess(
  deps: SyncToolDeps,
  runId: string,
  query: PageQuery,
  call: ToolCall,
): Promise<WaitedResult> {
  const first = await look(deps, runId, query);
  if (first !== 'running') return first;
  call.progress?.(inProgressElsewhere);
  await pause(deps.clock, call.signal);
  const second = await look(deps, runId, query);
  if (second !== 'running') return second;
  return {
    status: 'review_pending',
    summary: `${inProgressElsewhere} Call operation_wait with operationId "${runId}" again.`,
    runId,
    outcome: 'accepted',
    elapsedMs: BUDGET_MS.callWithoutProgress,
    changes: [],
    overrides: [],
  };
}

async function look(deps: SyncToolDeps, runId: string, query: PageQuery): Promise<WaitedResult | 'running'> {
  const { engine } = deps;
  const recorded = await engine.recorded(runId);
  if (recorded === undefined || recorded.status === 'running') {
    if (recorded !== undefined || (await engine.isElsewhere(runId))) return 'running';
    throw new AppError('UNKNOWN_OPERATION', { operationId: runId });
  }
  return { ...fromJournal(recorded), recorded: await pageOfRecorded(recorded, query, deps) };
}

function fromJournal(recorded: RecordedResult): WaitedResult {
  const { runId, summary, place } = recorded;
  const outcomes = recorded.changes.map(change => change.outcome);
  const status = statusOf(recorded);
  const elapsedMs = recorded.endedAt === undefined ? 0 : Date.parse(recorded.endedAt) - Date.parse(recorded.at);
  const isInterrupted = recorded.status === 'interrupted';
  return {
    status,
    summary,
    runId,
    outcome: outcomeOf(
      status,
      outcomes,
      outcomes.some(outcome => outcome !== undefined && outcome !== 'skipped'),
    ),
    elapsedMs: Math.max(0, elapsedMs),
    place,
    changes: [],
    overrides: [],
    ...(isInterrupted ? { error: toErrorBody(new AppError('RUN_INTERRUPTED', { runId })) } : {}),
  };
}

function statusOf({ status }: RecordedResult): SyncResult['status'] {
  switch (status) {
    case 'interrupted':
    case 'unreadable':
      return 'error';
    // Changes outside a run, such as edits of Live Sync.
    case 'recorded':
      return 'success';
    case 'running':
      return 'review_pending';
    default:
      return status;
  }
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancelTimer();
      reject(new AppError('CANCELLED', { phase: 'waiting' }));
    };
    const cancelTimer = clock.after(BUDGET_MS.callWithoutProgress, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
