import { isInInnerRoot, type OpenRoot, type UncoveredPart } from '../scope/open-scope.ts';
import type { PathFilter } from './path-filter.ts';

/** Counts the files that a search skips because of their size. The count is incomplete if the search was ended early. */
export class LargeFiles {
  readonly #roots: readonly OpenRoot[];
  readonly #filter: PathFilter;
  readonly #counts = new Map<string, number>();

  /** @param roots the searched roots, in the order of the request */
  constructor(roots: readonly OpenRoot[], filter: PathFilter) {
    this.#roots = roots;
    this.#filter = filter;
  }

  readonly add = (folder: number, path: string): void => {
    const root = this.#roots[folder];
    if (root === undefined || !this.#filter.matches(path) || isInInnerRoot(root, path)) return;
    this.#counts.set(root.id, (this.#counts.get(root.id) ?? 0) + 1);
  };

  get skipped(): readonly UncoveredPart[] {
    return this.#roots.flatMap(({ id }): readonly UncoveredPart[] => {
      const count = this.#counts.get(id);
      return count === undefined ? [] : [{ root: id, reason: 'FILE_TOO_LARGE', count }];
    });
  }
}
