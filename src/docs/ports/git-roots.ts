import type { AppError } from '../../base/errors.ts';
import type { GitPolicy, GitSource, RootDefinition } from '../../protocol/roots.ts';

export type GitRoot = RootDefinition & { readonly source: GitSource };

/** What is known of a git root without asking its remote. Each facet has its own value; `state` is the one word for people. */
export interface GitRootStatus {
  readonly checkout: 'never_synced' | 'present' | 'missing' | 'source_changed';
  /** Of the served tree against its own index, untracked files included; null without a tree. */
  readonly worktree: 'clean' | 'dirty' | null;
  readonly head: 'branch' | 'tag' | 'pinned' | 'detached' | null;
  /** Against what was fetched last. */
  readonly relation: 'up_to_date' | 'behind' | 'diverged' | 'unknown';
  /** `ok` or an error code of the catalogue, with its time (ISO 8601, UTC); null: there was none. */
  readonly lastAttempt: { readonly outcome: string; readonly at: string } | null;
  readonly activity: 'idle' | 'syncing' | 'locked_elsewhere';
  /** The served commit. */
  readonly commit: string | null;
  /** The ref in full, or the pinned commit; null before the first sync. */
  readonly ref: string | null;
  readonly lastSyncAt: string | null;
  readonly dirty: boolean;
  /** First that applies, in this order. */
  readonly state:
    | 'syncing'
    | 'never_synced'
    | 'source_changed'
    | 'missing'
    | 'auth_failed'
    | 'offline'
    | 'diverged'
    | 'dirty'
    | 'detached'
    | 'behind'
    | 'clean';
}

export type GitSyncRequest =
  /** Asks the remote for the commit; writes nothing. */
  | { readonly mode: 'check' }
  /** Objects and remote-tracking refs only; what is served stays. */
  | { readonly mode: 'fetch' }
  /** Fetches, then moves when it is the first time or a fast forward; else DIVERGED, and what is served stays. */
  | { readonly mode: 'update' }
  /** Fetches and moves whatever the ancestry; EXPECTED_COMMIT_MISMATCH when `expectedCommit` is not what is served. */
  | { readonly mode: 'reset'; readonly expectedCommit: string }
  /** Moves to a commit that is there already; no network. */
  | { readonly mode: 'checkout'; readonly commit: string };

export interface GitSyncReport {
  readonly status: 'up_to_date' | 'initialised' | 'updated' | 'fetched' | 'checked' | 'refused' | 'failed';
  /** Commits that were served before and are served after; equal on `refused` and `failed`. null: none. */
  readonly before: string | null;
  readonly after: string | null;
  /** The commit of the remote where it was asked; null otherwise. */
  readonly remote: string | null;
  readonly ref: string | null;
  readonly dirty: boolean;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Whether a remote was asked. */
  readonly network: boolean;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  /** Why, on `refused` and `failed`. */
  readonly error: AppError | undefined;
}

/**
 * The only thing that may touch the network for retrieval, and only in `sync`, and only inside `policy.cache`, whose layout is that of
 * `protocol/root-cache.ts`. Retrieval never sees this port: it finds files through `RootCheckouts`.
 *
 * Git is called with argument arrays, `--` before every operand, no hooks, filters, submodules, prompts or configuration but ours.
 * Two processes at once are safe: one syncs, the other gets SYNC_LOCKED. A process killed anywhere leaves the old tree serving. A tree
 * that somebody has edited is kept beside and never overwritten (warning DIRTY_TREE_KEPT).
 */
export interface GitRoots {
  /** Never touches the network or writes. @throws AppError GIT_NOT_FOUND, GIT_TOO_OLD, CACHE_CORRUPT; the reason of `signal` */
  status(root: GitRoot, policy: GitPolicy, signal: AbortSignal): Promise<GitRootStatus>;
  /**
   * Failures of the root itself are in the report, so that other roots go on: OFFLINE (before anything is written), AUTH_FAILED,
   * DIVERGED, SYNC_LOCKED, SYNC_TIMEOUT, SYNC_TOO_LARGE, TREE_UNSAFE and the rest of the sync rows of `base/retrieval-errors.ts`.
   *
   * @param progress one short sentence per step
   * @throws the reason of `signal`, with everything as it was before
   */
  sync(
    root: GitRoot,
    policy: GitPolicy,
    request: GitSyncRequest,
    progress: (message: string) => void,
    signal: AbortSignal,
  ): Promise<GitSyncReport>;
}
