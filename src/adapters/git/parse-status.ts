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

/** Iterates over the records of the output of a command with `-z`. Returns no array, because a repository may have a million files. */
export function* recordsOf(output: string): Generator<string> {
  for (let start = 0; start < output.length;) {
    const found = output.indexOf('\0', start);
    const end = found < 0 ? output.length : found;
    yield output.slice(start, end);
    start = end + 1;
  }
}

/** Parses the output of `git status --porcelain=v2 -z --no-renames`. */
export function* parseStatus(output: string): Generator<StatusEntry> {
  for (const record of recordsOf(output)) {
    const path = (fields: number): string => record.split(' ').slice(fields).join(' ');
    const field = (index: number): string => record.split(' ')[index] ?? '';
    const blobs = (...indexes: readonly number[]): readonly string[] =>
      Array.from(new Set(indexes.map(field).filter(id => !NOTHING.test(id))));
    const isSubmodule = field(2).startsWith('S');
    switch (record[0]) {
      case '1':
        yield { kind: 'changed', path: path(8), isSubmodule, blobs: isSubmodule ? [] : blobs(6, 7) };
        break;
      case 'u':
        // During a merge, the sides "ours" (`HEAD`) and "theirs".
        yield { kind: 'changed', path: path(10), isSubmodule, blobs: isSubmodule ? [] : blobs(8, 9) };
        break;
      case '?':
        yield { kind: 'untracked', path: path(1) };
        break;
      case '!':
        yield { kind: 'ignored', path: path(1) };
        break;
      // A header.
      default:
    }
  }
}
