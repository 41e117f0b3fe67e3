import type { AppError } from '../../base/errors.ts';
import { configurationError } from '../scope/open-scope.ts';
import { resolveScope, type Scope, scopeProblem } from '../scope/scope.ts';
import type { GitRoot, GitRoots } from '../ports/git-roots.ts';
import type { GitPolicy, RootDefinition } from '../../protocol/roots.ts';
import type { DocsToolDeps } from './docs-tool-deps.ts';

/** The dependencies of the two tools for git roots. Reading tools never get `gitRoots`. */
export interface RepoToolDeps extends DocsToolDeps {
  readonly gitRoots: GitRoots;
}

export const isGitRoot = (root: RootDefinition): root is GitRoot => root.source.kind === 'git';

/** Resolves the argument `root` of these tools. @throws AppError CONFIG_INVALID, SCOPE_INVALID, ROOT_UNKNOWN */
export async function chosenRoots(deps: DocsToolDeps, root: unknown): Promise<Scope & { readonly policy: GitPolicy }> {
  const { problems, roots, policy } = await deps.retrieval.configuration();
  if (problems.length > 0) throw configurationError(problems);
  return { ...resolveScope(root, roots), policy };
}

/** Checks the argument `root` and returns its problem, with the error codes for scopes. */
export function checkRootArgument(rawArguments: unknown): AppError | undefined {
  if (typeof rawArguments !== 'object' || rawArguments === null || !('root' in rawArguments)) return undefined;
  return scopeProblem(rawArguments.root);
}
