import { AppError } from '../../base/errors.ts';
import { configurationError } from '../scope/open-scope.ts';
import { resolveScope, type Scope } from '../scope/scope.ts';
import type { GitRoot, GitRoots } from '../ports/git-roots.ts';
import type { GitPolicy, RootDefinition } from '../../protocol/roots.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';

/** The dependencies of the two tools for git roots. Reading tools never get `gitRoots`. */
export interface RepoToolDeps extends DocsToolDeps {
  readonly gitRoots: GitRoots;
}

export const isGitRoot = (root: RootDefinition): root is GitRoot => root.source.kind === 'git';

/** @throws AppError CONFIG_INVALID, SCOPE_INVALID, ROOT_UNKNOWN */
export async function chosenRoots(deps: DocsToolDeps, root: unknown): Promise<Scope & { readonly policy: GitPolicy }> {
  const { problems, roots, policy } = await deps.retrieval.configuration();
  if (problems.length > 0) throw configurationError(problems);
  return { ...resolveScope(root, roots), policy };
}

/** Checks the argument `root` and returns its problem, with the error codes for scopes. */
export function checkRootArgument(rawArguments: unknown): AppError | undefined {
  if (typeof rawArguments !== 'object' || rawArguments === null || !('root' in rawArguments)) return undefined;
  const { root } = rawArguments;
  const words: readonly unknown[] = Array.isArray(root) ? root : [root];
  if (words.length === 0) return new AppError('SCOPE_INVALID', { reason: 'the list is empty' });
  if (words.includes('')) return new AppError('SCOPE_INVALID', { reason: 'it is empty' });
  return words.every(word => typeof word === 'string')
    ? undefined
    : new AppError('SCOPE_INVALID', { reason: 'it must be a string or a list of strings' });
}
