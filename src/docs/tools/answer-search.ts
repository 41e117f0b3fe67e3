import * as z from 'zod';
import { counted } from '../../base/plural.ts';
import { namespaces } from '../../protocol/roots.ts';
import type { Answer } from '../scope/answer.ts';
import type { Hit, SearchQuery } from '../search/search.ts';
import { cursorArgument, globArguments, included, scopeArgument } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { toMeta } from './envelope.ts';

/** Arguments of `search` and `smart_search`. */
export const searchArguments = { scope: scopeArgument, ...globArguments, cursor: cursorArgument };

/** Output fields of the hits of `search` and `smart_search`. */
export const hitShape = {
  root: z.string(),
  type: z.enum(namespaces),
  path: z.string(),
  line: z.int(),
  preview: z.string(),
  preview_truncated: z
    .literal(true)
    .optional()
    .describe('Whether preview is only the part of the line around the match.'),
};

export const toHit = ({ root, namespace, path, line, preview, isPreviewCut }: Hit) => ({
  root,
  type: namespace,
  path,
  line,
  preview,
  ...(isPreviewCut ? { preview_truncated: true as const } : {}),
});

type CommonQuery = Pick<SearchQuery, 'scope' | 'query' | 'include' | 'exclude' | 'limit' | 'cursor'>;

/** Answers `search` and `smart_search`, which differ in how they find hits and in the fields of a hit. */
export async function answerSearch<H extends Hit, Output>(
  { clock }: DocsToolDeps,
  args: z.output<z.ZodObject<typeof searchArguments>> & { readonly query: string; readonly limit: number },
  find: (query: CommonQuery) => Promise<Answer<readonly H[]>>,
  toOutput: (hit: H) => Output,
) {
  const startedAt = clock.now();
  const { scope, query, exclude, limit, cursor } = args;
  const { result, meta } = await find({ scope, query, include: included(args), exclude, limit, cursor });
  const summary = `${counted(result.length, 'hit')} for ${query.slice(0, 80)}`;
  return { result: result.map(toOutput), meta: toMeta(meta, startedAt, clock.now(), summary) };
}
