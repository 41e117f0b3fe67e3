import { plural } from '../../base/plural.ts';
import * as z from 'zod';
import { asLines, quoteName } from '../../mcp/answer-text.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { Generations } from '../../protocol/acknowledgement.ts';
import { InstanceId, StudioHandle } from '../../protocol/sync-request.ts';
import type { ScriptMerge } from '../sync-engine.ts';
import { MAX_PAGE_CHANGES } from '../../protocol/sync-page.ts';
import { ANSWER_BYTES, invalidCursor } from './page-of-changes.ts';
import type { SyncToolDeps } from './sync-tool-deps.ts';

type Conflict = NonNullable<ScriptMerge['merge']>['conflicts'][number];
/** `total`: all conflicts. `from`: how many come before this page. `cursor`: lists the next page. */
const ConflictPage = z.object({ total: z.number(), from: z.number(), cursor: z.string().optional() });

const sides = { base: z.string(), disk: z.string(), studio: z.string() };

export const getMerge = defineTool({
  name: 'get_merge',
  title: 'Merge both sides of a script',
  description: `Merges a script that changed on disk and in Studio since their last common version. Changes nothing.

status is one of:
- "merged": text is the merged script. Apply it: atlas_sync {"overrides": [{"id": …, "direction": "merge", "studioHash": …, "diskHash": …}]}, with the hashes of this answer.
- "conflicts": both sides changed the same lines. text has markers, and conflicts has the lines of base, disk and studio. Resolve every conflict, and send the whole script as text of such an override.
- "not_compiling": text is the merged script, but it does not compile: problem is the error. Correct the script, and send it as text of such an override.
- "no_base": no common version is known. Read Studio's text with get_script and merge it with the file.`,
  toolset: 'sync',
  effect: 'read',
  input: z
    .strictObject({
      id: InstanceId.optional().describe('The id of a change. Takes precedence over fsPath.'),
      fsPath: z.string().min(1).optional().describe('The fsPath of a change.'),
      studio: StudioHandle.optional(),
      limit: z.int().min(1).max(MAX_PAGE_CHANGES).optional(),
      cursor: z.string().min(1).optional(),
    })
    .refine(args => args.id !== undefined || args.fsPath !== undefined, 'requires id or fsPath'),
  output: z.object({
    status: z.enum(['merged', 'conflicts', 'not_compiling', 'no_base']),
    summary: z.string(),
    text: z.string().optional(),
    conflicts: z.array(z.object({ line: z.number(), ...sides })).optional(),
    page: ConflictPage.optional(),
    problem: z.string().optional(),
    studioHash: z.string(),
    diskHash: z.string(),
    className: z.string(),
    instancePath: z.string(),
    id: z.string(),
    fsPath: z.string().nullable(),
    at: Generations,
  }),
  async run(deps: SyncToolDeps, { limit, cursor, ...args }, call) {
    const { merge, ...script } = await deps.engine.readMerge(args, call.signal);
    const sides = `${script.studioHash}.${script.diskHash}`;
    return {
      ...script,
      ...answer(quoteName(script.instancePath), merge, { from: fromOf(cursor, sides), limit, sides }),
    };
  },
  formatText: ({ summary, studioHash, diskHash }) =>
    asLines(summary, `studioHash: ${studioHash}`, `diskHash: ${diskHash}`),
});

interface Paging {
  readonly from: number;
  readonly limit: number | undefined;
  /** Identifies both sides: a cursor is of no use for another merge. */
  readonly sides: string;
}

/** Where the page of a cursor begins. @throws AppError INVALID_INPUT */
function fromOf(cursor: string | undefined, sides: string): number {
  if (cursor === undefined) return 0;
  const [from = '', ...of] = cursor.split('.');
  if (!/^\d{1,9}$/.test(from)) throw invalidCursor('is not a page.cursor of an answer');
  if (of.join('.') !== sides) throw invalidCursor('a side has changed; call get_merge without it');
  return Number(from);
}

/** Bytes of an answer without its text and its conflicts. */
const OTHER_BYTES = 1_500;

/** The conflicts of a page: at least one, and by default not more than fit into about 8,000 tokens. */
function pageOfConflicts(conflicts: readonly Conflict[], { from, limit, sides }: Paging, textLength: number) {
  let to = from;
  for (let used = OTHER_BYTES + 2 * textLength; to < conflicts.length && to - from < (limit ?? Infinity); to += 1) {
    // Counted twice: in the text's block and in the structured content.
    used += 2 * JSON.stringify(conflicts[to]).length;
    if (limit === undefined && used > ANSWER_BYTES && to > from) break;
  }
  const next = to < conflicts.length ? { cursor: `${to}.${sides}` } : {};
  return { conflicts: conflicts.slice(from, to), page: { total: conflicts.length, from, ...next } };
}

function answer(path: string, merge: ScriptMerge['merge'], paging: Paging) {
  if (merge === undefined)
    return { status: 'no_base' as const, summary: `No common version of ${path} is known, so it cannot be merged.` };
  const { text, conflicts, problem } = merge;
  if (conflicts.length > 0) {
    const count = plural(conflicts.length, '1 conflict', `${conflicts.length} conflicts`);
    // The text is on the first page alone.
    const whole = paging.from === 0 ? { text } : {};
    const page = pageOfConflicts(conflicts, paging, whole.text?.length ?? 0);
    return { status: 'conflicts' as const, summary: `Merged ${path} with ${count}.`, ...whole, ...page };
  }
  if (problem !== undefined)
    return {
      status: 'not_compiling' as const,
      summary: `The merge of ${path} does not compile: ${problem}.`,
      text,
      problem,
    };
  return { status: 'merged' as const, summary: `Merged ${path} without conflicts.`, text };
}
