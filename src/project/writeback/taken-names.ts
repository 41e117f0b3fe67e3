import type { FileKinds } from '../file-kinds/file-kinds.ts';

/** The names in use in a folder; case and Unicode composition are ignored, as macOS and Windows do. */
export class TakenNames {
  readonly #kinds: FileKinds;
  readonly #names = new Counter();
  readonly #metaBases = new Counter();
  readonly #scriptBases = new Counter();
  /** Numbers to try next for a base, so that many instances with the same name take linear time. */
  readonly #nextNumbers = new Map<string, number>();

  constructor(kinds: FileKinds, names: Iterable<string>) {
    this.#kinds = kinds;
    for (const name of names) this.add(name);
  }

  get isEmpty(): boolean {
    return this.#names.isEmpty;
  }

  has(name: string): boolean {
    return this.#names.has(normalizeForCollision(name));
  }

  /** Whether some file would share a meta file with one of that base. */
  hasFileOf(base: string): boolean {
    return this.#metaBases.has(normalizeForCollision(base));
  }

  /** Whether some script has that base: a file of its own, or with `init` the folder itself. */
  hasScriptOf(base: string): boolean {
    return this.#scriptBases.has(normalizeForCollision(base));
  }

  add(name: string): void {
    const key = normalizeForCollision(name);
    this.#names.add(key);
    for (const base of this.#kinds.metaBasesOf(key)) this.#metaBases.add(base);
    for (const base of this.#kinds.scriptBasesOf(key)) this.#scriptBases.add(base);
  }

  delete(name: string): void {
    const key = normalizeForCollision(name);
    this.#names.delete(key);
    for (const base of this.#kinds.metaBasesOf(key)) this.#metaBases.delete(base);
    for (const base of this.#kinds.scriptBasesOf(key)) this.#scriptBases.delete(base);
    this.#nextNumbers.clear();
  }

  /** @param use what tells apart files of the same name: suffix, meta file */
  nextNumber(name: string, use: string): number {
    return this.#nextNumbers.get(`${use}\0${name}`) ?? 2;
  }

  setNextNumber(name: string, use: string, number: number): void {
    this.#nextNumbers.set(`${use}\0${name}`, number);
  }
}

class Counter {
  readonly #counts = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  has(key: string): boolean {
    return this.#counts.has(key);
  }

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  delete(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** Gives names that some file system cannot tell apart the same form. */
export const normalizeForCollision = (name: string): string => name.normalize('NFC').toLowerCase();
