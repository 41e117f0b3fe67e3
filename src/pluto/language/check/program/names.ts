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
  #seen: Set<Versioned> | undefined;
  /** The dependency that was recorded last: the same one is often recorded repeatedly. */
  #last: Versioned | undefined;

  /** Runs `compute` and records its dependencies. Dependencies of a nested computation are not added to the outer one. */
  run<T>(compute: () => T): { readonly value: T; readonly seen: readonly Versioned[] } {
    const outer = this.#seen;
    const seen = new Set<Versioned>();
    this.#seen = seen;
    this.#last = undefined;
    try {
      const value = compute();
      return { value, seen: Array.from(seen) };
    } finally {
      this.#seen = outer;
      this.#last = undefined;
    }
  }

  see(thing: Versioned): void {
    if (thing === this.#last) return;
    this.#last = thing;
    this.#seen?.add(thing);
  }
}
