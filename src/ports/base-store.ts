/** The last state of an instance on which both sides agreed: hashes, never values. */
export interface BaseState {
  /** Scripts: the `studioHash` of the text. */
  readonly source?: string;
  /** A fingerprint for each compared property. */
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * The last agreed state per place, by the key of the instance (`sync/base/base-keys.ts`). Stored outside the workspace. Updates are
 * atomic, also in a crash; several processes may update one place.
 */
export interface BaseStore {
  /** Empty if nothing is stored or the stored state cannot be read. */
  load(place: string): Promise<ReadonlyMap<string, BaseState>>;
  /** Adds or replaces the given keys, and removes those with `undefined`. All other keys keep their current state. */
  update(place: string, changed: ReadonlyMap<string, BaseState | undefined>): Promise<void>;
  /** Removes the state of every place. */
  clear(): Promise<void>;
}
