import type { CompactInt } from './compact-ints.ts';
import { hashOf, hashOfInt, isSameKey } from './equality.ts';
import { requireSpace } from './space.ts';

const MIN_CAPACITY = 8;
export const TOO_LARGE = 'a map or set is too large';

/**
 * A hash table with open addressing and linear probing. Programs can observe the order of the slots. The table grows before an insertion
 * that finds it three quarters full. Removal closes the gap. Keys, hashes and values are in separate arrays, because an object for each slot
 * would take most of the time of a large table.
 */
export class HashTable<V> {
  /** `undefined` in an empty slot; no key is `undefined`. */
  #keys: unknown[] = empty(MIN_CAPACITY);
  #values: (V | undefined)[] = empty(MIN_CAPACITY);
  #hashes = new Uint32Array(MIN_CAPACITY);
  #size = 0;
  /** Whether numbers are ints. Others are floats. */
  readonly hasInts: boolean;

  constructor(hasInts: boolean) {
    this.hasInts = hasInts;
  }

  get size(): number {
    return this.#size;
  }

  /** In the order of the slots. */
  keys(): unknown[] {
    return this.#keys.filter(key => key !== undefined);
  }

  /** In the order of the slots. */
  values(): V[] {
    return this.#values.filter((_, slot) => this.#keys[slot] !== undefined) as V[];
  }

  /** The slot of a key; -1 if it has none. */
  find(key: unknown): number {
    return this.#filled(this.#place(key, this.#hashOf(key)));
  }

  /** The slot of an int; -1 if it has none. */
  findInt(key: CompactInt): number {
    return typeof key === 'number' ? this.#filled(this.#place(key, hashOfInt(key))) : this.find(key);
  }

  #hashOf(key: unknown): number {
    return this.hasInts && typeof key === 'number' ? hashOfInt(key) : hashOf(key);
  }

  #filled(slot: number): number {
    return this.#keys[slot] === undefined ? -1 : slot;
  }

  /** @param slot from `find` */
  valueIn(slot: number): V {
    return this.#values[slot] as V;
  }

  put(key: unknown, value: V): void {
    this.#set(key, this.#hashOf(key), value);
  }

  putInt(key: CompactInt, value: V): void {
    this.#set(key, typeof key === 'number' ? hashOfInt(key) : hashOf(key), value);
  }

  #set(key: unknown, hash: number, value: V): void {
    if (this.#size * 4 >= this.#keys.length * 3) this.#grow();
    const slot = this.#place(key, hash);
    this.#values[slot] = value;
    if (this.#keys[slot] !== undefined) return;
    this.#keys[slot] = key;
    this.#hashes[slot] = hash;
    this.#size += 1;
  }

  remove(key: unknown): void {
    const mask = this.#keys.length - 1;
    let gap = this.find(key);
    if (gap < 0) return;
    this.#size -= 1;
    for (let at = (gap + 1) & mask; this.#keys[at] !== undefined; at = (at + 1) & mask) {
      const hash = this.#hashes[at] ?? 0;
      // The entry moves back unless its home slot is between the gap and its current slot.
      if (((at - (hash & mask)) & mask) < ((at - gap) & mask)) continue;
      this.#keys[gap] = this.#keys[at];
      this.#values[gap] = this.#values[at];
      this.#hashes[gap] = hash;
      gap = at;
    }
    this.#keys[gap] = undefined;
    this.#values[gap] = undefined;
  }

  /** The slot of the key, or the slot for its insertion. */
  #place(key: unknown, hash: number): number {
    const mask = this.#keys.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const other = this.#keys[at];
      if (other === undefined || (this.#hashes[at] === hash && isSameKey(other, key))) return at;
    }
  }

  #grow(): void {
    const [keys, values, hashes] = [this.#keys, this.#values, this.#hashes];
    const capacity = keys.length * 2;
    requireSpace(keys.length, TOO_LARGE);
    this.#keys = empty(capacity);
    this.#values = empty(capacity);
    this.#hashes = new Uint32Array(capacity);
    for (let from = 0; from < keys.length; from += 1) {
      if (keys[from] === undefined) continue;
      const hash = hashes[from] ?? 0;
      let at = hash & (capacity - 1);
      while (this.#keys[at] !== undefined) at = (at + 1) & (capacity - 1);
      this.#keys[at] = keys[from];
      this.#values[at] = values[from];
      this.#hashes[at] = hash;
    }
  }
}

function empty<T>(capacity: number): (T | undefined)[] {
  const slots: (T | undefined)[] = [];
  slots.length = capacity;
  // Several times faster than `Array.from`.
  return slots.fill(undefined);
}
