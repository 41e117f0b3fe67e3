import type { Clock } from '../../ports/clock.ts';
import type { ProjectPath } from '../../base/brand.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Git } from '../../ports/git.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalStore } from '../../ports/journal-store.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Random } from '../../ports/random.ts';
import type { Reason } from '../../protocol/reason.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { FeedGroup, TreeFeed } from '../feed/tree-feed.ts';
import type { WriteJournal } from './write-journal.ts';

/** Items that were not written, and the plugins that they came from. */
export interface FailedWrite {
  readonly group: FeedGroup;
  readonly outcomes: readonly WriteOutcome[];
}

/**
 * Outcome of one item of a write. `same`: disk already has it. `conflict`: not written, because disk has a change that Studio has not
 * received. `skipped`: not written, because this kind of change is not supported.
 */
export interface WriteOutcome {
  /** Path of the instance, or the id from the request. */
  readonly what: string;
  readonly outcome: 'written' | 'same' | 'failed' | 'conflict' | 'skipped';
  /** Why it was not written. */
  readonly reason?: Reason;
  /** Of `written`: another program changed the file since, so the tree has that later text. */
  readonly isOverwritten?: boolean;
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

/** Dependencies and options of one write. */
export interface WriteContext extends StudioWriterDeps {
  readonly group: FeedGroup;
  readonly writeJournal: WriteJournal;
  /**
   * Whether the edit is based on the current state of the instance. Called right before the write, when no other write can intervene.
   * Without it, the feed decides whether the caller knows the current state.
   */
  readonly isBasedOnCurrent: ((instance: Instance) => boolean) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads files that were written. Cannot be canceled: a session that ends in this moment must still learn that its edit is on disk. Otherwise
 * the same edit would be a conflict when it is sent again.
 */
export const readWritten = (session: ProjectSession, paths: readonly ProjectPath[]): Promise<void> =>
  session.refresh(new AbortController().signal, paths);

/** Characters of a name or id of a request in a message. */
const MAX_NAMED_CHARS = 200;

/** A name or id of a request, for people: a peer can send millions of characters. */
export const shortName = (raw: unknown): string =>
  typeof raw === 'string' ? raw.slice(0, MAX_NAMED_CHARS) : 'an instance';
