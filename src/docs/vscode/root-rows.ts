import { AppError } from '../../base/errors.ts';
import { say, type Sentence, plainSentence } from '../../base/sentence.ts';
import type { RootProblem } from '../../base/retrieval-errors.ts';
import type { ListedRoot } from '../list-roots.ts';
import type { Retrieval } from '../retrieval.ts';
import type { GitRoot, GitRoots, GitRootStatus } from '../ports/git-roots.ts';
import { forPerson } from '../../protocol/error-body.ts';
import type { GitPolicy } from '../../protocol/roots.ts';

/** The state of a root that the view shows. */
export type RootState = 'local' | 'synced' | 'dirty' | 'behind' | 'neverSynced' | 'syncing' | 'error';

export interface RootRow {
  readonly root: ListedRoot;
  readonly state: RootState;
  /** The state in git; `undefined` for a local root, or if it cannot be read. */
  readonly git: GitRootStatus | undefined;
  /** The reason for the state `error`. */
  readonly reason: Sentence | undefined;
}
export interface RootRows {
  /** In the order of results. */
  readonly rows: readonly RootRow[];
  /** Problems of the configuration; with any of them, nothing can be searched. */
  readonly problems: readonly RootProblem[];
}

/** Reads every root and its state from the disk and local git data; never contacts a remote. */
export async function readRootRows(
  { retrieval, gitRoots }: { readonly retrieval: Retrieval; readonly gitRoots: GitRoots },
  signal: AbortSignal,
): Promise<RootRows> {
  const { roots, problems } = await retrieval.listRoots();
  const { policy } = await retrieval.configuration();
  const rows = await Promise.all(roots.map(root => readRow(root, gitRoots, policy, signal)));
  return { rows, problems };
}

async function readRow(root: ListedRoot, gitRoots: GitRoots, policy: GitPolicy, signal: AbortSignal): Promise<RootRow> {
  const { definition, checkout } = root;
  if (definition.source.kind === 'local')
    return checkout.kind === 'present'
      ? { root, state: 'local', git: undefined, reason: undefined }
      : { root, state: 'error', git: undefined, reason: plainSentence(checkout.reason) };
  try {
    const git = await gitRoots.status(definition as GitRoot, policy, signal);
    const state = stateOf(git.state);
    return { root, git, state, reason: state === 'error' ? reasonOf(git) : undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { root, state: 'error', git: undefined, reason: forPerson(AppError.from(error)) };
  }
}

function stateOf(state: GitRootStatus['state']): RootState {
  switch (state) {
    case 'clean':
    case 'detached':
      return 'synced';
    case 'never_synced':
      return 'neverSynced';
    case 'syncing':
    case 'dirty':
    case 'behind':
      return state;
    case 'source_changed':
    case 'missing':
    case 'auth_failed':
    case 'offline':
    case 'diverged':
      return 'error';
  }
}

/** Explains the state `error` of a git root. */
function reasonOf({ state, lastAttempt }: GitRootStatus): Sentence {
  switch (state) {
    case 'source_changed':
      return say`its URL differs from the one that was synced`;
    case 'missing':
      return say`its files are missing from the cache; sync it again`;
    case 'diverged':
      return say`the remote history was rewritten; the previously synced version is still used`;
    default:
      return say`the last sync failed with ${lastAttempt?.outcome ?? state}; the previously synced version is still used`;
  }
}
