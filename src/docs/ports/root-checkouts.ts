import type { RootDefinition } from '../../protocol/roots.ts';

/** The current location of a root's files. */
export type Checkout =
  | {
      readonly kind: 'present';
      /** Absolute, with links resolved; includes the root's `subdir`. */
      readonly folder: string;
      /** The commit of the files; `undefined` for a local root. */
      readonly commit: string | undefined;
    }
  | {
      readonly kind: 'absent';
      readonly code: 'ROOT_NOT_SYNCED' | 'ROOT_UNAVAILABLE' | 'ROOT_CACHE_MISMATCH';
      /** The reason without absolute paths; completes "the root cannot be read: …". */
      readonly reason: string;
      /** The reason code, if the absence makes the configuration invalid. */
      readonly problem?: 'ROOT_NOT_FOUND' | 'ROOT_NOT_DIRECTORY' | 'ROOT_NOT_READABLE';
    };

/** Finds the files of roots. Only reads the disk: never runs git, uses the network or writes. */
export interface RootCheckouts {
  /**
   * Finds the files of a root. For a git root, returns the tree of its last successful sync (`current.json`, read once per call), so the
   * caller sees one commit only, even if a sync runs in the meantime.
   *
   * @param cache the cache folder; `undefined` if none is configured
   */
  locate(root: RootDefinition, cache: string | undefined): Promise<Checkout>;
  /**
   * Whether any of these files differs from the served commit or does not belong to it. `false` for a local root.
   *
   * @param commit the commit that `locate` returned
   * @param paths relative to the root's `subdir`
   */
  isChanged(
    root: RootDefinition,
    cache: string | undefined,
    commit: string,
    paths: readonly string[],
  ): Promise<boolean>;
}
