import type { SyncbackPreview } from '../../protocol/syncback-answer.ts';

type Changes = Pick<SyncbackPreview, 'writing' | 'removing'>;

/** Returns the first `max` files of a plan, deletions first, because nothing else shows what a deleted file contains. */
export function firstChanges({ writing, removing }: Changes, max: number): Changes {
  const removed = removing.slice(0, max);
  return { writing: writing.slice(0, max - removed.length), removing: removed };
}
