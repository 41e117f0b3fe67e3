import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { isErrorStatus, SyncInput } from '../../protocol/sync.ts';
import { PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { conflictCard } from './conflict-card.ts';
import { syncResultInWords } from './sync-result-in-words.ts';
import { nextPage, pageOf } from './page-of-changes.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { refuseRun, waitForOwnRun } from './wait-for-run.ts';

const AtlasSyncInput = z.strictObject({ ...SyncInput.shape, ...PageQuery.shape });

export const atlasSync = defineTool({
  name: 'atlas_sync',
  title: 'Sync project files with Roblox Studio',
  description: `Compares the project files on disk with the place open in Roblox Studio and syncs them: decided changes are applied in Studio (push) or written to the files (pull).

The answer comes after the work is done and verified, never before. What is replaced or removed on either side is recorded first.

Modes:
- "standard" (default): applies everything that is decided, by a default or by an override. If anything is undecided, a person is asked in a review, and the call waits for the decision.
- "manual": always asks a person, even when everything is decided.
- "fastfail": never asks. If anything is undecided, nothing is applied and the status is fastfail_unresolved with the list.
- "dryrun": lists the changes and applies nothing on either side.

Each change has an id (use it in overrides and in get_script), direction (push, pull, merge, skip or unresolved), patchType (Add, Remove, Edit: seen from disk towards Studio), className, path (in the game), fsPath (the file to edit), defaultSelection with defaultReason, studioHash (scripts that exist in Studio), and for Edit properties {current: Studio's value, incoming: the files' value}. A script's text is never listed: read it with get_script.

subtree {count, classes, hash} says what a removal from Studio takes along; diskHash identifies the disk side; hasDraft means unsaved text in Studio's editor.

Overrides decide single changes: {id, direction: push, pull or merge, studioHash?, diskHash?, subtreeHash?, expectedProperties?}. studioHash and expectedProperties state what you saw in Studio. If Studio has changed since, the override gets the verdict hash_mismatch or property_mismatch, its change is undecided again, and nothing is overwritten. Pass them whenever the decision replaces existing work.

Workflow:
1. atlas_sync {"mode": "fastfail"}, or {"mode": "dryrun"} to look first.
2. For each undecided script: get_merge {"id": …}, and resolve its conflicts.
3. atlas_sync {"overrides": [{"id": …, "direction": "merge", "studioHash": …, "diskHash": …, "text": …only after conflicts…}]}, with the hashes of get_merge. On a mismatch go back to 2.
4. If get_merge knows no base: get_script {"id": …}, merge it with the file at fsPath, save the file, and push with the studioHash of get_script.

outcome is one word: done, already (both sides are the same), refused (nothing was changed), failed (not everything was applied; each change has its reason), unknown (Studio did not confirm, so the change may still happen: call operation_get later), accepted or waiting_for_user (in progress). evidence gives the basis for the outcome, and at the state that it refers to.

Status review_pending means that a person is still deciding: call operation_wait with the runId. The text answer ends with a <json> block that holds the same facts.`,
  toolset: 'sync',
  card: conflictCard.uri,
  effect: 'destructive',
  input: AtlasSyncInput,
  output: SyncAnswer,
  async run(deps: SyncToolDeps, { mode, overrides, studio, ...query }, call) {
    const { client, requestedBy } = call;
    if (query.cursor !== undefined) return await nextPage(query, overrides, deps, call);
    const run = deps.engine.start({ mode, overrides, studio, requestedBy, client, canDecide: call.ask !== undefined });
    return await pageOf(await waitForOwnRun(run, call, deps.clock), query, deps, client);
  },
  answerInvalid: refuseRun,
  inWords: syncResultInWords,
  isError: output => isErrorStatus(output.status),
});
