import * as z from 'zod';
import { onOneLine } from '../../mcp/answer-text.ts';
import type { Answer } from '../scope/answer.ts';
import { namespaces } from '../../protocol/roots.ts';

/** The `meta` of the answers `{result, meta}` of the docs toolset. Old clients read it, so existing fields keep their names and meaning. */
export const Meta = z.object({
  repo: z
    .enum([...namespaces, 'both', 'mixed'])
    .describe('Namespace of the roots in scope; both: docs and code; mixed: any other combination.'),
  duration_ms: z.number(),
  truncated: z.boolean().describe('Whether there is another page; next is its cursor.'),
  scope: z.array(z.string()).describe('Ids of the roots in scope, in the order of the results.'),
  commits: z.record(z.string(), z.string()).describe('Commit by root id, for git roots.'),
  skipped: z
    .array(
      z.object({
        root: z.string().optional(),
        scope: z.string().optional(),
        reason: z.string(),
        count: z.int().optional(),
      }),
    )
    .describe(
      'What is in scope but was not read: a whole root or, with count, that many of its files (on the last page).',
    ),
  dirty: z
    .literal(true)
    .optional()
    .describe('A file of this answer was changed in the cache and differs from the commit.'),
  next: z.string().optional().describe('Cursor of the next page; repeat all other arguments unchanged.'),
  summary: z.string(),
});
export type Meta = z.infer<typeof Meta>;

/**
 * Converts the `meta` of an answer to the wire format.
 *
 * @param startedAt `Clock.now()` at the start of the call
 * @param now       the same clock's time at the end of the call
 */
export function toMeta(answer: Answer<unknown>['meta'], startedAt: number, now: number, summary: string): Meta {
  const { repo, scope, commits, skipped, dirty, truncated, next } = answer;
  return {
    repo,
    duration_ms: Math.round(now - startedAt),
    truncated,
    scope: [...scope],
    commits: { ...commits },
    skipped: skipped.map(one => ({ ...one })),
    ...(dirty === true ? { dirty } : {}),
    ...(next === undefined ? {} : { next }),
    summary,
  };
}

export const formatText = (output: { readonly meta: Meta }): string =>
  onOneLine(
    output.meta.truncated
      ? `${output.meta.summary}. For the next page, call again with cursor ${output.meta.next ?? ''}`
      : `${output.meta.summary}.`,
  );
