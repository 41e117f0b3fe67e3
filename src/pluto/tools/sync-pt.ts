import { counted } from '../../base/plural.ts';
import { reasonText } from '../../protocol/reason.ts';
import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import type { ViewSyncResult } from '../review/view-sync-request.ts';
import type { ViewSyncRun } from '../review/view-syncs.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { offerReview } from '../../review/offer-review.ts';
import { waitForResult } from '../../mcp/wait-for-result.ts';
import { findingsAfterEdit } from '../session/findings.ts';
import type { ViewToolDeps } from './pluto-tool-deps.ts';
import { Diagnostics, formatProblems, inLines, pathArgument, Summary, toDiagnostics } from './shapes.ts';

const take = z.enum(['pt', 'pluto', 'skip']);

export const syncPt = defineTool({
  name: 'sync_pt',
  title: 'Sync a .pt view with its module',
  description:
    'Compares a .pt with its .pluto declaration by declaration, applies the edits of the .pt to the .pluto, saves it, and regenerates the .pt.',
  details: `Declarations keep their ids, even if they were renamed or moved.

If only one side changed a declaration since the .pt was generated, that side wins. A declaration that both sides changed, or with an unknown history, is unresolved, and nothing is changed: compare both sources in changes, and call again with an override for each, quoting the digest of the source to discard. Comments directly above or behind a declaration belong to it; other comments that either side added are kept.

Modes:
- "fastfail" (default): never asks. If anything is unresolved, nothing is changed and the status is unresolved with the list.
- "standard": if anything is unresolved, a person decides with your overrides preselected, in VS Code or in a form of this client, and the call waits.
- "manual": always asks a person.

Status review_pending means that a person is still deciding: call again with the same path and mode, without overrides.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: pathArgument.describe('Path of the .pt file.'),
    overrides: z
      .array(
        z.strictObject({
          id: z.string().describe('The id of a change.'),
          take: take.describe('Which source to keep. skip: both sides stay as they are until the next sync.'),
          digest: z
            .string()
            .optional()
            .describe(
              'The digest of the source to discard: pluto_digest for pt, pt_digest for pluto. The override fails if that source changed.',
            ),
        }),
      )
      .default([]),
    mode: z.enum(['fastfail', 'standard', 'manual']).default('fastfail').describe('Whether a person is asked.'),
  }),
  output: z.object({
    status: z.enum(['synced', 'already', 'unresolved', 'rejected', 'review_pending']),
    synced: z.string().describe('The .pluto file.'),
    new_declarations: z.number(),
    updated_declarations: z.number(),
    deleted_declarations: z.number(),
    changes: z.array(
      z.object({
        id: z.string(),
        kind: z.string(),
        name: z.string(),
        change: z.enum(['added', 'updated', 'deleted']),
        take: take.nullable().describe('Which source was kept; null: unresolved.'),
        why: z
          .enum(['view', 'container', 'both', 'unknown', 'override'])
          .describe('Which side changed it, or override.'),
        matched_by: z.string().nullable(),
        pt_source: z.string().nullable(),
        pluto_source: z.string().nullable(),
        pt_digest: z.string().nullable(),
        pluto_digest: z.string().nullable(),
      }),
    ),
    overrides: z.array(
      z.object({
        id: z.string(),
        take,
        verdict: z.enum(['accepted', 'stale_id', 'hash_mismatch', 'precondition_missing', 'declined']),
        reason: z.string().optional().describe('Why the override was rejected.'),
      }),
    ),
    diagnostics: Diagnostics.describe('Problems in the .pluto, and new problems elsewhere.'),
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run(deps: ViewToolDeps, args, call) {
    const { findings, clock } = deps;
    const startedAt = clock.now();
    const before = await findings(call.signal);
    const synced = await sync(deps, args, call);
    const outcome = outcomes[synced.status];
    const isDone = outcome === 'done' || outcome === 'already';
    const counted = (change: string): number =>
      isDone ? synced.changes.filter(one => one.change === change && one.take === 'pt').length : 0;
    const found = isDone ? findingsAfterEdit(before, await findings(call.signal), [synced.path]) : [];
    return {
      status: synced.status,
      synced: synced.path,
      new_declarations: counted('added'),
      updated_declarations: counted('updated'),
      deleted_declarations: counted('deleted'),
      changes: synced.changes.map(one => ({
        id: one.id,
        kind: one.kind,
        name: one.name,
        change: one.change,
        take: one.take ?? null,
        why: one.why,
        matched_by: one.reason ?? null,
        pt_source: one.after ?? null,
        pluto_source: one.before ?? null,
        pt_digest: one.ptDigest ?? null,
        pluto_digest: one.plutoDigest ?? null,
      })),
      overrides: synced.verdicts.map(({ reason, ...one }) => ({
        ...one,
        ...(reason !== undefined && { reason: reasonText(reason) }),
      })),
      diagnostics: toDiagnostics(found),
      summary: summarize(synced),
      outcome,
      ...(outcome === 'done' && { evidence: { kind: 'file.read_back', strength: 'verified' as const, files: 2 } }),
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ outcome }) => outcome === 'refused',
  formatText: ({ summary, changes, overrides, diagnostics }) =>
    [
      inLines(summary, [
        ...changes.map(
          one => `${one.id} ${one.change} ${one.kind} ${one.name}: ${one.take ?? 'unresolved'} (${one.why})`,
        ),
        ...overrides.map(one => `override of ${one.id}: ${one.verdict}${one.reason ? ` (${one.reason})` : ''}`),
      ]),
      formatProblems(diagnostics),
    ].join('\n'),
});

type SyncAnswer = Omit<ViewSyncResult, 'status'> & { readonly status: ViewSyncResult['status'] | 'review_pending' };
const outcomes = {
  synced: 'done',
  already: 'already',
  unresolved: 'refused',
  rejected: 'refused',
  review_pending: 'waiting_for_user',
} as const;

/** Starts a sync, or joins the one that waits for a person. */
async function sync(
  { views, clock }: ViewToolDeps,
  args: Pick<Parameters<typeof views.start>[0], 'path' | 'overrides' | 'mode'>,
  call: ToolCall,
): Promise<SyncAnswer> {
  const { path, overrides, mode } = args;
  const open = mode === 'fastfail' || overrides.length > 0 ? undefined : views.deciding(path);
  const { ask, requestedBy } = call;
  const run = open ?? views.start({ ...args, requestedBy, canDecide: ask !== undefined });
  // The call that joined a review leaves it to the others.
  const onDismissed = (): void => (open === undefined ? run.cancel() : undefined);
  using _asking = ask && offerReview(run, { ask, requestedBy, clock }, onDismissed);
  try {
    return await waitForResult<SyncAnswer>(waitable(run, path), call, clock);
  } catch (error) {
    // The client has disconnected, so the run must not change anything.
    if (open === undefined && AppError.is(error, 'CANCELLED')) run.cancel();
    throw error;
  }
}

const waitable = (run: ViewSyncRun, path: string) => ({
  result: run.result,
  onProgress: run.onProgress,
  phase: () => (run.review() === undefined ? 'comparing' : 'reviewing'),
  pending: (): SyncAnswer => ({
    status: 'review_pending',
    // The run has validated both paths.
    path: path.replace(/\.pt$/, '.pluto') as SyncAnswer['path'],
    view: path as SyncAnswer['view'],
    changes: [],
    verdicts: [],
  }),
});

function summarize({ status, path, view, changes, verdicts, comments = 0, isAsking }: SyncAnswer): string {
  const open = changes.filter(change => change.take === undefined).length;
  const failed = verdicts.filter(({ verdict }) => verdict !== 'accepted').length;
  switch (status) {
    case 'already':
      return `${view} and ${path} were in sync already.`;
    case 'synced': {
      const but = changes.some(({ take }) => take === 'skip') ? ', except skipped declarations' : '';
      const more = comments === 0 ? '' : ` ${counted(comments, 'comment')} between declarations merged.`;
      return `${path} and ${view} are in sync${but}.${more}`;
    }
    case 'rejected':
      return 'A person rejected the changes. Nothing was changed.';
    case 'review_pending':
      return `A person is reviewing ${view}; nothing was changed yet. Call sync_pt again with the same path and mode, without overrides, to wait for the decision.`;
    case 'unresolved':
      if (isAsking === true && open === 0)
        return 'Nothing was changed: the setting atlas.overrides.approval is "ask", so a person must confirm overrides. Call again with mode "standard".';
      return `Nothing was changed: ${open} of ${counted(changes.length, 'change')} unresolved, ${counted(failed, 'override')} rejected.`;
  }
}
