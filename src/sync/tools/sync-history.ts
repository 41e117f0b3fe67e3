import { recordedInWords } from '../../protocol/run-result.ts';
import { plural } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { RecordedRun } from '../../protocol/history.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

/** Number of changes per run in a list; with `runId`, all of them are listed. */
const CHANGES_IN_LIST = 10;

export const syncHistory = defineTool({
  name: 'sync_history',
  title: 'List recorded syncs',
  description: `Lists the syncs that changed something, newest first, with requester, time, and the outcome of each change. Changes nothing.

Before a sync changes anything, both sides of every change are recorded, so that nothing is lost. With runId, returns one run with all of its changes. To restore a side, call sync_restore with the runId and, for some changes only, their ids. Status interrupted means that a crash interrupted the sync; its summary has the outcome.`,
  toolset: 'sync',
  effect: 'read',
  input: z.strictObject({
    runId: z.string().min(1).optional().describe('Return this run with all of its changes.'),
    limit: z.int().min(1).max(100).default(20).describe('The maximum number of runs.'),
  }),
  output: z.object({ status: z.literal('success'), summary: z.string(), runs: z.array(RecordedRun) }),
  async run(deps: SyncToolDeps, { runId, limit }) {
    if (runId !== undefined) {
      const run = await deps.engine.recorded(runId);
      if (run === undefined) throw new AppError('UNKNOWN_OPERATION', { operationId: runId });
      return { status: 'success' as const, summary: run.summary, runs: [recordedInWords(run)] };
    }
    const runs = (await deps.engine.history(limit)).map(run =>
      recordedInWords({ ...run, changes: run.changes.slice(0, CHANGES_IN_LIST) }),
    );
    return { status: 'success' as const, summary: countInWords(runs.length), runs };
  },
  inWords: ({ summary, runs }) => [summary, ...runs.map(runLine)].join('\n'),
});

const countInWords = (count: number): string =>
  count === 0
    ? 'No sync is recorded, because no sync has changed anything yet.'
    : plural(count, '1 recorded sync.', `${count} recorded syncs, newest first.`);

const runLine = ({ runId, at, requestedBy, status, changeCount, summary }: RecordedRun): string =>
  `- ${at} ${status}, ${changeCount} ${plural(changeCount, 'change', 'changes')}, requested by ${requestedBy} (runId ${runId}): ${summary}`;
