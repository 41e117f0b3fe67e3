import type { FileKinds } from '../file-kinds/file-kinds.ts';

/** The names in use in a folder. Ignores case and Unicode composition, as macOS and Windows do. */
export class TakenNames {
  readonly #kinds: FileKinds;
  readonly #names = new Counter();
  readonly #metaBases = new Counter();
  readonly #scriptBases = new Counter();
  /** The next number to try for a base name, so that many instances with the same name take linear time. */
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

  /** Whether a file would share its meta file with a file with that base name. */
  hasFileOf(base: string): boolean {
    return this.#metaBases.has(normalizeForCollision(base));
  }

  /** Whether a script has that base name; `init` means the script of the folder. */
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

  /** @param use what distinguishes files with the same base name: suffix, meta file */
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

/** Normalizes a name, so that names that collide on some file system become equal. */
export const normalizeForCollision = (name: string): string => name.normalize('NFC').toLowerCase();
