import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { onOneLine } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { RecordedRun } from '../../protocol/history.ts';
import { PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { pageOfRecorded } from './page-of-recorded.ts';
import { pageOf } from './page-of-changes.ts';
import { formatSyncResult } from './format-sync-result.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { inProgressElsewhere } from './wait-for-other-process.ts';

export const operationGet = defineTool({
  name: 'operation_get',
  title: 'Show a sync run',
  description: `Returns the state of a sync run without waiting. Changes nothing.

Use it with the runId of an atlas_sync answer, especially after an error with an unknown outcome: the result includes late reports of Studio. state is running (with its phase, for a run of this session), ended (with the result) or recorded (a run of an earlier session, from the journal). To wait for the end, call operation_wait.`,
  toolset: 'sync',
  effect: 'read',
  input: z.strictObject({
    operationId: z.string().min(1).describe('The runId of an atlas_sync answer.'),
    ...PageQuery.shape,
  }),
  output: z.object({
    operationId: z.string(),
    state: z.enum(['running', 'ended', 'recorded']),
    summary: z.string(),
    phase: z.string().optional(),
    result: SyncAnswer.optional(),
    recorded: RecordedRun.optional(),
  }),
  async run(deps: SyncToolDeps, { operationId, ...query }, call) {
    const run = deps.engine.find(operationId);
    if (run !== undefined) {
      const latest = run.latest();
      const result = latest && (await pageOf(latest, query, deps, call));
      if (result !== undefined) return { operationId, state: 'ended' as const, summary: result.summary, result };
      const phase = run.phase();
      const who = phase === 'reviewing' ? 'A person is deciding in the review.' : `The run is ${phase}.`;
      return {
        operationId,
        state: 'running' as const,
        summary: `${who} Call operation_wait to wait for its end.`,
        phase,
      };
    }
    const recorded = await deps.engine.recorded(operationId);
    if (recorded === undefined) {
      if (!(await deps.engine.isElsewhere(operationId))) throw new AppError('UNKNOWN_OPERATION', { operationId });
      return {
        operationId,
        state: 'running' as const,
        summary: `${inProgressElsewhere} Call operation_wait to wait for its end.`,
      };
    }
    return {
      operationId,
      state: 'recorded' as const,
      summary: recorded.summary,
      recorded: await pageOfRecorded(recorded, query, deps),
    };
  },
  formatText: ({ summary, result }) => (result === undefined ? onOneLine(summary) : formatSyncResult(result)),
});
