import { plural } from '../../base/plural.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import { asLines } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { RecordedRun } from '../../protocol/history.ts';
import { PageQuery } from '../../protocol/sync-page.ts';
import { invalidCursor } from './page-of-changes.ts';
import { firstRuns, pageOfRecorded } from './page-of-recorded.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

const DEFAULT_RUNS = 20;
const MAX_RUNS = 100;

export const syncHistory = defineTool({
  name: 'sync_history',
  title: 'List recorded syncs',
  description: `Lists the syncs that changed something, newest first, with requester, time, and the outcome of each change. Changes nothing.

With runId, returns one run with pages of its changes. To restore a side, call sync_restore with the runId and, for some changes only, their ids. Status interrupted: a crash interrupted the sync.`,
  toolset: 'sync',
  effect: 'read',
  input: z.strictObject({
    runId: z.string().min(1).optional().describe('Only this run.'),
    ...PageQuery.omit({ undecided: true }).shape,
    limit: PageQuery.shape.limit.describe('Runs on a page; with runId, changes on a page.'),
    cursor: PageQuery.shape.cursor.describe('cursor or page.cursor of an answer.'),
  }),
  output: z.object({
    status: z.literal('success'),
    summary: z.string(),
    runs: z.array(RecordedRun),
    cursor: z.string().optional().describe('Lists the next runs.'),
  }),
  async run(deps: SyncToolDeps, { runId, ...query }) {
    const status = 'success' as const;
    if (runId !== undefined) {
      const run = await deps.engine.recorded(runId);
      if (run === undefined) throw new AppError('UNKNOWN_OPERATION', { operationId: runId });
      return { status, summary: run.summary, runs: [await pageOfRecorded(run, query, deps)] };
    }
    const from = runsBefore(query.cursor);
    const limit = Math.min(query.limit ?? DEFAULT_RUNS, MAX_RUNS);
    const known = await deps.engine.history(from + limit + 1);
    const runs = firstRuns(known.slice(from, from + limit));
    const next = from + runs.length;
    const rest = next < known.length ? { cursor: `runs.${next}` } : {};
    return { status, summary: formatCount(runs.length), runs: [...runs], ...rest };
  },
  formatText: ({ summary, runs }) => asLines(summary, ...runs.map(runLine)),
});

/**
 * The list is newest first, so a run that is recorded between two pages repeats an entry and hides none.
 *
 * @throws AppError INVALID_INPUT
 */
function runsBefore(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, from] = /^runs\.(\d{1,9})$/.exec(cursor) ?? [];
  if (from === undefined)
    throw invalidCursor('is not a cursor of a list of runs; pass page.cursor together with its runId');
  return Number(from);
}

const formatCount = (count: number): string =>
  count === 0
    ? 'No sync is recorded, because no sync has changed anything yet.'
    : plural(count, '1 recorded sync.', `${count} recorded syncs, newest first.`);

const runLine = ({ runId, at, requestedBy, status, changeCount, summary }: RecordedRun): string =>
  `- ${at} ${status}, ${changeCount} ${plural(changeCount, 'change', 'changes')}, requested by ${requestedBy} (runId ${runId}): ${summary}`;
