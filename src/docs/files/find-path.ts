import { AppError } from '../../base/errors.ts';
import { isHidden, parseRootPath, type RootPath } from '../../base/root-path.ts';
import { isPathIgnored } from './ignore-stack.ts';
import type { OpenRoot, OpenScope, ScopeMeta } from '../scope/open-scope.ts';
import type { RetrievalDeps } from '../scope/retrieval-deps.ts';

export interface FoundPath {
  readonly root: OpenRoot;
  readonly path: RootPath;
}

/** The `meta` of an answer about one path. */
export function foundMeta({ root }: FoundPath): ScopeMeta {
  return {
    repo: root.definition.namespace,
    scope: [root.id],
    commits: root.commit === undefined ? {} : { [root.id]: root.commit },
  };
}

/**
 * Finds the one root of the scope in which a path exists.
 *
 * @param text as the caller wrote it
 * @throws AppError PATH_OUT_OF_ROOT, PATH_AMBIGUOUS, PATH_LINK_ESCAPE, FILE_NOT_FOUND or DIR_NOT_FOUND, FILE_UNREADABLE or
 *   DIR_UNREADABLE (hidden or ignored)
 */
export async function findPath(
  deps: RetrievalDeps,
  scope: OpenScope,
  text: string,
  wanted: 'file' | 'directory',
  signal: AbortSignal,
): Promise<FoundPath> {
  const path = readRootPath(text);
  const [only] = scope.roots;
  const place = { path, ...(scope.roots.length === 1 && only !== undefined ? { root: only.id } : {}) };
  // Checked before the disk is read, because the answer must not reveal whether a hidden file exists.
  if (isHidden(path)) throw notServed(wanted, place, 'hidden files are not served');
  const found: OpenRoot[] = [];
  let refusal: AppError | undefined;
  for (const root of scope.roots) {
    try {
      if ((await deps.files.kindOf(root, path)) !== undefined) found.push(root);
    } catch (error) {
      refusal ??= AppError.from(error);
    }
  }
  const [root, another] = found;
  if (root === undefined) {
    if (refusal !== undefined) throw refusal;
    throw new AppError(wanted === 'file' ? 'FILE_NOT_FOUND' : 'DIR_NOT_FOUND', place);
  }
  if (another !== undefined) throw new AppError('PATH_AMBIGUOUS', { path, roots: found.map(one => one.id) });
  await rejectIgnored(deps, root, path, wanted, signal);
  return { root, path };
}

/** @throws AppError PATH_OUT_OF_ROOT */
function readRootPath(text: string): RootPath {
  const path = parseRootPath(text);
  if (path === undefined) throw new AppError('PATH_OUT_OF_ROOT', { path: text.replaceAll('\0', '\\0') });
  return path;
}

async function rejectIgnored(
  deps: RetrievalDeps,
  root: OpenRoot,
  path: RootPath,
  wanted: 'file' | 'directory',
  signal: AbortSignal,
): Promise<void> {
  const reason = (await isPathIgnored(deps.files, root, path, wanted === 'directory', signal))
    ? 'a .gitignore file excludes it'
    : (await isLinkToExcluded(deps, root, path, wanted, signal))
      ? 'it links to a hidden or ignored path'
      : undefined;
  if (reason !== undefined) throw notServed(wanted, { root: root.id, path }, reason);
}

/** Whether a path contains a link, and its target is hidden or ignored. @throws AppError PATH_LINK_ESCAPE */
export async function isLinkToExcluded(
  deps: RetrievalDeps,
  root: OpenRoot,
  path: RootPath,
  kind: 'file' | 'directory',
  signal: AbortSignal,
): Promise<boolean> {
  const real = (await deps.files.withoutLinks(root, path)) ?? path;
  if (real === path) return false;
  return isHidden(real) || (await isPathIgnored(deps.files, root, real, kind === 'directory', signal));
}

const notServed = (
  wanted: 'file' | 'directory',
  place: { readonly path: string; readonly root?: string },
  reason: string,
): AppError => new AppError(wanted === 'file' ? 'FILE_UNREADABLE' : 'DIR_UNREADABLE', { ...place, reason });
