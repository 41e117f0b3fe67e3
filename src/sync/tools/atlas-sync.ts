import * as z from 'zod';
import { defineTool } from '../../mcp/define-tool.ts';
import { listNames } from '../../mcp/parse-arguments.ts';
import { MAX_BULK_OVERRIDES, MAX_OVERRIDES, MAX_PLAN_LENGTH } from '../../protocol/limits.ts';
import { repeated, SyncInput, type SyncOverride } from '../../protocol/sync-request.ts';
import { type BulkOverride, isErrorStatus } from '../../protocol/sync-result.ts';
import type { SyncRequest } from '../sync-engine.ts';
import { OverrideInput, PageQuery, SyncAnswer } from '../../protocol/sync-page.ts';
import { conflictCard } from './conflict-card.ts';
import { formatSyncResult } from './format-sync-result.ts';
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
    .describe(
      'Decisions for single changes of an earlier answer (id), or for all changes of a list (digest). Pass studioHash or expectedProperties whenever the decision replaces work in Studio. If a side has changed since, the verdict is a mismatch, and nothing is overwritten.',
    ),
  plan: z
    .string()
    .max(MAX_PLAN_LENGTH)
    .optional()
    .describe(
      'The plan of atlas_diff, for the person who allows the call. If the sync would do anything else without a review, nothing is applied.',
    ),
  ...PageQuery.shape,
});

function problemsOf(list: readonly OverrideInput[]): readonly string[] {
  const twice = repeated(list.flatMap(({ id }) => id ?? []));
  const isOneOf = list.every(({ id, digest }) => (id === undefined) !== (digest === undefined));
  const bulk = list.filter(({ digest }) => digest !== undefined);
  const isBulkMerge = bulk.some(({ direction }) => direction === 'merge');
  const onlyWithId = (['studioHash', 'diskHash', 'subtreeHash', 'expectedProperties', 'text'] as const).filter(name =>
    bulk.some(override => override[name] !== undefined),
  );
  return [
    ...(twice.length === 0 ? [] : [`more than one override for ${listNames(twice)}`]),
    ...(isOneOf ? [] : ['each override needs either id or digest']),
    ...(onlyWithId.length === 0 ? [] : [`an override with digest cannot have ${onlyWithId.join(', ')}`]),
    ...(bulk.length > MAX_BULK_OVERRIDES ? [`at most ${MAX_BULK_OVERRIDES} overrides with digest`] : []),
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
  description:
    'Applies the decided differences between the project files and Roblox Studio: pushes to Studio, writes files, and asks a person about the rest.',
  details: `Answers after the changes are applied and verified. Everything that is replaced is recorded first.

1. atlas_diff, then atlas_sync {"mode": "fastfail", "plan": …}.
2. For each undecided script: get_merge {"id": …}. It merges both sides and shows the override to send with atlas_sync {"overrides": […]}. On a mismatch, repeat this step. If no common version is known, merge the text of get_script into the file, and push with its studioHash.

outcome is done, already (both sides are the same), refused (nothing was changed), failed (each change has its reason), unknown (Studio did not confirm: call operation_get later), accepted or waiting_for_user. For status review_pending, call operation_wait with the runId.`,
  toolset: 'sync',
  card: conflictCard.uri,
  effect: 'destructive',
  input: AtlasSyncInput,
  output: SyncAnswer,
  async run(deps: SyncToolDeps, { mode, overrides, studio, plan, ...query }, call) {
    const { client, requestedBy } = call;
    if (query.cursor !== undefined) return await nextPage(query, overrides, deps, call);
    const run = deps.engine.start({
      mode,
      ...split(overrides),
      studio,
      plan,
      requestedBy,
      client,
      canDecide: call.ask !== undefined,
    });
    return await pageOf(await waitForOwnRun(run, call, deps.clock), query, deps, call);
  },
  answerInvalid: refuseRun,
  formatText: formatSyncResult,
  isError: output => isErrorStatus(output.status),
});
