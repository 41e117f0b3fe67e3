/** One recorded run. */
export interface JournalEntry {
  readonly runId: string;
  /** The value passed to `append`. */
  readonly record: unknown;
  /** Notes added during the run, oldest first. */
  readonly notes: readonly unknown[];
  /** The value passed to `finish`; `undefined` for a run that is in progress or was interrupted. */
  readonly ending: unknown;
  /** For an entry without an ending: whether the process that appended it still runs. If not, the run was interrupted. */
  readonly isRunning: boolean;
}

export interface JournalLimits {
  /** Bytes of all entries together. */
  readonly maxBytes: number;
  readonly maxDays: number;
}

/**
 * Append-only records of runs, with the bytes that the runs replaced. Once a call has resolved, its data survives a crash. Several processes
 * may use one journal.
 */
export interface JournalStore {
  /** Resolves once the record and its blobs are flushed to disk. `record` must be JSON. Pass `ending` for a record that is already complete. */
  append(runId: string, record: unknown, blobs: ReadonlyMap<string, Uint8Array>, ending?: unknown): Promise<void>;
  /** Adds to the newest entry of the run. `note` must be JSON. */
  note(runId: string, note: unknown): Promise<void>;
  /** Records how the newest entry of the run ended; a later call overrides it. `ending` must be JSON and not null. */
  finish(runId: string, ending: unknown): Promise<void>;
  /** Newest first. */
  list(limit?: number): Promise<readonly JournalEntry[]>;
  /** The newest entry of a run. */
  find(runId: string): Promise<JournalEntry | undefined>;
  /** Entries without an ending, newest first. */
  unfinished(): Promise<readonly JournalEntry[]>;
  /** @throws Error ENOENT */
  readBlob(runId: string, name: string): Promise<Uint8Array>;
  /** Removes the oldest entries beyond the limits. Keeps the newest entry and all entries without an ending. */
  prune(limits: JournalLimits): Promise<void>;
}
