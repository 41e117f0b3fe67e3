import * as z from 'zod';
import { strictTerms } from '../retrieval.ts';
import { defineTool } from '../../mcp/define-tool.ts';
import { answerSearch, hitShape, searchArguments, toHit } from './answer-search.ts';
import { checkArguments, limitArgument, queryArgument } from './arguments.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';
import { formatText, Meta } from './envelope.ts';

/** Default number of hits per page; small, because the best hits come first. */
const HITS = 50;

const { scope, cursor, ...globs } = searchArguments;
const input = z.strictObject({
  query: queryArgument.describe('One or more words, matched anywhere and case-insensitively.'),
  scope,
  ...globs,
  limit: limitArgument(HITS),
  cursor,
});

export const smartSearch = defineTool({
  name: 'smart_search',
  title: 'Search the docs and code roots, best first',
  description: `Finds the best matches for a query: file names, headings, declarations and lines that contain any of its words, more matching words first. why is the kind of match: name, heading, symbol, phrase or text.

Use it to explore; use search for an exact text or a regular expression. The order is the same every time. Skips the same files as search. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({
    result: z.array(z.object({ ...hitShape, why: z.enum(['name', 'heading', 'symbol', 'phrase', 'text']) })),
    meta: Meta,
  }),
  refuse: args => checkArguments(args, Object.keys(input.shape), ['query']),
  run: (deps: DocsToolDeps, args, { signal }) =>
    answerSearch(
      deps,
      args,
      query => deps.retrieval.smartSearch(query, strictTerms, signal),
      hit => ({ ...toHit(hit), why: hit.why }),
    ),
  formatText,
});
