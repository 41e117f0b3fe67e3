import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { InstanceId, StudioHandle } from '../../protocol/sync-request.ts';
import { isErrorStatus } from '../../protocol/sync-result.ts';
import { PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { nextPage, pageOf } from './page-of-changes.ts';
import { formatSyncResult } from './format-sync-result.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { refuseRun, waitForOwnRun } from './wait-for-run.ts';

export const syncRestore = defineTool({
  name: 'sync_restore',
  title: 'Restore one side of a recorded sync',
  description: 'Restores one side to its state before a recorded sync, after a person has reviewed the restore.',
  details: `Restores all changes of the sync, or those in ids; the call waits for the decision of the person. A restore is recorded like any sync, so it can be undone.

side "disk" restores the files, without Studio; side "studio" restores the instances in Studio. With preview, nothing is changed, and the answer lists what would be restored. runId and ids come from sync_history.

Afterwards, the two sides differ by what was restored: call atlas_sync to decide.`,
  toolset: 'sync',
  effect: 'destructive',
  input: z.strictObject({
    runId: z.string().min(1).describe('The runId of a recorded sync, from sync_history.'),
    side: z.enum(['disk', 'studio']).describe('The side to restore.'),
    ids: z.array(InstanceId).min(1).optional().describe('Ids of changes of that run. Default: all of its changes.'),
    studio: StudioHandle.optional(),
    ...PageQuery.pick({ limit: true, cursor: true }).shape,
    preview: z.boolean().default(false).describe('Only list what would be restored.'),
  }),
  output: SyncAnswer,
  async run(deps: SyncToolDeps, { runId, side, ids, studio, preview, ...query }, call) {
    if (query.cursor !== undefined) return await nextPage(query, [], deps, call);
    const run = deps.engine.start({
      mode: preview ? 'dryrun' : 'manual',
      overrides: [],
      studio,
      requestedBy: call.requestedBy,
      canDecide: call.ask !== undefined,
      restore: { runId, side, ids },
    });
    return await pageOf(await waitForOwnRun(run, call, deps.clock), query, deps, call);
  },
  answerInvalid: refuseRun,
  formatText: formatSyncResult,
  isError: output => isErrorStatus(output.status),
});
