/** One recorded run. */
export interface JournalEntry {
  readonly runId: string;
  /** The value passed to `append`; `undefined` if it is damaged. */
  readonly record: unknown;
  /** Notes added during the run, oldest first. */
  readonly notes: readonly unknown[];
  /** The value passed to `finish`; `null` if it is damaged, `undefined` for a run that is in progress or was interrupted. */
  readonly ending: unknown;
  /** Where the journal is damaged so that parts of this entry are missing or may be. Then nothing of it may be recovered. */
  readonly damage?: string;
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
  /**
   * Resolves once the record and its blobs are flushed to disk. `record` must be JSON. Pass `ending` for a record that is already complete.
   *
   * @param blobs bytes by name; `keepBlobs` and `findBlob` know those that are named by their git blob ids
   * @param endBytes disk space to reserve until the ending is recorded: for the notes and the ending, on a full disk too; 64 KB are added
   */
  append(
    runId: string,
    record: unknown,
    blobs: ReadonlyMap<string, Uint8Array>,
    ending?: unknown,
    endBytes?: number,
  ): Promise<void>;
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
  /** Where the journal has something that is not an entry, each as a path and a position. It is never deleted silently. */
  damage(): Promise<readonly string[]>;
  /** @throws Error ENOENT, or another one for damaged content */
  readBlob(runId: string, name: string): Promise<Uint8Array>;
  /** Those of `ids` (git blob ids) that the journal has. Pruning passes their texts to the store of base texts before it removes them. */
  keepBlobs(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The bytes of the newest blob with this git blob id, unchecked; `undefined` if there is none or it is damaged. */
  findBlob(id: string): Promise<Uint8Array | undefined>;
  /**
   * Removes the oldest entries beyond the limits, some entries at a time. Keeps the newest entry and all entries without an ending; age
   * alone removes none of the newest 50 entries, because the clock may be wrong.
   */
  prune(limits: JournalLimits): Promise<void>;
}
