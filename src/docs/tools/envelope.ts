import * as z from 'zod';
import type { Answer } from '../scope/answer.ts';
import { namespaces } from '../../protocol/roots.ts';

/** Every answer of the toolset is `{result, meta}`, as it always was; old fields of `meta` keep their names and meaning. */
export const Meta = z.object({
  repo: z
    .enum([...namespaces, 'both', 'mixed'])
    .describe('The namespace of the roots in scope; both: docs and code; mixed: any other mixture.'),
  duration_ms: z.number(),
  truncated: z.boolean().describe('There is more; next brings it.'),
  scope: z.array(z.string()).describe('Ids of the roots in scope, in the order of results.'),
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
    .describe('What was in scope and is not in the result: a whole root, or count files of it (on the last page).'),
  dirty: z
    .literal(true)
    .optional()
    .describe('Somebody has changed a file of this answer in the cache: it is not as in the commit.'),
  next: z.string().optional().describe('Give it as cursor, with the same other arguments, for what comes after.'),
  summary: z.string(),
});
export type Meta = z.infer<typeof Meta>;

/** @param startedAt `Clock.now()` of when the call came; `now` is the same clock's time of the answer */
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

/** `3 hits`, `1 hit`. */
export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`;

export const inWords = (output: { readonly meta: Meta }): string =>
  output.meta.truncated
    ? `${output.meta.summary}. There is more: call again with cursor ${output.meta.next ?? ''}`
    : `${output.meta.summary}.`;
