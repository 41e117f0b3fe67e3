import type { RootDefinition } from '../../protocol/roots.ts';

/** Where a root's files are at this moment. */
export type Checkout =
  | {
      readonly kind: 'present';
      /** Absolute, links followed; the root's `subdir` is part of it. */
      readonly folder: string;
      /** The commit that the files are of; `undefined` for a local root. */
      readonly commit: string | undefined;
    }
  | {
      readonly kind: 'absent';
      readonly code: 'ROOT_NOT_SYNCED' | 'ROOT_UNAVAILABLE' | 'ROOT_CACHE_MISMATCH';
      /** In words, without absolute paths; completes "the root cannot be read: …". */
      readonly reason: string;
      /** What it is called where it makes a configuration invalid. */
      readonly problem?: 'ROOT_NOT_FOUND' | 'ROOT_NOT_DIRECTORY' | 'ROOT_NOT_READABLE';
    };

/** Finds the files of roots. Reads the disk and nothing else: never runs git, never touches the network, never writes. */
export interface RootCheckouts {
  /**
   * A git root answers with the tree that its last good sync left (`current.json`, read once per call), so that whoever holds the
   * answer sees one commit only, whatever is synced meanwhile.
   *
   * @param cache the cache root; `undefined` when none is configured
   */
  locate(root: RootDefinition, cache: string | undefined): Promise<Checkout>;
  /**
   * Whether any of these files is other than the served commit has it: changed, or none of it. `false` for a local root.
   *
   * @param commit what `locate` answered
   * @param paths relative to the root's `subdir`
   */
  isChanged(
    root: RootDefinition,
    cache: string | undefined,
    commit: string,
    paths: readonly string[],
  ): Promise<boolean>;
}
