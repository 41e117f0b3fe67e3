import { childKey } from './base-keys.ts';

/** An instance with different names on disk and in Studio. */
export interface RenamedKey {
  /** Its key in the tree, which ends with its name on disk. */
  readonly key: string;
  readonly nameInStudio: string;
}

/** Finds the base of instances that were renamed since it was learned, and of their descendants. */
export class RenamedKeys {
  readonly #baseKeys = new Map<string, string>();
  readonly #movedOn = new Map<string, 'disk' | 'studio'>();

  /** @param isKnown whether the base has a state with that key */
  constructor(renamed: readonly RenamedKey[], isKnown: (key: string) => boolean) {
    // The key of a child depends on that of its parent.
    for (const { key, nameInStudio } of renamed.toSorted((a, b) => a.key.split('/').length - b.key.split('/').length)) {
      const end = key.lastIndexOf('/');
      const parent = end < 0 ? '' : this.toBase(key.slice(0, end));
      const last = key.slice(end + 1);
      const byDisk = parent === '' ? last : `${parent}/${last}`;
      const byStudio = childKey(parent, nameInStudio);
      const [hasDiskName, hasStudioName] = [isKnown(byDisk), isKnown(byStudio)];
      this.#baseKeys.set(key, hasStudioName && !hasDiskName ? byStudio : byDisk);
      if (hasDiskName !== hasStudioName) this.#movedOn.set(key, hasDiskName ? 'studio' : 'disk');
    }
  }

  /** The key in the base of an instance with that key in the tree. */
  toBase(key: string): string {
    if (this.#baseKeys.size === 0) return key;
    for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
      const base = this.#baseKeys.get(key.slice(0, end));
      if (base !== undefined) return base + key.slice(end);
    }
    return key;
  }

  /** The side that gave the instance another name since the base; `undefined` if that is not known. */
  movedOn(key: string): 'disk' | 'studio' | undefined {
    return this.#movedOn.get(key);
  }

  /** Whether a key of the base belongs to a renamed instance or one below it. */
  isBaseKey(key: string): boolean {
    return Array.from(this.#baseKeys.values()).some(base => key === base || key.startsWith(`${base}/`));
  }
}
