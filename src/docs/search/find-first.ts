import type { LineHit, LinePattern } from '../ports/search-backend.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { Best } from './best.ts';
import type { Position } from '../scope/cursor.ts';
import { LargeFiles } from '../files/large-files.ts';
import { LateSiblings } from './out-of-order-hits.ts';
import { isLeftOut, type OpenRoot, type Skipped } from '../scope/open-scope.ts';
import { comparePaths } from '../scope/order.ts';
import type { PathFilter } from '../files/path-filter.ts';
import { apart } from '../scope/root-groups.ts';
import type { RetrievalDeps } from '../scope/retrieval-deps.ts';
import { vanishedRoots } from './vanished-roots.ts';

/** `folder` is the place of its root among those that are searched together. */
export interface FoundLine extends LineHit {
  readonly root: OpenRoot;
}
interface Wanted {
  readonly pattern: LinePattern;
  readonly filter: PathFilter;
  /** Only what comes behind it. */
  readonly after: Position | undefined;
  readonly most: number;
}

interface Found {
  readonly lines: readonly FoundLine[];
  /** What was passed over for its size; all of it only where the search was not ended early. */
  readonly large: LargeFiles;
}

/**
 * The first `most` matching lines by root, path and line.
 *
 * Hits that are frequent are found by a walk in order, which ends as soon as nothing can come before the last of them. After a moment
 * everything is searched at full speed beside it, and the first lines are kept; a walk that has found little by then is given up.
 * Whichever comes first answers; what is answered is the same.
 */
export async function findFirst(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: Wanted,
  signal: AbortSignal,
): Promise<{ readonly lines: readonly FoundLine[]; readonly skipped: readonly Skipped[] }> {
  const lines: FoundLine[] = [];
  const vanished: Skipped[] = [];
  const large: Skipped[] = [];
  const first = wanted.after === undefined ? 0 : roots.findIndex(root => root.id === wanted.after?.root);
  for (const group of apart(roots.slice(Math.max(0, first)))) {
    const most = wanted.most - lines.length;
    if (most <= 0) break;
    const found = await searchGroup(deps, group, { ...wanted, most }, signal);
    lines.push(...found.lines);
    large.push(...found.large.skipped);
    vanished.push(...(await vanishedRoots(deps, group)));
  }
  // A full page may have ended the search before it had seen all files.
  return { lines, skipped: lines.length < wanted.most ? [...vanished, ...large] : vanished };
}

async function searchGroup(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Found> {
  if (deps.search.goesInOrder) return searchInOrder(deps, roots, wanted, signal);
  const answered = new AbortController();
  const fruitless = new AbortController();
  const ending = AbortSignal.any([signal, answered.signal]);
  const { promise: isDue, resolve: setDue } = Promise.withResolvers<void>();
  let seen = 0;
  const cancelTimers = [
    deps.clock.after(RETRIEVAL_LIMITS.headStartMs, setDue),
    // With some of the page already there it will be first, however slow the machine is at the moment.
    deps.clock.after(RETRIEVAL_LIMITS.probeMs, () => void (seen < wanted.most / 8 && fruitless.abort())),
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
  const atOnce = isDue.then(() => searchAll(deps, roots, wanted, ending));
  try {
    return await Promise.race([inOrder.then(found => found ?? atOnce), atOnce]);
  } finally {
    for (const cancel of cancelTimers) cancel();
    answered.abort();
    // The one that was not waited for ends with the reason of its signal.
    await Promise.allSettled([inOrder]);
    atOnce.catch(() => undefined);
  }
}

async function searchAll(
  deps: RetrievalDeps,
  roots: readonly OpenRoot[],
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Found> {
  const large = new LargeFiles(roots, wanted.filter);
  const best = new Best<FoundLine>(wanted.most, compareLines);
  const accept = acceptor(roots, wanted);
  // Behind a cursor, a file's first lines may be the ones that were given already.
  const mostPerFile = wanted.after === undefined ? { mostPerFile: wanted.most } : {};
  await deps.search.lines(
    { ...request(roots, wanted, large), ...mostPerFile, inOrder: false },
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
  wanted: Wanted,
  signal: AbortSignal,
  onLine: () => void = () => undefined,
): Promise<Found> {
  const large = new LargeFiles(roots, wanted.filter);
  const best = new Best<FoundLine>(wanted.most, compareLines);
  const late = new LateSiblings(deps.files);
  const accept = acceptor(roots, wanted);
  /** Whether nothing that comes later belongs among the first: then the search ends. */
  const isCertain = async (reached: FoundLine): Promise<boolean> => {
    const last = best.items.at(-1);
    if (last === undefined) return false;
    if (last.root !== reached.root) return true;
    // More lines of a file whose path sorts before may still come.
    if (comparePaths(reached.path, last.path) < 0) return false;
    return !(await late.mayStillCome(last.root, last.path, reached.path));
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

const request = (roots: readonly OpenRoot[], { pattern, filter, after }: Wanted, large: LargeFiles) => ({
  pattern,
  onTooLarge: large.add,
  folders: roots.map(root => root.folder),
  wants(folder: number, path: LineHit['path']): boolean {
    const root = roots[folder];
    if (root === undefined || !filter.fits(path) || isLeftOut(root, path)) return false;
    return after === undefined || root.id !== after.root || comparePaths(path, after.path) >= 0;
  },
  ...(filter.nameGlobs === undefined ? {} : { nameGlobs: filter.nameGlobs }),
});

function acceptor(roots: readonly OpenRoot[], { filter, after }: Wanted): (hit: LineHit) => FoundLine | undefined {
  // Hits of one file come together, and most files are looked at once.
  let of: OpenRoot | undefined;
  let path: string | undefined;
  let fits = false;
  return hit => {
    const root = roots[hit.folder];
    if (root === undefined) return undefined;
    if (hit.path !== path || root !== of) {
      of = root;
      path = hit.path;
      fits = filter.fits(path) && !isLeftOut(root, path);
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
