/** What both sides held of one instance when they last agreed: hashes, never values. */
export interface BaseState {
  /** Scripts: the `studioHash` of the text. */
  readonly source?: string;
  /** A fingerprint for each compared property. */
  readonly properties: Readonly<Record<string, string>>;
}

/**
 * The last agreed state per place, by the key of the instance (`sync/base/base-keys.ts`). It lives beside the workspace, never in
 * it. A crash loses an update or keeps it whole; several processes may update one place.
 */
export interface BaseStore {
  /** Empty when nothing is known, also when what was kept cannot be read. */
  load(place: string): Promise<ReadonlyMap<string, BaseState>>;
  /** Adds, replaces, and forgets (`undefined`); every other key stays as it is by then. */
  update(place: string, changed: ReadonlyMap<string, BaseState | undefined>): Promise<void>;
  /** Forgets everything of every place. */
  clear(): Promise<void>;
}
