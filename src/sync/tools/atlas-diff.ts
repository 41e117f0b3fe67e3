import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { StudioHandle } from '../../protocol/sync-request.ts';
import { isErrorStatus } from '../../protocol/sync-result.ts';
import { PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { nextPage, pageOf } from './page-of-changes.ts';
import { formatSyncResult } from './format-sync-result.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { refuseRun, waitForOwnRun } from './wait-for-run.ts';

export const atlasDiff = defineTool({
  name: 'atlas_diff',
  title: 'List the differences between project files and Roblox Studio',
  description: `Compares the project files on disk with the place open in Roblox Studio, and changes nothing on either side.

Each change has an id (for overrides and get_script), direction (by default: push, pull, merge or unresolved), patchType (Add: only on disk, Remove: only in Studio, Edit: different), path (in the game), fsPath (the file to edit), defaultSelection with defaultReason, studioHash, diskHash, and for Edit properties {current: Studio's value, incoming: the files' value}; changedName is a rename. subtree describes what a removal from Studio includes; hasDraft means unsaved text in Studio.

plan is one line with what atlas_sync does by default: pass it as plan. Lists come in pages, undecided changes first; page has counts, the digest for overrides, and the next cursor.`,
  toolset: 'sync',
  effect: 'read',
  input: z.strictObject({ studio: StudioHandle.optional(), ...PageQuery.shape }),
  output: SyncAnswer,
  async run(deps: SyncToolDeps, { studio, ...query }, call) {
    if (query.cursor !== undefined) return await nextPage(query, [], deps, call);
    const { client, requestedBy } = call;
    const run = deps.engine.start({ mode: 'dryrun', overrides: [], studio, requestedBy, client });
    return await pageOf(await waitForOwnRun(run, call, deps.clock), query, deps, call);
  },
  answerInvalid: refuseRun,
  formatText: formatSyncResult,
  isError: output => isErrorStatus(output.status),
});
