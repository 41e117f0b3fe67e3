import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { InstanceId, isErrorStatus, StudioHandle } from '../../protocol/sync.ts';
import { PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { nextPage, pageOf } from './page-of-changes.ts';
import { syncResultInWords } from './sync-result-in-words.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { refuseRun, waitForOwnRun } from './wait-for-run.ts';

export const syncRestore = defineTool({
  name: 'sync_restore',
  title: 'Restore one side of a recorded sync',
  description: `Brings back what one side held before a recorded sync: of all of its changes, or of those in ids. A person reviews it first, and the call waits for the decision; it is recorded like any sync, so that it can be undone the same way.

side "disk" writes the files as they were (Studio is not needed); side "studio" makes Studio hold what it held. Both only where something is another thing now. With preview nothing is changed: the answer lists what would be. runId and ids come from sync_history.

After it the two sides differ by what came back: call atlas_sync to see and decide.`,
  toolset: 'sync',
  effect: 'destructive',
  input: z.strictObject({
    runId: z.string().min(1).describe('A run of sync_history.'),
    side: z.enum(['disk', 'studio']).describe('Which side gets back what it held.'),
    ids: z.array(InstanceId).min(1).optional().describe('Ids of changes of that run; all of them without it.'),
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
    return await pageOf(await waitForOwnRun(run, call, deps.clock), query, deps, call.client);
  },
  answerInvalid: refuseRun,
  inWords: syncResultInWords,
  isError: output => isErrorStatus(output.status),
});
