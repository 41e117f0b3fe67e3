import { AppError } from '../../base/errors.ts';
import type { RootProblem } from '../../base/retrieval-errors.ts';
import type { RootFolder } from '../ports/root-files.ts';
import type { RootDefinition } from '../../protocol/roots.ts';
import type { RetrievalDeps } from './retrieval-deps.ts';
import { resolveScope } from './scope.ts';

/** A root that can be read, and stays with this commit for the whole call. */
export interface OpenRoot extends RootFolder {
  readonly definition: RootDefinition;
  readonly commit: string | undefined;
  /** Folders in it that another root of the scope answers for; each ends in a slash. */
  readonly leftOut: readonly string[];
}

/** Whether a search finds the file in another root of the scope, and so not in this one. */
export const isLeftOut = (root: OpenRoot, path: string): boolean =>
  root.leftOut.some(folder => path.startsWith(folder));

/** Something in the scope that the answer says nothing of. */
export interface Skipped {
  readonly root?: string;
  readonly scope?: string;
  readonly reason: string;
  /** Files of the root that are meant; all of it without a number. */
  readonly count?: number;
}

export interface OpenScope {
  /** In the order of results. */
  readonly roots: readonly OpenRoot[];
  readonly skipped: readonly Skipped[];
  readonly meta: ScopeMeta;
}
export interface ScopeMeta {
  /** Namespace of the roots, as old clients know it. */
  readonly repo: 'docs' | 'code' | 'harness' | 'both' | 'mixed';
  readonly scope: readonly string[];
  /** Commits of the git roots among them. */
  readonly commits: Readonly<Record<string, string>>;
}

/**
 * Finds the files of every root of the scope. A root that cannot be read is an error when it was named, or when nothing else is left;
 * in a group it is skipped, and the answer says so.
 *
 * @throws AppError CONFIG_INVALID, SCOPE_INVALID, ROOT_UNKNOWN, ROOT_NOT_SYNCED, ROOT_UNAVAILABLE, ROOT_CACHE_MISMATCH
 */
export async function openScope(deps: RetrievalDeps, scope: unknown): Promise<OpenScope> {
  const configuration = await deps.configuration();
  if (configuration.problems.length > 0) throw configurationError(configuration.problems);
  const resolved = resolveScope(scope, configuration.roots);
  const roots: OpenRoot[] = [];
  const skipped: Skipped[] = resolved.empty.map(word => ({ scope: word, reason: 'NO_ROOTS' }));
  let failure: AppError | undefined;
  for (const definition of resolved.roots) {
    const found = await deps.checkouts.locate(definition, configuration.policy.cache);
    if (found.kind === 'present') {
      roots.push({ id: definition.id, folder: found.folder, definition, commit: found.commit, leftOut: [] });
      continue;
    }
    const error = new AppError(found.code, { root: definition.id, reason: found.reason });
    if (resolved.named.has(definition.id)) throw error;
    failure ??= error;
    skipped.push({ root: definition.id, reason: found.code });
  }
  if (roots.length === 0 && failure !== undefined) throw failure;
  return { roots: roots.map(root => withoutInner(root, roots)), skipped, meta: scopeMeta(resolved.roots, roots) };
}

function withoutInner(root: OpenRoot, roots: readonly OpenRoot[]): OpenRoot {
  const { inner = [] } = root.definition;
  const open = inner.filter(one => roots.some(({ id }) => id === one.root));
  return { ...root, leftOut: open.map(({ path }) => `${path}/`) };
}

export function configurationError(problems: readonly RootProblem[]): AppError {
  const [first] = problems;
  return new AppError('CONFIG_INVALID', {
    reason: first?.reason ?? 'VALUE_INVALID',
    ...(first?.root === undefined ? {} : { repo: first.root.replace(/-default$/, '') }),
    ...(first?.path === undefined ? {} : { path: first.path }),
    problems,
  });
}

function scopeMeta(all: readonly RootDefinition[], open: readonly OpenRoot[]): ScopeMeta {
  const kinds = new Set(all.map(root => root.namespace));
  const [only] = kinds;
  const repo =
    kinds.size === 1 && only !== undefined ? only : kinds.size === 2 && !kinds.has('harness') ? 'both' : 'mixed';
  return {
    repo,
    scope: all.map(root => root.id),
    commits: Object.fromEntries(open.flatMap(root => (root.commit === undefined ? [] : [[root.id, root.commit]]))),
  };
}
