import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { MAX_OVERRIDES } from '../../protocol/limits.ts';
import { type BulkOverride, isErrorStatus, repeated, SyncInput, type SyncOverride } from '../../protocol/sync.ts';
import type { SyncRequest } from '../sync-engine.ts';
import { OverrideInput, PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { conflictCard } from './conflict-card.ts';
import { syncResultInWords } from './sync-result-in-words.ts';
import { nextPage, pageOf } from './page-of-changes.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';
import { refuseRun, waitForOwnRun } from './wait-for-run.ts';

const AtlasSyncInput = z.strictObject({
  ...SyncInput.shape,
  overrides: z
    .array(OverrideInput)
    .max(MAX_OVERRIDES)
    .superRefine((list, context) => {
      for (const message of problemsOf(list)) context.addIssue({ code: 'custom', message });
    })
    .default([])
    .describe('Decisions for single changes of an earlier answer, or for all changes of a list.'),
  ...PageQuery.shape,
});

function problemsOf(list: readonly OverrideInput[]): readonly string[] {
  const twice = repeated(list.flatMap(({ id }) => id ?? []));
  const isOneOf = list.every(({ id, digest }) => (id === undefined) !== (digest === undefined));
  const isBulkMerge = list.some(({ digest, direction }) => digest !== undefined && direction === 'merge');
  return [
    ...(twice.length === 0 ? [] : [`more than one override for ${twice.join(', ')}`]),
    ...(isOneOf ? [] : ['each override needs either id or digest']),
    ...(isBulkMerge ? ['an override with digest cannot merge; pass an override with id for each change'] : []),
  ];
}

/** Splits the list into decisions for single changes and for lists of changes. */
function split(list: readonly OverrideInput[]): Pick<SyncRequest, 'bulk'> & { readonly overrides: SyncOverride[] } {
  const overrides: SyncOverride[] = [];
  const bulk: BulkOverride[] = [];
  for (const { id, under, patchType, className, undecided, digest, direction, ...relied } of list) {
    if (id !== undefined) overrides.push({ id, direction, ...relied });
    else if (digest !== undefined && direction !== 'merge')
      bulk.push({
        ...(under === undefined ? {} : { under }),
        ...(patchType === undefined ? {} : { patchType }),
        ...(className === undefined ? {} : { className }),
        ...(undecided === undefined ? {} : { undecided }),
        direction,
        digest,
      });
  }
  return { overrides, ...(bulk.length === 0 ? {} : { bulk }) };
}

export const atlasSync = defineTool({
  name: 'atlas_sync',
  title: 'Sync project files with Roblox Studio',
  description: `Compares the project files on disk with the place open in Roblox Studio and syncs them: decided changes are applied in Studio (push) or written to the files (pull).

The answer comes after the work is done and verified, never before. Everything that is replaced or removed on either side is recorded first.

Modes:
- "standard" (default): applies everything that is decided, by a default or by an override. If anything is undecided, a person is asked in a review, and the call waits for the decision.
- "manual": always asks a person, even when everything is decided.
- "fastfail": never asks. If anything is undecided, nothing is applied and the status is fastfail_unresolved with the list.
- "dryrun": lists the changes and applies nothing on either side.

Each change has an id (use it in overrides and in get_script), direction (push, pull, merge, skip or unresolved), patchType (Add: only on disk, Remove: only in Studio, Edit: different), className, path (in the game), fsPath (the file to edit), defaultSelection with defaultReason, studioHash (scripts that exist in Studio), and for Edit properties {current: Studio's value, incoming: the files' value}. A script's text is never listed: read it with get_script.

subtree {count, classes, hash} describes the instances that a removal from Studio includes; diskHash identifies the disk side; hasDraft means unsaved text in Studio's editor.

Overrides decide single changes: {id, direction: push, pull or merge, studioHash?, diskHash?, subtreeHash?, expectedProperties?}. studioHash and expectedProperties state what you saw in Studio. If Studio has changed since, the override gets the verdict hash_mismatch or property_mismatch, its change is undecided again, and nothing is overwritten. Pass them whenever the decision replaces existing work.

An override with digest instead of id decides all changes of a list: {direction, digest, under?, patchType?, className?, undecided?}, with the page.digest of an answer with the same filters. If a side of the list has changed since, it decides nothing. bulk has the counts.

Lists come in pages, undecided changes first. page has counts and the cursor of the next page.

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
    const run = deps.engine.start({
      mode,
      ...split(overrides),
      studio,
      requestedBy,
      client,
      canDecide: call.ask !== undefined,
    });
    return await pageOf(await waitForOwnRun(run, call, deps.clock), query, deps, client);
  },
  answerInvalid: refuseRun,
  inWords: syncResultInWords,
  isError: output => isErrorStatus(output.status),
});
