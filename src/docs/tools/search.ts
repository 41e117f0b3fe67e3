import * as z from 'zod';
import { strictTerms } from '../retrieval.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { answerSearch, hitShape, searchArguments, toHit } from './answer-search.ts';
import { checkArguments, limitArgument, queryArgument } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { formatText, Meta } from './envelope.ts';

const { scope, cursor, ...globs } = searchArguments;
const input = z.strictObject({
  query: queryArgument.describe('Literal text to find in a line; with regex, a regular expression.'),
  scope,
  ...globs,
  regex: z
    .boolean()
    .default(false)
    .describe('Whether query is a regular expression in RE2 syntax (no look-around, no backreferences).'),
  ignore_case: z.boolean().default(false),
  whole_word: z.boolean().default(false),
  limit: limitArgument(RETRIEVAL_LIMITS.hits),
  cursor,
});

export const search = defineTool({
  name: 'search',
  title: 'Search the docs and code roots',
  description: `Finds lines that contain a text or match a regular expression, in all roots or those of scope. Every hit names root, path, line and preview; hits are sorted by root, path and line, the same every time.

Skips hidden files, files excluded by .gitignore, links, binary files, files in UTF-16 and files over 8 MB. If you do not know the exact words, use smart_search. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({ result: z.array(z.object(hitShape)), meta: Meta }),
  refuse: args => checkArguments(args, Object.keys(input.shape), ['query']),
  run: (deps: DocsToolDeps, args, { signal }) =>
    answerSearch(
      deps,
      args,
      query =>
        deps.retrieval.search(
          { ...query, isRegex: args.regex, ignoreCase: args.ignore_case, wholeWord: args.whole_word },
          strictTerms,
          signal,
        ),
      toHit,
    ),
  formatText,
});
