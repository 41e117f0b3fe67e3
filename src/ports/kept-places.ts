/** The content of a place that was open in headless Studio when its window closed. */
export interface KeptPlace {
  /** The absolute path of the place file that was open. */
  readonly place: string;
  /** The absolute path of the file with its content, in the same format. */
  readonly file: string;
}

/** Keeps the content of open places while their window is closed. */
export interface KeptPlaces {
  keep(place: string, bytes: Uint8Array): Promise<void>;
  /** The newest one first. */
  list(): Promise<readonly KeptPlace[]>;
  remove(kept: KeptPlace): Promise<void>;
}
