import { hashOf, hashOfInt, isSameKey } from './equality.ts';
import { requireSpace } from './space.ts';

const MIN_CAPACITY = 8;

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
  /** Whether the keys are ints, which are kept as numbers if these are safe: bigints are separate objects. */
  #hasInts = false;

  get size(): number {
    return this.#size;
  }

  /** In the order of the slots. */
  keys(): unknown[] {
    const keys = this.#keys.filter(key => key !== undefined);
    return this.#hasInts ? keys.map(key => (typeof key === 'number' ? BigInt(key) : key)) : keys;
  }

  /** In the order of the slots. */
  values(): V[] {
    return this.#values.filter((_, slot) => this.#keys[slot] !== undefined) as V[];
  }

  /** The slot of a key; -1 if it has none. */
  find(key: unknown): number {
    const kept = keptKey(key);
    return this.#filled(this.#place(kept, hashOfKept(key, kept)));
  }

  /** The slot of an int, which is a number if it is safe; -1 if it has none. */
  findInt(key: number | bigint): number {
    return typeof key === 'number' ? this.#filled(this.#place(key, hashOfInt(key))) : this.find(key);
  }

  #filled(slot: number): number {
    return this.#keys[slot] === undefined ? -1 : slot;
  }

  /** @param slot from `find` */
  valueIn(slot: number): V {
    return this.#values[slot] as V;
  }

  put(key: unknown, value: V): void {
    this.#hasInts ||= typeof key === 'bigint';
    const kept = keptKey(key);
    this.#set(kept, hashOfKept(key, kept), value);
  }

  /** @param key a number if it is safe */
  putInt(key: number | bigint, value: V): void {
    this.#hasInts = true;
    this.#set(key, typeof key === 'number' ? hashOfInt(key) : hashOf(key), value);
  }

  #set(kept: unknown, hash: number, value: V): void {
    if (this.#size * 4 >= this.#keys.length * 3) this.#grow();
    const slot = this.#place(kept, hash);
    this.#values[slot] = value;
    if (this.#keys[slot] !== undefined) return;
    this.#keys[slot] = kept;
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
    requireSpace(keys.length, 'a map or set is too large');
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

/** An int as a number, if that is safe. */
function keptKey(key: unknown): unknown {
  if (typeof key !== 'bigint') return key;
  const number = Number(key);
  return Number.isSafeInteger(number) ? number : key;
}

/** The hash of a key; of a safe int without the bigint. */
const hashOfKept = (key: unknown, kept: unknown): number =>
  typeof key === 'bigint' && typeof kept === 'number' ? hashOfInt(kept) : hashOf(key);

function empty<T>(capacity: number): (T | undefined)[] {
  const slots: (T | undefined)[] = [];
  slots.length = capacity;
  // Several times faster than `Array.from`.
  return slots.fill(undefined);
}
