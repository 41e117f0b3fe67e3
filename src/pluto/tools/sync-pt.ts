import * as z from 'zod';
import { AppError } from '../../base/errors.ts';
import type { ViewSyncResult } from '../review/view-sync-request.ts';
import type { ViewSyncRun } from '../review/view-syncs.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import type { ToolCall } from '../../mcp/tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import { waitForResult } from '../../mcp/wait-for-result.ts';
import type { ViewToolDeps } from './pluto-tool-deps.ts';
import { count, Diagnostics, pathArgument, problemsInWords, Summary, toDiagnostics } from './shapes.ts';

const take = z.enum(['pt', 'pluto', 'skip']);

export const syncPt = defineTool({
  name: 'sync_pt',
  title: 'Bring the edits of a .pt into its module',
  description: `Compares a .pt with its .pluto declaration by declaration, brings what changed in the .pt into the .pluto, saves it, and renews the .pt. Ids stay with their declarations, renamed and moved ones too.

Where the module changed since the .pt was made, a declaration that only one side changed is taken from that side. What both changed, or of what nobody can say who did, is unresolved, and then nothing is changed: look at the changes with both texts, and call again with an override for each that says which text to take, quoting the digest of the text that loses. Comments right above or behind a declaration are part of it; of other comments none is lost that either side has written since the .pt was made.

Modes:
- "fastfail" (default): never asks. If anything is unresolved, nothing is changed and the status is unresolved with the list.
- "standard": if anything is unresolved, a person decides in the review in VS Code, where your overrides are preselected, and the call waits.
- "manual": always asks a person.

Status review_pending means that a person is still deciding: call again with the same path and mode and without overrides.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: pathArgument.describe('Path of the .pt file.'),
    overrides: z
      .array(
        z.strictObject({
          id: z.string().describe('The id of a change.'),
          take: take.describe('Which text counts; skip: each side keeps its own, and the next sync decides anew.'),
          digest: z
            .string()
            .optional()
            .describe('pluto_digest when taking pt, pt_digest when taking pluto: a text that moved since is not lost.'),
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
        take: take.nullable().describe('Whose text counts; null: unresolved.'),
        why: z
          .enum(['view', 'container', 'both', 'unknown', 'override'])
          .describe('Who has changed it, or an override.'),
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
        reason: z.string().optional().describe('Why it does not count.'),
      }),
    ),
    diagnostics: Diagnostics,
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run(deps: ViewToolDeps, args, call) {
    const { findings, clock } = deps;
    const startedAt = clock.now();
    const synced = await sync(deps, args, call);
    const outcome = outcomes[synced.status];
    const isDone = outcome === 'done' || outcome === 'already';
    const counted = (change: string): number =>
      isDone ? synced.changes.filter(one => one.change === change && one.take === 'pt').length : 0;
    const found = isDone ? await findings(new Set([synced.path]), call.signal) : [];
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
      overrides: synced.verdicts.map(({ reason, ...one }) => ({ ...one, ...(reason !== undefined && { reason }) })),
      diagnostics: toDiagnostics(found),
      summary: inOneSentence(synced),
      outcome,
      ...(outcome === 'done' && { evidence: { kind: 'file.read_back', strength: 'verified' as const, files: 2 } }),
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ outcome }) => outcome === 'refused',
  inWords: ({ summary, changes, overrides, diagnostics }) =>
    [
      summary,
      ...changes.map(
        one => `${one.id} ${one.change} ${one.kind} ${one.name}: ${one.take ?? 'unresolved'} (${one.why})`,
      ),
      ...overrides.map(one => `override of ${one.id}: ${one.verdict}${one.reason ? ` (${one.reason})` : ''}`),
      problemsInWords(diagnostics),
    ].join('\n'),
});

type Answered = Omit<ViewSyncResult, 'status'> & { readonly status: ViewSyncResult['status'] | 'review_pending' };
const outcomes = {
  synced: 'done',
  already: 'already',
  unresolved: 'refused',
  rejected: 'refused',
  review_pending: 'waiting_for_user',
} as const;

/** Begins a sync, or waits for the one about which a person decides. */
async function sync(
  { views, clock }: ViewToolDeps,
  args: Pick<Parameters<typeof views.start>[0], 'path' | 'overrides' | 'mode'>,
  call: ToolCall,
): Promise<Answered> {
  const { path, overrides, mode } = args;
  const open = mode === 'fastfail' || overrides.length > 0 ? undefined : views.deciding(path);
  const run = open ?? views.start({ ...args, requestedBy: call.requestedBy });
  try {
    return await waitForResult<Answered>(awaited(run, path), call, clock);
  } catch (error) {
    // Whoever asked has gone: nothing may happen any more in their name.
    if (open === undefined && AppError.is(error, 'CANCELLED')) run.cancel();
    throw error;
  }
}

const awaited = (run: ViewSyncRun, path: string) => ({
  result: run.result,
  onProgress: run.onProgress,
  phase: () => (run.review() === undefined ? 'comparing' : 'reviewing'),
  pending: (): Answered => ({
    status: 'review_pending',
    // Paths of the project by what was asked for: the run has looked them up already.
    path: path.replace(/\.pt$/, '.pluto') as Answered['path'],
    view: path as Answered['view'],
    changes: [],
    verdicts: [],
  }),
});

function inOneSentence({ status, path, view, changes, verdicts, comments = 0, isAsking }: Answered): string {
  const open = changes.filter(change => change.take === undefined).length;
  const failed = verdicts.filter(({ verdict }) => verdict !== 'accepted').length;
  switch (status) {
    case 'already':
      return `${view} and ${path} said the same already.`;
    case 'synced': {
      const but = changes.some(({ take }) => take === 'skip') ? ', but for what was skipped' : '';
      const more = comments === 0 ? '' : ` ${count(comments, 'comment')} between declarations came along.`;
      return `${path} and ${view} say the same now${but}.${more}`;
    }
    case 'rejected':
      return 'A person rejected the changes. Nothing was changed.';
    case 'review_pending':
      return `A person is still deciding about ${view} in VS Code; nothing was changed yet. Call sync_pt again with the same path and mode and without overrides to wait for the decision.`;
    case 'unresolved':
      if (isAsking === true && open === 0)
        return 'Nothing was changed: the setting atlas.overrides.approval is "ask", so a person confirms overrides in VS Code. Call again with mode "standard".';
      return `Nothing was changed: ${open} of ${changes.length} changes are unresolved, ${failed} overrides failed their check.`;
  }
}
