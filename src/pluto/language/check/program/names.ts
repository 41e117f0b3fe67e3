import type { ProjectPath } from '../../../../base/brand.ts';
import type { DeclSymbol, Versioned } from '../types/type.ts';

/** All declarations of one name in one folder, by file, then by place. */
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

  /** Of a name that nobody declares, an empty one: that nobody does may change too. */
  slot(name: string): Slot {
    let slot = this.#slots.get(name);
    if (slot === undefined) this.#slots.set(name, (slot = new Slot()));
    return slot;
  }

  slots(): Iterable<readonly [string, Slot]> {
    return this.#slots;
  }
}

/** Notes what a computation looks at, so that it need not run again while that stays. */
export class Tracker {
  #seen: Versioned[] | undefined;

  /** What `compute` gave and looked at; what a computation inside of another looks at is its own. */
  run<T>(compute: () => T): { readonly value: T; readonly seen: readonly Versioned[] } {
    const outer = this.#seen;
    const seen: Versioned[] = [];
    this.#seen = seen;
    try {
      const value = compute();
      // Kept for long, so without room to grow.
      return { value, seen: seen.slice() };
    } finally {
      this.#seen = outer;
    }
  }

  see(thing: Versioned): void {
    const seen = this.#seen;
    // What was looked at last is mostly looked at again at once.
    if (seen === undefined || seen.at(-1) === thing || seen.includes(thing)) return;
    seen.push(thing);
  }
}
