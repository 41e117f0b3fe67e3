import { AppError } from '../../base/errors.ts';
import type { Answer } from '../scope/answer.ts';
import { TopItems } from './top-items.ts';
import { readCursor, writeCursor } from '../scope/cursor.ts';
import type { FoundLine } from './find-first.ts';
import { LargeFiles } from '../files/large-files.ts';
import { isInInnerRoot, type OpenRoot, openScope, type UncoveredPart } from '../scope/open-scope.ts';
import { comparePaths } from '../scope/order.ts';
import { createPathFilter, type PathFilter } from '../files/path-filter.ts';
import { rankLine, rankName, type Ranking, type MatchKind, wordsOf } from './rank.ts';
import type { RetrievalDeps, Terms } from '../scope/retrieval-deps.ts';
import { groupDisjointRoots } from '../scope/root-groups.ts';
import { readHits, type Hit, type SearchQuery } from './search.ts';
import { vanishedRoots } from './vanished-roots.ts';
import { withinBudget } from '../scope/within-budget.ts';

export interface RankedHit extends Hit {
  readonly why: MatchKind;
}
interface RankedLine extends Ranking {
  readonly rootIndex: number;
  readonly line: FoundLine;
}

/** Maximum words of a query that are used; more would only lower the weight of each. */
const MAX_WORDS = 12;
/** Maximum matching lines of one file that are ranked. */
const MAX_PER_FILE = 500;

/**
 * Finds the files, headings, declarations and lines that match the query best. One matching word is enough; more words rank higher.
 * Equal ranks are sorted by root, path and line, so the order is deterministic.
 *
 * @throws AppError as `search`
 */
export async function smartSearch(
  deps: RetrievalDeps,
  query: Pick<SearchQuery, 'scope' | 'query' | 'include' | 'exclude' | 'limit' | 'cursor'>,
  terms: Terms,
  signal: AbortSignal,
): Promise<Answer<readonly RankedHit[]>> {
  if (query.query.trim() === '') throw new AppError('QUERY_EMPTY', { query: query.query });
  const words = wordsOf(query.query).slice(0, MAX_WORDS);
  const filter = createPathFilter(query.include, query.exclude);
  const scope = await openScope(deps, query.scope);
  const cursorKey = ['smart_search', words, query.include, query.exclude, scope.meta.scope, scope.meta.commits];
  const given = query.cursor === undefined ? 0 : readCursor(cursorKey, query.cursor).line;
  const isPossible = !query.query.includes('\0');
  const { ranked, skipped } = !isPossible
    ? { ranked: [], skipped: [] }
    : await withinBudget(deps.clock, signal, budget =>
        rankAll(deps, scope.roots, words, filter, given + query.limit + 1, budget),
      );

  const lines = ranked.slice(given, given + query.limit).map(({ line, why }) => ({ ...line, why }));
  const page = await readHits(deps, lines, (hit, { why }) => ({ ...hit, why }), terms.answerBytes, signal);
  const isTruncated = given + page.length < ranked.length;
  return {
    result: page,
    meta: {
      ...scope.meta,
      skipped: [...scope.skipped, ...skipped],
      truncated: isTruncated,
      next: isTruncated ? writeCursor(cursorKey, { root: '', path: '', line: given + page.length }) : undefined,
    },
  };
}

async function rankAll(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  words: readonly string[],
  filter: PathFilter,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly ranked: readonly RankedLine[]; readonly skipped: readonly UncoveredPart[] }> {
  const skipped: UncoveredPart[] = [];
  const best = new TopItems<RankedLine>(limit, compareRanked);
  const nameGlobs = filter.nameGlobs === undefined ? {} : { nameGlobs: filter.nameGlobs };
  for (const group of groupDisjointRoots(roots)) {
    const folders = group.map(root => root.folder);
    const large = new LargeFiles(group, filter);
    const indexOf = group.map(root => roots.indexOf(root));
    const names = deps.search.files(
      { folders, ...nameGlobs },
      (folder, path) => {
        const root = group[folder];
        const ranking = rankName(words, path);
        if (root !== undefined && ranking !== undefined && filter.matches(path) && !isInInnerRoot(root, path)) {
          const line = { root, folder, path, line: 1, text: undefined, lineOffset: 0, matchOffset: 0 };
          best.add({ ...ranking, rootIndex: indexOf[folder] ?? 0, line });
        }
        return true;
      },
      signal,
    );
    const lines = deps.search.lines(
      {
        pattern: { texts: words, isRegex: false, ignoreCase: true, wholeWord: false },
        folders,
        ...nameGlobs,
        maxPerFile: MAX_PER_FILE,
        inOrder: false,
        onTooLarge: large.add,
        isWanted: (folder, path) => {
          const root = group[folder];
          return root !== undefined && filter.matches(path) && !isInInnerRoot(root, path);
        },
      },
      hit => {
        const root = group[hit.folder];
        if (root !== undefined && filter.matches(hit.path) && !isInInnerRoot(root, hit.path))
          best.add({
            ...rankLine(words, hit.path, hit.text),
            rootIndex: indexOf[hit.folder] ?? 0,
            line: { ...hit, root },
          });
        return true;
      },
      signal,
    );
    await Promise.all([names, lines]);
    skipped.push(...(await vanishedRoots(deps, group)), ...large.skipped);
  }
  return { ranked: best.items, skipped };
}

const compareRanked = (a: RankedLine, b: RankedLine): number =>
  b.score - a.score ||
  a.rootIndex - b.rootIndex ||
  comparePaths(a.line.path, b.line.path) ||
  a.line.line - b.line.line ||
  // The name of a file and its first line have the same position.
  comparePaths(a.why, b.why);
