/** One line of `git status --porcelain=v2`. Paths start at the root of the repository; a folder ends in `/`. */
export type StatusEntry =
  | {
      readonly kind: 'changed';
      readonly path: string;
      readonly isSubmodule: boolean;
      /** Blob ids of `HEAD` and index, without duplicates; none if there is no file. */
      readonly blobs: readonly string[];
    }
  | { readonly kind: 'untracked' | 'ignored'; readonly path: string };

const NOTHING = /^0+$/;

/** @param output of `git status --porcelain=v2 -z --no-renames` */
export function parseStatus(output: string): readonly StatusEntry[] {
  return output.split('\0').flatMap((record): readonly StatusEntry[] => {
    const path = (fields: number): string => record.split(' ').slice(fields).join(' ');
    const field = (index: number): string => record.split(' ')[index] ?? '';
    const blobs = (...indexes: readonly number[]): readonly string[] =>
      Array.from(new Set(indexes.map(field).filter(id => !NOTHING.test(id))));
    const isSubmodule = field(2).startsWith('S');
    switch (record[0]) {
      case '1':
        return [{ kind: 'changed', path: path(8), isSubmodule, blobs: isSubmodule ? [] : blobs(6, 7) }];
      case 'u':
        // During a merge, the side of `HEAD` and the other one.
        return [{ kind: 'changed', path: path(10), isSubmodule, blobs: isSubmodule ? [] : blobs(8, 9) }];
      case '?':
        return [{ kind: 'untracked', path: path(1) }];
      case '!':
        return [{ kind: 'ignored', path: path(1) }];
      default:
        return [];
    }
  });
}
