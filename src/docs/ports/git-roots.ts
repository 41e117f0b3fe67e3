import type { AppError } from '../../base/errors.ts';
import type { GitPolicy, GitSource, RootDefinition } from '../../protocol/roots.ts';

export type GitRoot = RootDefinition & { readonly source: GitSource };

/** The locally known state of a git root. `state` summarizes the other fields in one word. */
export interface GitRootStatus {
  readonly checkout: 'never_synced' | 'present' | 'missing' | 'source_changed';
  /** The served files compared with their index, including untracked files; null without files. */
  readonly worktree: 'clean' | 'dirty' | null;
  readonly head: 'branch' | 'tag' | 'pinned' | 'detached' | null;
  /** Relation of the served commit to the last fetched commit. */
  readonly relation: 'up_to_date' | 'behind' | 'diverged' | 'unknown';
  /** `ok` or an error code of the catalog, with the time (ISO 8601, UTC); null before the first attempt. */
  readonly lastAttempt: { readonly outcome: string; readonly at: string } | null;
  readonly activity: 'idle' | 'syncing' | 'locked_elsewhere';
  /** The served commit. */
  readonly commit: string | null;
  /** The full ref, or the pinned commit; null before the first sync. */
  readonly ref: string | null;
  readonly lastSyncAt: string | null;
  readonly dirty: boolean;
  /** The first state that applies, in this order. */
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
  /** Asks the remote for its commit; writes nothing. */
  | { readonly mode: 'check' }
  /** Fetches objects and refs; the served commit stays. */
  | { readonly mode: 'fetch' }
  /** Fetches and moves to the new commit on the first sync or a fast-forward; otherwise fails with DIVERGED and the served commit stays. */
  | { readonly mode: 'update' }
  /** Fetches and moves regardless of ancestry; fails with EXPECTED_COMMIT_MISMATCH if `expectedCommit` is not served. */
  | { readonly mode: 'reset'; readonly expectedCommit: string }
  /** Moves to a commit that was fetched earlier, without the network. */
  | { readonly mode: 'checkout'; readonly commit: string };

export interface GitSyncWarning {
  readonly code: string;
  /** For agents: without folders of the computer. */
  readonly message: string;
  /** The folder that the message names by its path in the cache. `path` is absolute. */
  readonly folder?: { readonly inCache: string; readonly path: string };
}

export interface GitSyncReport {
  readonly status: 'up_to_date' | 'initialised' | 'updated' | 'fetched' | 'checked' | 'refused' | 'failed';
  /** The served commits before and after; equal on `refused` and `failed`; null: none. */
  readonly before: string | null;
  readonly after: string | null;
  /** The commit of the remote; null if the remote was not contacted. */
  readonly remote: string | null;
  readonly ref: string | null;
  readonly dirty: boolean;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Whether the remote was contacted. */
  readonly network: boolean;
  readonly warnings: readonly GitSyncWarning[];
  /** The reason for `refused` and `failed`. */
  readonly error: AppError | undefined;
}

/**
 * Reads the state of git roots and syncs them. Only `sync` uses the network, and it writes only inside `policy.cache`, whose layout is
 * defined in `protocol/root-cache.ts`. Retrieval has no access to this port: it finds files through `RootCheckouts`.
 *
 * Git is called with argument arrays, `--` before every operand, no hooks, filters, submodules or prompts, and only our configuration.
 * Concurrent processes are safe: one syncs, the other gets SYNC_LOCKED. If a process is killed, the old tree is still served. A tree
 * with local changes is kept and never overwritten (warning DIRTY_TREE_KEPT).
 */
export interface GitRoots {
  /** Reads the state without network access and without writing. @throws AppError GIT_NOT_FOUND, GIT_TOO_OLD, CACHE_CORRUPT; the reason of `signal` */
  status(root: GitRoot, policy: GitPolicy, signal: AbortSignal): Promise<GitRootStatus>;
  /**
   * Syncs one root. Failures of the root are in the report, so that the caller can continue with other roots: OFFLINE (before anything is
   * written), AUTH_FAILED, DIVERGED, SYNC_LOCKED, SYNC_TIMEOUT, SYNC_TOO_LARGE, TREE_UNSAFE and the other errors of syncs in
   * `base/retrieval-errors.ts`.
   *
   * @param progress receives a short text per step
   * @throws the reason of `signal`; nothing has changed then
   */
  sync(
    root: GitRoot,
    policy: GitPolicy,
    request: GitSyncRequest,
    progress: (message: string) => void,
    signal: AbortSignal,
  ): Promise<GitSyncReport>;
}
