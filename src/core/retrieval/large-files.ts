import { isLeftOut, type OpenRoot, type Skipped } from './open-scope.ts';
import type { PathFilter } from './path-filter.ts';

/** Counts the files that a search passes over for their size. Say so only where the search was not cut short: else it is chance. */
export class LargeFiles {
  readonly #filter: PathFilter;
  /** By root; of its newest search. */
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(filter: PathFilter) {
    this.#filter = filter;
  }

  /** A listener for a search of the folders of these roots. */
  of(roots: readonly OpenRoot[]): (folder: number, path: string) => void {
    // What a search that was given up still says is heard by nobody.
    const counts = new Map<string, number>();
    for (const root of roots) this.#counts.set(root.id, counts);
    return (folder, path) => {
      const root = roots[folder];
      if (root === undefined || !this.#filter.fits(path) || isLeftOut(root, path)) return;
      counts.set(root.id, (counts.get(root.id) ?? 0) + 1);
    };
  }

  skipped(roots: readonly OpenRoot[]): readonly Skipped[] {
    return roots.flatMap(({ id }): readonly Skipped[] => {
      const count = this.#counts.get(id)?.get(id);
      return count === undefined ? [] : [{ root: id, reason: 'FILE_TOO_LARGE', count }];
    });
  }
}
