import * as z from 'zod';
import { findingsOf } from '../../core/pluto/session/findings.ts';
import { syncView, type ViewSync } from '../../core/pluto/session/views/sync-view.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Acknowledgement } from '../../protocol/acknowledgement.ts';
import type { PlutoToolDeps } from './pluto-tool-deps.ts';
import { Diagnostics, problemsInWords, Summary, toDiagnostics } from './shapes.ts';

const take = z.enum(['pt', 'pluto', 'skip']);

export const syncPt = defineTool({
  name: 'sync_pt',
  title: 'Bring the edits of a .pt into its module',
  description: `Compares a .pt with its .pluto declaration by declaration, brings what changed in the .pt into the .pluto, saves it, and renews the .pt. Ids stay with their declarations, renamed and moved ones too.

Where the module changed since the .pt was made, a declaration that only one side changed is taken from that side. What both changed, or of what nobody can say who did, is unresolved, and then nothing is changed: look at the changes with both texts, and call again with an override for each that says which text to take, quoting the digest of the text that loses.`,
  toolset: 'pluto',
  effect: 'destructive',
  input: z.strictObject({
    path: z.string().describe('Path of the .pt file.'),
    overrides: z
      .array(
        z.strictObject({
          id: z.string().describe('The id of a change.'),
          take: take.describe('Which text counts; skip: each side keeps its own for now.'),
          digest: z
            .string()
            .optional()
            .describe('pluto_digest when taking pt, pt_digest when taking pluto: a text that moved since is not lost.'),
        }),
      )
      .default([]),
  }),
  output: z.object({
    status: z.enum(['synced', 'already', 'unresolved']),
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
    overrides: z.array(z.object({ id: z.string(), take, verdict: z.enum(['accepted', 'stale_id', 'hash_mismatch']) })),
    diagnostics: Diagnostics,
    summary: Summary,
    ...Acknowledgement.shape,
  }),
  async run({ pluto, clock }: PlutoToolDeps, args, { signal }) {
    const startedAt = clock.now();
    const synced = await syncView(pluto, args, signal);
    const isDone = synced.status !== 'unresolved';
    const counted = (change: string): number =>
      isDone ? synced.changes.filter(one => one.change === change && one.take === 'pt').length : 0;
    const found = isDone ? await findingsOf(pluto, signal, new Set([synced.path])) : [];
    const outcome = ({ synced: 'done', already: 'already', unresolved: 'refused' } as const)[synced.status];
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
      overrides: synced.verdicts.map(one => ({ ...one })),
      diagnostics: toDiagnostics(found),
      summary: inOneSentence(synced),
      outcome,
      ...(outcome === 'done' && { evidence: { kind: 'file.read_back', strength: 'verified' as const, files: 2 } }),
      elapsedMs: Math.round(clock.now() - startedAt),
    };
  },
  isError: ({ status }) => status === 'unresolved',
  inWords: ({ summary, changes, overrides, diagnostics }) =>
    [
      summary,
      ...changes.map(
        one => `${one.id} ${one.change} ${one.kind} ${one.name}: ${one.take ?? 'unresolved'} (${one.why})`,
      ),
      ...overrides.map(one => `override of ${one.id}: ${one.verdict}`),
      problemsInWords(diagnostics),
    ].join('\n'),
});

function inOneSentence({ status, path, view, changes, verdicts }: ViewSync): string {
  if (status === 'already') return `${view} and ${path} said the same already.`;
  if (status === 'synced') return `${path} and ${view} say the same now.`;
  const open = changes.filter(change => change.take === undefined).length;
  const failed = verdicts.filter(({ verdict }) => verdict !== 'accepted').length;
  return `Nothing was changed: ${open} of ${changes.length} changes are unresolved, ${failed} overrides failed their check.`;
}
