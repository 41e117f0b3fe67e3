import * as z from 'zod';

/**
 * What lies in the cache of git roots, which several processes share:
 *
 * ```
 * <cache>/layout.json                {"layout":1}
 * <cache>/r-<id>/<url key>/          url key: the first 12 hex digits of the SHA-256 of the url
 *   repo.git/                        bare
 *   trees/<commit>/                  plain files of that commit
 *   trees/<commit>.index
 *   current.json                     CurrentCheckout: replaced in one step by each sync that moves
 *   last-sync.json                   the last report, of failures too
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

/** `current.json`: what retrieval serves. */
export const CurrentCheckout = z.object({
  /** 40 or 64 hex digits; names the folder below `trees`. */
  commit: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/),
  /** The ref in full, or the commit itself when it is pinned. */
  ref: z.string(),
  kind: z.enum(['branch', 'tag', 'pinned']),
  /** ISO 8601, UTC. */
  syncedAt: z.string(),
  /** Grows with every move. */
  seq: z.int().min(1),
  /** Nobody named the ref: it was the remote's default branch at the first sync, and stays the one. */
  isDefault: z.boolean().optional(),
  /** The commit was chosen by hand and is on nothing that was fetched. */
  isDetached: z.boolean().optional(),
});
export type CurrentCheckout = z.infer<typeof CurrentCheckout>;
