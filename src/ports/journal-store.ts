/** One recorded run. */
export interface JournalEntry {
  readonly runId: string;
  /** As it was appended. */
  readonly record: unknown;
  /** What was noted while the run went on, oldest first. */
  readonly notes: readonly unknown[];
  /** What `finish` said; `undefined` for a run that goes on or was cut off. */
  readonly ending: unknown;
  /** Without an ending: whether the process that appended it still runs, so that it is no crash's. */
  readonly isGoingOn: boolean;
}

export interface JournalLimits {
  /** Bytes of all entries together. */
  readonly mostBytes: number;
  readonly mostDays: number;
}

/**
 * Append-only records of runs with the bytes that they displaced. What resolved survives a crash right after. Several processes may use
 * one journal.
 */
export interface JournalStore {
  /** Resolves once the record and its blobs are flushed to disk. `record` must be JSON. `ending`: for what is over already. */
  append(runId: string, record: unknown, blobs: ReadonlyMap<string, Uint8Array>, ending?: unknown): Promise<void>;
  /** Adds to the newest entry of the run. `note` must be JSON. */
  note(runId: string, note: unknown): Promise<void>;
  /** Says how the newest entry of the run ended; the last word counts. `ending` must be JSON and not null. */
  finish(runId: string, ending: unknown): Promise<void>;
  /** Newest first, at most so many. */
  list(most?: number): Promise<readonly JournalEntry[]>;
  /** The newest entry of a run. */
  find(runId: string): Promise<JournalEntry | undefined>;
  /** Entries without an ending, newest first. */
  unfinished(): Promise<readonly JournalEntry[]>;
  /** @throws Error ENOENT */
  readBlob(runId: string, name: string): Promise<Uint8Array>;
  /** Removes the oldest entries beyond the limits; never the newest, and none that has no ending. */
  prune(limits: JournalLimits): Promise<void>;
}
