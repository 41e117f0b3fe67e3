/** A secret that a Studio and this machine share. */
export interface StudioKey {
  /** 16 lower-case hex digits. Not secret. */
  readonly id: string;
  /** 256 bits as 64 lower-case hex digits. Never sent. */
  readonly secret: string;
}

export interface StudioKeyring {
  /** Identifies this machine, so that a plugin keeps one key for each machine. 16 lower-case hex digits. */
  readonly machine: string;
  /** The key of the plugins that this machine installs, and of headless Studio. */
  readonly installed: StudioKey;
  /** Keys of plugins that were paired by a code, oldest first. */
  readonly paired: readonly StudioKey[];
}

/** The keys of Studio plugins, which only the user can read. */
export interface StudioKeys {
  /** Creates the keys on first use. Every call returns the current keys, because other programs may change them. */
  read(): Promise<StudioKeyring>;
  /** Adds the key of a paired plugin. Forgets the oldest one above the limit. */
  addPaired(key: StudioKey): Promise<void>;
  /** Replaces the installed key and forgets all paired keys. */
  rotate(): Promise<StudioKeyring>;
}
