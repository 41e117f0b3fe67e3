import type { Ref } from '../../base/brand.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { FeedGroup, TreeFeed } from '../feed/tree-feed.ts';
import type { WriteJournal } from './write-journal.ts';

/**
 * What became of one item of a write. `same`: disk says it already. `conflict`: not written, because disk holds something else than
 * Studio could know of. `skipped`: not written, because writes do not carry that kind of change.
 */
export interface WriteOutcome {
  /** Names from below the root, or what stood in the request. */
  readonly what: string;
  readonly outcome: 'written' | 'same' | 'failed' | 'conflict' | 'skipped';
  readonly reason?: string;
}

export interface StudioWriterDeps {
  readonly session: ProjectSession;
  readonly feed: TreeFeed;
  readonly files: FileSystem;
  readonly journal: JournalStore;
  readonly git: Git;
  readonly hasher: Hasher;
  readonly random: Random;
  readonly clock: Clock;
  readonly reflection: Reflection;
  readonly log: Logger;
}

/** What one write works with. */
export interface WriteContext extends StudioWriterDeps {
  readonly group: FeedGroup;
  readonly kept: WriteJournal;
  /**
   * Whether the caller's edit was made from what the instance holds now. Asked right before the write, when no other write can come
   * in between. `undefined`: the feed decides whether the caller knows the instance.
   */
  readonly isMadeFrom: ((instance: Instance) => boolean) | undefined;
  readonly signal: AbortSignal;
}

/** Names from below the root, for people. */
export function pathOf(session: ProjectSession, id: Ref): string {
  const names: string[] = [];
  for (let at = session.get(id); at && at.id !== session.rootId; at = session.get(at.parent)) names.unshift(at.name);
  return names.join('/');
}
