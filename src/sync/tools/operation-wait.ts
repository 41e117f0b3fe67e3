import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { isErrorStatus } from '../../protocol/sync-result.ts';
import { PageQuery } from '../../protocol/sync-page.ts';
import { pageOf } from './page-of-changes.ts';
import { formatSyncResult } from './format-sync-result.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { waitForOtherProcess, WaitedResult } from './wait-for-other-process.ts';
import { waitForRun } from './wait-for-run.ts';

/** Continues to wait for a run. Cancelling this call ends the wait, not the run. */
export const operationWait = defineTool({
  name: 'operation_wait',
  title: 'Wait for a sync run',
  description: `Waits until a sync run has ended and returns its result as atlas_sync would. Changes nothing.

Use it with the runId of an atlas_sync answer whose status is review_pending or of a SYNC_IN_PROGRESS error, and repeat until the status changes. For a run that has already ended, it returns at once; for one of an earlier session or another window, it returns the recorded result. Cancelling this call ends only the wait; the run continues.`,
  toolset: 'sync',
  effect: 'read',
  input: z.strictObject({
    operationId: z.string().min(1).describe('The runId of an atlas_sync answer.'),
    ...PageQuery.pick({ limit: true, cursor: true }).shape,
  }),
  output: WaitedResult,
  async run(deps: SyncToolDeps, { operationId, ...query }, call) {
    const run = deps.engine.find(operationId);
    if (run === undefined) return await waitForOtherProcess(deps, operationId, query, call);
    return await pageOf(await waitForRun(run, call, deps.clock), query, deps, call);
  },
  formatText: formatSyncResult,
  isError: output => isErrorStatus(output.status),
});
