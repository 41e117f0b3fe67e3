/** Names of a folder that are taken; letters of any case and composition count as one, as on macOS and Windows. */
export class TakenNames {
  readonly #taken: Map<string, number>;

  constructor(names: Iterable<string>) {
    this.#taken = new Map();
    for (const name of names) this.add(name);
  }

  get isEmpty(): boolean {
    return this.#taken.size === 0;
  }

  has(name: string): boolean {
    return this.#taken.has(normalizeForCollision(name));
  }

  /** Whether some file would share a meta file with one of that base. */
  hasFileOf(base: string): boolean {
    const start = `${normalizeForCollision(base)}.`;
    const ending = /^(?:server\.|client\.|plugin\.|local\.|legacy\.)?(?:luau?|json[5c]?|txt|csv|toml|ya?ml)$/;
    return Array.from(this.#taken.keys()).some(name => name.startsWith(start) && ending.test(name.slice(start.length)));
  }

  /** Whether some script has that base: a file of its own, or with `init` the folder itself. */
  hasScriptOf(base: string): boolean {
    const start = `${normalizeForCollision(base)}.`;
    const ending = /^(?:server\.|client\.|plugin\.|local\.|legacy\.)?luau?$/;
    return Array.from(this.#taken.keys()).some(name => name.startsWith(start) && ending.test(name.slice(start.length)));
  }

  add(name: string): void {
    const key = normalizeForCollision(name);
    this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
  }

  delete(name: string): void {
    const key = normalizeForCollision(name);
    const count = (this.#taken.get(key) ?? 0) - 1;
    if (count > 0) this.#taken.set(key, count);
    else this.#taken.delete(key);
  }
}

/** The same for names that some file system takes for one. */
export const normalizeForCollision = (name: string): string => name.normalize('NFC').toLowerCase();
