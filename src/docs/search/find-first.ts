import type { LineHit, LinePattern } from '../ports/search-backend.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { TopItems } from './top-items.ts';
import type { Position } from '../scope/cursor.ts';
import { LargeFiles } from '../files/large-files.ts';
import { OutOfOrderHits } from './out-of-order-hits.ts';
import { isInInnerRoot, type OpenRoot, type UncoveredPart } from '../scope/open-scope.ts';
import { comparePaths } from '../scope/order.ts';
import type { PathFilter } from '../files/path-filter.ts';
import { groupDisjointRoots } from '../scope/root-groups.ts';
import type { RetrievalDeps } from '../scope/retrieval-deps.ts';
import { vanishedRoots } from './vanished-roots.ts';

/** A matching line and its root. `folder` is the index of the root in the group that is searched together. */
export interface FoundLine extends LineHit {
  readonly root: OpenRoot;
}
interface LineRequest {
  readonly pattern: LinePattern;
  readonly filter: PathFilter;
  /** Only lines after this position. */
  readonly after: Position | undefined;
  readonly limit: number;
}

interface GroupLines {
  readonly lines: readonly FoundLine[];
  /** Files skipped because of their size; complete only if the search was not ended early. */
  readonly large: LargeFiles;
}

/**
 * Finds the first `limit` matching lines by root, path and line.
 *
 * An ordered walk is fastest when hits are frequent: it ends as soon as no earlier hit can follow. After `headStartMs`, an unordered
 * search of everything starts in parallel and keeps the first lines; after `probeMs`, a walk that has found few lines is aborted.
 * The faster search answers. Both give the same answer.
 */
export async function findFirst(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: LineRequest,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly FoundLine[]; readonly skipped: readonly UncoveredPart[] }> {
  const lines: FoundLine[] = [];
  const vanished: UncoveredPart[] = [];
  const large: UncoveredPart[] = [];
  const first = wanted.after === undefined ? 0 : roots.findIndex(root => root.id === wanted.after?.root);
  for (const group of groupDisjointRoots(roots.slice(Math.max(0, first)))) {
    const left = wanted.limit - lines.length;
    if (left <= 0) break;
    const found = await searchGroup(deps, group, { ...wanted, limit: left }, signal);
    lines.push(...found.lines);
    large.push(...found.large.skipped);
    vanished.push(...(await vanishedRoots(deps, group)));
  }
  // A full page may end the search before it has seen all files, so the counts of large files may be incomplete.
  return { lines, skipped: lines.length < wanted.limit ? [...vanished, ...large] : vanished };
}

async function searchGroup(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: LineRequest,
  signal: AbortSignal,
): Promise<GroupLines> {
  if (deps.search.isAlwaysOrdered) return searchInOrder(deps, roots, wanted, signal);
  const answered = new AbortController();
  const fruitless = new AbortController();
  const ending = AbortSignal.any([signal, answered.signal]);
  const { promise: isDue, resolve: setDue } = Promise.withResolvers<void>();
  let seen = 0;
  const cancelTimers = [
    deps.clock.after(RETRIEVAL_LIMITS.headStartMs, setDue),
    // A walk that has already found part of the page will finish first, even on a slow machine.
    deps.clock.after(RETRIEVAL_LIMITS.probeMs, () => void (seen < wanted.limit / 8 && fruitless.abort())),
  ];
  const inOrder = searchInOrder(
    deps,
    roots,
    wanted,
    AbortSignal.any([ending, fruitless.signal]),
    () => void (seen += 1),
  ).catch((error: unknown) => {
    if (fruitless.signal.aborted && !ending.aborted) return undefined;
    throw error;
  });
  const unordered = isDue.then(() => searchAll(deps, roots, wanted, ending));
  try {
    return await Promise.race([inOrder.then(found => found ?? unordered), unordered]);
  } finally {
    for (const cancel of cancelTimers) cancel();
    answered.abort();
    // The losing search rejects with the reason of its signal.
    await Promise.allSettled([inOrder]);
    unordered.catch(() => undefined);
  }
}

async function searchAll(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: LineRequest,
  signal: AbortSignal,
): Promise<GroupLines> {
  const large = new LargeFiles(roots, wanted.filter);
  const best = new TopItems<FoundLine>(wanted.limit, compareLines);
  const accept = acceptor(roots, wanted);
  // With a cursor, the first matches of a file may already be on an earlier page.
  const perFileLimit = wanted.after === undefined ? { maxPerFile: wanted.limit } : {};
  await deps.search.lines(
    { ...request(roots, wanted, large), ...perFileLimit, inOrder: false },
    hit => {
      const line = accept(hit);
      if (line !== undefined) best.add(line);
      return true;
    },
    signal,
  );
  return { lines: best.items, large };
}

async function searchInOrder(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: LineRequest,
  signal: AbortSignal,
  onLine: () => void = () => undefined,
): Promise<GroupLines> {
  const large = new LargeFiles(roots, wanted.filter);
  const best = new TopItems<FoundLine>(wanted.limit, compareLines);
  const late = new OutOfOrderHits(deps.files);
  const accept = acceptor(roots, wanted);
  /** Whether no later hit can sort before the last one; the search ends then. */
  const isCertain = async (reached: FoundLine): Promise<boolean> => {
    const last = best.items.at(-1);
    if (last === undefined) return false;
    if (last.root !== reached.root) return true;
    // A file whose path sorts earlier may have more lines.
    if (comparePaths(reached.path, last.path) < 0) return false;
    return !(await late.canStillFollow(last.root, last.path, reached.path));
  };
  await deps.search.lines(
    { ...request(roots, wanted, large), inOrder: true },
    hit => {
      const line = accept(hit);
      if (line === undefined) return true;
      best.add(line);
      onLine();
      return best.isFull ? isCertain(line).then(certain => !certain) : true;
    },
    signal,
  );
  return { lines: best.items, large };
}

const request = (roots: readonly OpenRoot[], { pattern, filter, after }: LineRequest, large: LargeFiles) => ({
  pattern,
  onTooLarge: large.add,
  folders: roots.map(root => root.folder),
  isWanted(folder: number, path: LineHit['path']): boolean {
    const root = roots[folder];
    if (root === undefined || !filter.matches(path) || isInInnerRoot(root, path)) return false;
    return after === undefined || root.id !== after.root || comparePaths(path, after.path) >= 0;
  },
  ...(filter.nameGlobs === undefined ? {} : { nameGlobs: filter.nameGlobs }),
});

function acceptor(roots: readonly OpenRoot[], { filter, after }: LineRequest): (hit: LineHit) => FoundLine | undefined {
  // Hits of one file arrive together, so the check of the path is cached.
  let of: OpenRoot | undefined;
  let path: string | undefined;
  let fits = false;
  return hit => {
    const root = roots[hit.folder];
    if (root === undefined) return undefined;
    if (hit.path !== path || root !== of) {
      of = root;
      path = hit.path;
      fits = filter.matches(path) && !isInInnerRoot(root, path);
    }
    if (!fits) return undefined;
    if (after !== undefined && root.id === after.root) {
      const order = comparePaths(hit.path, after.path);
      if (order < 0 || (order === 0 && hit.line <= after.line)) return undefined;
    }
    return { ...hit, root };
  };
}

function compareLines(a: FoundLine, b: FoundLine): number {
  return a.folder - b.folder || comparePaths(a.path, b.path) || a.line - b.line;
}
