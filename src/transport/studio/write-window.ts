import type { Clock } from '../../ports/clock.ts';
import { UNPAIRED_LIMITS } from '../../protocol/limits.ts';
import type { StudioDialect } from '../../protocol/studio/messages.ts';
import type { TreeFeed } from '../../studio/feed/tree-feed.ts';

/** When a plugin may post edits: only in a live session, so that nothing is written while Studio is not connected. */
export interface WriteWindow {
  /** Records that a plugin begins a session by reading the whole tree. */
  noteRead(): void;
  /** Records that its feed opened: from now on, the session lasts as long as the feed. */
  noteFeed(): void;
  isOpen(): boolean;
}

/** @param isActiveClient whether the bridge runs a sync in a plugin of this dialect, which then posts its results */
export function createWriteWindow(
  dialect: StudioDialect,
  feed: () => Pick<TreeFeed, 'count'> | undefined,
  isActiveClient: () => boolean,
  clock: Pick<Clock, 'now'>,
): WriteWindow {
  let readAt: number | undefined;
  return {
    noteRead: () => void (readAt = clock.now()),
    noteFeed: () => void (readAt = undefined),
    isOpen() {
      if (isActiveClient() || (feed()?.count(dialect) ?? 0) > 0) return true;
      // Rojo's plugin sends the first answer before it opens the feed.
      return readAt !== undefined && clock.now() - readAt < UNPAIRED_LIMITS.writeAfterReadMs;
    },
  };
}
