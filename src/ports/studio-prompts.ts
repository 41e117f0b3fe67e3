import type { StudioDialect } from '../protocol/studio/messages.ts';

/** A Studio that cannot prove a key, as it describes itself. Not verified. */
export interface UnpairedStudio {
  readonly dialect: StudioDialect;
  /** Name or number of its place; `undefined` if the plugin does not report one. */
  readonly place: string | undefined;
}

/** Questions about Studios to a person. */
export interface StudioPrompts {
  /** Resolves with `undefined` if the person dismisses the question. `always` is remembered by `isAlwaysAllowed`. */
  allowUnpaired(studio: UnpairedStudio): Promise<'once' | 'always' | 'block' | undefined>;
  isAlwaysAllowed(studio: UnpairedStudio): boolean;
}
