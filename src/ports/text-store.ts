/** A text with its git blob id. The text is read when it is stored. */
export interface TextToStore {
  readonly hash: string;
  readonly text: () => string;
}

/** Texts by their git blob ids, each stored once. Several processes may use one store. */
export interface TextStore {
  /** Stores the texts that the store does not have. A crash stores all texts of a call or none. */
  put(texts: readonly TextToStore[]): Promise<void>;
  /** `undefined` if the text was never stored, was removed, or is damaged. */
  get(hash: string): Promise<string | undefined>;
  /** Those of `hashes` that are not stored. */
  missing(hashes: readonly string[]): Promise<readonly string[]>;
  /**
   * Removes texts until the store takes at most `maxBytes`: first those that are not in `needed`, oldest first.
   *
   * @param needed called only if the store is too large
   */
  prune(maxBytes: number, needed: () => ReadonlySet<string>): Promise<void>;
}
