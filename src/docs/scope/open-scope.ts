import { AppError } from '../../base/errors.ts';
import type { RootProblem } from '../../base/retrieval-errors.ts';
import type { RootFolder } from '../ports/root-files.ts';
import type { RootDefinition } from '../../protocol/roots.ts';
import type { RetrievalDeps } from './retrieval-deps.ts';
import { resolveScope } from './scope.ts';

/** A readable root, fixed to one commit for the whole call. */
export interface OpenRoot extends RootFolder {
  readonly definition: RootDefinition;
  readonly commit: string | undefined;
  /** Folders that are searched as another root of the scope; each ends in a slash. */
  readonly innerFolders: readonly string[];
}

/** Whether a file is searched in another root of the scope instead of this one. */
export const isInInnerRoot = (root: OpenRoot, path: string): boolean =>
  root.innerFolders.some(folder => path.startsWith(folder));

/** A part of the scope that the answer does not cover. */
export interface UncoveredPart {
  readonly root?: string;
  readonly scope?: string;
  readonly reason: string;
  /** Number of skipped files; without it, the whole root was skipped. */
  readonly count?: number;
}

export interface OpenScope {
  /** In the order of results. */
  readonly roots: readonly OpenRoot[];
  readonly skipped: readonly UncoveredPart[];
  readonly meta: ScopeMeta;
}
export interface ScopeMeta {
  /** Namespace of the roots; read by old clients. */
  readonly repo: 'docs' | 'code' | 'harness' | 'both' | 'mixed';
  readonly scope: readonly string[];
  /** Commits of the git roots among them. */
  readonly commits: Readonly<Record<string, string>>;
}

/**
 * Locates the files of every root in scope. An unreadable root is an error if it was named, or if no other root is readable; otherwise
 * it is skipped, and `skipped` contains it.
 *
 * @throws AppError CONFIG_INVALID, SCOPE_INVALID, ROOT_UNKNOWN, ROOT_NOT_SYNCED, ROOT_UNAVAILABLE, ROOT_CACHE_MISMATCH
 */
export async function openScope(deps: RetrievalDeps, scope: unknown): Promise<OpenScope> {
  const configuration = await deps.configuration();
  if (configuration.problems.length > 0) throw configurationError(configuration.problems);
  const resolved = resolveScope(scope, configuration.roots);
  const roots: OpenRoot[] = [];
  const skipped: UncoveredPart[] = resolved.empty.map(word => ({ scope: word, reason: 'NO_ROOTS' }));
  let failure: AppError | undefined;
  for (const definition of resolved.roots) {
    const found = await deps.checkouts.locate(definition, configuration.policy.cache);
    if (found.kind === 'present') {
      roots.push({ id: definition.id, folder: found.folder, definition, commit: found.commit, innerFolders: [] });
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
  return { ...root, innerFolders: open.map(({ path }) => `${path}/`) };
}

/** The error that reports all problems of the configuration. */
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
