import { AppError } from '../../base/errors.ts';
import { utf8Length } from '../../base/utf8-length.ts';
import type { LinePattern } from '../ports/search-backend.ts';
import type { Namespace } from '../../protocol/roots.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import type { Answer } from '../scope/answer.ts';
import { readCursor, writeCursor } from '../scope/cursor.ts';
import { createLineMatcher } from './line-matcher.ts';
import { openScope } from '../scope/open-scope.ts';
import { createPathFilter } from '../files/path-filter.ts';
import { previewOf } from './preview.ts';
import type { RetrievalDeps, Terms } from '../scope/retrieval-deps.ts';
import { findFirst, type FoundLine } from './find-first.ts';
import { withinBudget } from '../scope/within-budget.ts';

export interface SearchQuery {
  readonly scope: unknown;
  readonly query: string;
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly limit: number;
  readonly cursor: string | undefined;
}
export interface Hit {
  readonly root: string;
  readonly namespace: Namespace;
  readonly path: string;
  readonly line: number;
  readonly preview: string;
  readonly isPreviewCut: boolean;
}

/**
 * Finds the lines that match the query, sorted by root, path and line. Returns as soon as no earlier hit can follow.
 *
 * @throws AppError those of `openScope`, QUERY_EMPTY, GLOB_INVALID, REGEX_INVALID, REGEX_TOO_COMPLEX, SEARCH_TIMEOUT, CURSOR_STALE
 */
export async function search(
  deps: RetrievalDeps,
  query: SearchQuery,
  terms: Terms,
  signal: AbortSignal,
): Promise<Answer<readonly Hit[]>> {
  const { cursor, limit, scope: _, ...what } = query;
  const pattern = readPattern(query);
  const filter = createPathFilter(query.include, query.exclude);
  const scope = await openScope(deps, query.scope);
  const cursorKey = ['search', what, scope.meta.scope, scope.meta.commits];
  const after = cursor === undefined ? undefined : readCursor(cursorKey, cursor);
  const found =
    pattern === undefined
      ? { lines: [], skipped: [] }
      : await withinBudget(deps.clock, signal, budget =>
          findFirst(deps, scope.roots, { pattern, filter, after, limit: limit + 1 }, budget),
        );
  const page = await readHits(deps, found.lines.slice(0, limit), hit => hit, terms.answerBytes, signal);
  const last = page.at(-1);
  const isTruncated = page.length < found.lines.length;
  return {
    result: page,
    meta: {
      ...scope.meta,
      skipped: [...scope.skipped, ...found.skipped],
      truncated: isTruncated,
      next: isTruncated && last !== undefined ? writeCursor(cursorKey, last) : undefined,
    },
  };
}

/** Returns `undefined` if no line can match. @throws AppError QUERY_EMPTY, REGEX_INVALID, REGEX_TOO_COMPLEX */
function readPattern(query: SearchQuery): LinePattern | undefined {
  if (query.query.trim() === '') throw new AppError('QUERY_EMPTY', { query: query.query });
  const { isRegex, ignoreCase, wholeWord } = query;
  if (query.query.includes('\0') || (!isRegex && /[\r\n]/.test(query.query))) return undefined;
  const pattern = { texts: [query.query], isRegex, ignoreCase, wholeWord };
  // ripgrep supports some expressions that the walk does not. Reject the same ones for both.
  if (isRegex) createLineMatcher(pattern);
  return pattern;
}

/** Bytes of a hit in an answer besides its preview, path and root. */
const HIT_OVERHEAD = 80;

/** Reads the hits of an answer: as many as fit into `maxBytes`, and at least one. */
export async function readHits<L extends FoundLine, H extends Hit>(
  deps: RetrievalDeps,
  lines: readonly L[],
  toHit: (hit: Hit, line: L) => H,
  maxBytes: number,
  signal: AbortSignal,
): Promise<readonly H[]> {
  const hits: H[] = [];
  let bytes = 0;
  for (const line of lines) {
    const hit = await readHit(deps, line, signal);
    bytes += utf8Length(hit.preview) + utf8Length(hit.path) + utf8Length(hit.root) + HIT_OVERHEAD;
    if (bytes > maxBytes && hits.length > 0) break;
    hits.push(toHit(hit, line));
  }
  return hits;
}

async function readHit(deps: RetrievalDeps, line: FoundLine, signal: AbortSignal): Promise<Hit> {
  const preview = await previewOf(deps.files, line.root, line, RETRIEVAL_LIMITS.previewChars, signal);
  return {
    root: line.root.id,
    namespace: line.root.definition.namespace,
    path: line.path,
    line: line.line,
    preview: preview.text,
    isPreviewCut: preview.isCut,
  };
}
