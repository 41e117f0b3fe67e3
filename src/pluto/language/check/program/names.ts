import type { ProjectPath } from '../../../../base/brand.ts';
import type { DeclSymbol, Versioned } from '../types/type.ts';

/** All declarations of one name in one folder, sorted by file, then by place. */
export class Slot implements Versioned {
  symbols: readonly DeclSymbol[] = [];
  changedAt = 0;
}

/** The names that the files of one folder declare. */
export class FolderNames {
  readonly path: ProjectPath;
  readonly #slots = new Map<string, Slot>();

  constructor(path: ProjectPath) {
    this.path = path;
  }

  /** The slot of a name; empty for an undeclared name, so that a later declaration is noticed. */
  slot(name: string): Slot {
    let slot = this.#slots.get(name);
    if (slot === undefined) this.#slots.set(name, (slot = new Slot()));
    return slot;
  }

  slots(): Iterable<readonly [string, Slot]> {
    return this.#slots;
  }
}

/** Records the dependencies of computations, so that they run again only when a dependency has changed. */
export class Tracker {
  #seen: Versioned[] | undefined;

  /** Runs `compute` and records its dependencies. Dependencies of a nested computation are not added to the outer one. */
  run<T>(compute: () => T): { readonly value: T; readonly seen: readonly Versioned[] } {
    const outer = this.#seen;
    const seen: Versioned[] = [];
    this.#seen = seen;
    try {
      const value = compute();
      // A copy without spare capacity, because the list is long-lived.
      return { value, seen: seen.slice() };
    } finally {
      this.#seen = outer;
    }
  }

  see(thing: Versioned): void {
    const seen = this.#seen;
    // Fast path: the same dependency is often recorded repeatedly.
    if (seen === undefined || seen.at(-1) === thing || seen.includes(thing)) return;
    seen.push(thing);
  }
}
