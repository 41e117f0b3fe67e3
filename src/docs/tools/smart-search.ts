import { counted } from '../../base/plural.ts';
import * as z from 'zod';
import { strictTerms } from '../retrieval.ts';
import { defineTool } from '../../mcp/define-tool.ts';
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
import { hitShape, toHit } from './search.ts';

/** Default number of hits per page; small, because the best hits come first. */
const HITS = 50;

const input = z.strictObject({
  query: queryArgument.describe('One or more words, matched anywhere and case-insensitively.'),
  scope: scopeArgument,
  ...globArguments,
  limit: limitArgument(HITS),
  cursor: cursorArgument,
});

export const smartSearch = defineTool({
  name: 'smart_search',
  title: 'Search the docs and code roots, best first',
  description: `Finds the best matches for a query: file names, headings, declarations and lines that contain any of its words, more matching words first. why is the kind of match: name, heading, symbol, phrase or text.

Use it to explore; use search for an exact text or a regular expression. The order is the same every time. Reads the disk only, never the network.`,
  toolset: 'docs',
  effect: 'read',
  input,
  output: z.object({
    result: z.array(z.object({ ...hitShape, why: z.enum(['name', 'heading', 'symbol', 'phrase', 'text']) })),
    meta: Meta,
  }),
  refuse: args => checkArguments(args, Object.keys(input.shape), ['query']),
  async run(deps: DocsToolDeps, args, call) {
    const startedAt = deps.clock.now();
    const query = {
      scope: args.scope,
      query: args.query,
      include: included(args),
      exclude: args.exclude,
      limit: args.limit,
      cursor: args.cursor,
    };
    const { result, meta } = await deps.retrieval.smartSearch(query, strictTerms, call.signal);
    return {
      result: result.map(hit => ({ ...toHit(hit), why: hit.why })),
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
