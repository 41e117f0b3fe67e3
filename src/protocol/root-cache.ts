import * as z from 'zod';

/**
 * The layout of the cache of git roots, which several processes share:
 *
 * ```
 * <cache>/layout.json                {"layout":1}
 * <cache>/r-<id>/<url key>/          url key: the first 12 hex digits of the SHA-256 of the url
 *   repo.git/                        bare
 *   trees/<commit>/                  plain files of that commit
 *   trees/<commit>.index
 *   current.json                     CurrentCheckout: replaced atomically by each sync that changes the commit
 *   last-sync.json                   the last report, including failures
 *   sync.lock
 * ```
 */
export const rootCacheNames = {
  layout: 'layout.json',
  rootFolder: (id: string): string => `r-${id}`,
  repository: 'repo.git',
  trees: 'trees',
  current: 'current.json',
  lastSync: 'last-sync.json',
  lock: 'sync.lock',
} as const;

/** `current.json`: the commit that searches and reads use. */
export const CurrentCheckout = z.object({
  /** 40 or 64 hex digits; names the folder below `trees`. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  /** The ref in full, or the commit itself when it is pinned. */
  ref: z.string(),
  kind: z.enum(['branch', 'tag', 'pinned']),
  /** ISO 8601, UTC. */
  syncedAt: z.string(),
  /** Increases with each change of the commit. */
  seq: z.int().min(1),
  /** No ref is configured: this is the default branch of the remote at the first sync, and does not change later. */
  isDefault: z.boolean().optional(),
  /** The commit was chosen manually and is not on a fetched branch. */
  isDetached: z.boolean().optional(),
});
export type CurrentCheckout = z.infer<typeof CurrentCheckout>;
