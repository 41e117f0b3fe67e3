import { AppError } from '../../base/errors.ts';
import { childPath, type RootPath } from '../../base/root-path.ts';
import { sortInSteps } from '../../base/sort-in-steps.ts';
import { runInSlices, TimeSlice } from '../../base/time-slice.ts';
import type { RootEntry } from '../ports/root-files.ts';
import type { Namespace } from '../../protocol/roots.ts';
import type { Answer } from '../scope/answer.ts';
import { readCursor, writeCursor } from '../scope/cursor.ts';
import { findPath, foundMeta, type FoundPath, isLinkToExcluded } from './find-path.ts';
import { enterFolder, isIgnored } from './ignore-stack.ts';
import { openScope } from '../scope/open-scope.ts';
import { comparePaths } from '../scope/order.ts';
import type { RetrievalDeps, Terms } from '../scope/retrieval-deps.ts';
import { isShown } from './walk.ts';

export interface ListedEntry {
  readonly root: string;
  readonly type: 'file' | 'directory';
  /** Relative to the root; `''` for the root itself. */
  readonly path: string;
}
export interface Listing {
  /** The root, or null above the roots. */
  readonly root: string | null;
  readonly namespace: Namespace | null;
  readonly path: string;
  readonly entries: readonly ListedEntry[];
}

/**
 * Lists one folder, not its subfolders. Without a path and with several roots in scope, lists the roots.
 *
 * @throws AppError those of `openScope` and `findPath`, DIR_UNREADABLE, CURSOR_STALE
 */
export async function listDir(
  deps: RetrievalDeps,
  request: { readonly scope: unknown; readonly path: string; readonly cursor: string | undefined },
  terms: Terms,
  signal: AbortSignal,
): Promise<Answer<Listing>> {
  const scope = await openScope(deps, request.scope);
  const isTop = /^(?:\.?[/\\]?)$/.test(request.path) && !/^[/\\]/.test(request.path);
  const [first] = scope.roots;
  if (isTop && scope.roots.length !== 1)
    return {
      result: {
        root: null,
        namespace: null,
        path: '',
        entries: scope.roots.map(root => ({ root: root.id, type: 'directory' as const, path: '' })),
      },
      meta: { ...scope.meta, skipped: scope.skipped, truncated: false, next: undefined },
    };
  const found =
    isTop && first !== undefined
      ? { root: first, path: '' as RootPath }
      : await findPath(deps, scope, request.path, 'directory', signal);
  const entries = await visibleEntries(deps, found, signal);
  const cursorKey = ['list_dir', found.root.id, found.path, scope.meta.commits];
  const after = request.cursor === undefined ? undefined : readCursor(cursorKey, request.cursor).path;
  const left = after === undefined ? entries : entries.filter(entry => comparePaths(entry.path, after) > 0);
  const page = left.slice(0, terms.listedEntries);
  const last = page.at(-1);
  const isTruncated = page.length < left.length;
  return {
    result: {
      root: found.root.id,
      namespace: found.root.definition.namespace,
      path: found.path,
      entries: page,
    },
    meta: {
      ...foundMeta(found),
      skipped: scope.skipped,
      truncated: isTruncated,
      next:
        isTruncated && last !== undefined
          ? writeCursor(cursorKey, { root: last.root, path: last.path, line: 0 })
          : undefined,
    },
  };
}

async function visibleEntries(
  deps: RetrievalDeps,
  { root, path }: FoundPath,
  signal: AbortSignal,
): Promise<readonly ListedEntry[]> {
  const kind = await deps.files.kindOf(root, path);
  if (kind !== undefined && kind !== 'directory') throw new AppError('DIR_NOT_FOUND', { root: root.id, path });
  const names = await deps.files.list(root, path);
  const stack = await stackAt(deps, root, path, signal);
  const real = (await deps.files.withoutLinks(root, path)) ?? path;
  const realStack = real === path ? undefined : await stackAt(deps, root, real, signal);
  const entries: ListedEntry[] = [];
  // A folder may have hundreds of thousands of entries.
  const slice = new TimeSlice(deps.clock);
  for (const entry of names) {
    await slice.yieldToEventLoop();
    if (!isShown(entry.name)) continue;
    const entryPath = childPath(path, entry.name);
    const type = await typeOf(deps, root, entry, entryPath);
    if (type === undefined || isIgnored(stack, entryPath, type === 'directory')) continue;
    if (isIgnored(realStack, childPath(real, entry.name), type === 'directory')) continue;
    if (entry.kind === 'link' && (await isLinkToExcluded(deps, root, entryPath, type, signal).catch(() => true)))
      continue;
    entries.push({ root: root.id, type, path: entryPath });
  }
  return runInSlices(
    sortInSteps(entries, (a, b) => comparePaths(a.path, b.path)),
    slice,
  );
}

async function stackAt(deps: RetrievalDeps, root: FoundPath['root'], path: RootPath, signal: AbortSignal) {
  let folder = '' as RootPath;
  let stack = await enterFolder(deps.files, root, folder, undefined, undefined, signal);
  for (const name of path === '' ? [] : path.split('/')) {
    folder = childPath(folder, name);
    stack = await enterFolder(deps.files, root, folder, stack, undefined, signal);
  }
  return stack;
}

/** Returns the type of an entry, or of the target of a link. `undefined` if the target is outside the root, or neither file nor folder. */
async function typeOf(
  deps: RetrievalDeps,
  root: FoundPath['root'],
  entry: RootEntry,
  path: RootPath,
): Promise<'file' | 'directory' | undefined> {
  if (entry.kind === 'file' || entry.kind === 'directory') return entry.kind;
  if (entry.kind === 'other') return undefined;
  // The target of a link that cannot be followed cannot be read either, so it is not listed.
  const kind = await deps.files.kindOf(root, path).catch(() => undefined);
  return kind === 'other' ? undefined : kind;
}
