import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { strictTerms } from '../retrieval.ts';
import type { Hit } from '../search/search.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { namespaces } from '../../protocol/roots.ts';
import {
  cursorArgument,
  globArguments,
  included,
  limitArgument,
  queryArgument,
  checkArguments,
  scopeArgument,
} from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { formatText, Meta, toMeta } from './envelope.ts';

const input = z.strictObject({
  query: queryArgument.describe('Literal text to find in a line; with regex, a regular expression.'),
  scope: scopeArgument,
  ...globArguments,
  regex: z
    .boolean()
    .default(false)
    .describe('Whether query is a regular expression in RE2 syntax (no look-around, no backreferences).'),
  ignore_case: z.boolean().default(false),
  whole_word: z.boolean().default(false),
  limit: limitArgument(RETRIEVAL_LIMITS.hits),
  cursor: cursorArgument,
});

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

export const search = defineTool({
  name: 'search',
  title: 'Search the docs and code roots',
  description: `Finds lines that contain a text or match a regular expression, in all roots or those of scope. Every hit names root, path, line and preview; hits are sorted by root, path and line, the same every time.

Skips hidden files, files excluded by .gitignore, links, binary files and files over 8 MB. If you do not know the exact words, use smart_search. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({ result: z.array(z.object(hitShape)), meta: Meta }),
  refuse: args => checkArguments(args, Object.keys(input.shape), ['query']),
  async run(deps: DocsToolDeps, args, call) {
    const startedAt = deps.clock.now();
    const query = {
      scope: args.scope,
      query: args.query,
      isRegex: args.regex,
      ignoreCase: args.ignore_case,
      wholeWord: args.whole_word,
      include: included(args),
      exclude: args.exclude,
      limit: args.limit,
      cursor: args.cursor,
    };
    const { result, meta } = await deps.retrieval.search(query, strictTerms, call.signal);
    return {
      result: result.map(toHit),
      meta: toMeta(
        meta,
        startedAt,
        deps.clock.now(),
        `${counted(result.length, 'hit')} for ${args.query.slice(0, 80)}`,
      ),
    };
  },
  formatText,
});
