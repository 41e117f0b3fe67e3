import { hashOf, isSameKey } from './equality.ts';

const MIN_CAPACITY = 8;

/** A key with its value. */
interface Slot<V> {
  readonly key: unknown;
  readonly hash: number;
  value: V;
}

/**
 * A hash table with open addressing and linear probing. Programs can observe the order of the slots. The table grows before an insertion
 * that finds it three quarters full. Removal closes the gap.
 */
export class HashTable<V> {
  #slots: (Slot<V> | undefined)[] = empty(MIN_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** In the order of the slots. */
  entries(): readonly Slot<V>[] {
    return this.#slots.filter(slot => slot !== undefined);
  }

  find(key: unknown): Slot<V> | undefined {
    return this.#slots[this.#place(key, hashOf(key))];
  }

  put(key: unknown, value: V): void {
    if (this.#size * 4 >= this.#slots.length * 3) this.#grow();
    const hash = hashOf(key);
    const place = this.#place(key, hash);
    const slot = this.#slots[place];
    if (slot !== undefined) {
      slot.value = value;
      return;
    }
    this.#slots[place] = { key, hash, value };
    this.#size += 1;
  }

  remove(key: unknown): void {
    const mask = this.#slots.length - 1;
    let gap = this.#place(key, hashOf(key));
    if (this.#slots[gap] === undefined) return;
    this.#size -= 1;
    for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
      const slot = this.#slots[at];
      if (slot === undefined) break;
      // The entry moves back unless its home slot is between the gap and its current slot.
      if (((at - (slot.hash & mask)) & mask) < ((at - gap) & mask)) continue;
      this.#slots[gap] = slot;
      gap = at;
    }
    this.#slots[gap] = undefined;
  }

  /** The slot of the key, or the slot for its insertion. */
  #place(key: unknown, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = this.#slots[at];
      if (slot === undefined || (slot.hash === hash && isSameKey(slot.key, key))) return at;
    }
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = empty(before.length * 2);
    for (const slot of before) if (slot !== undefined) this.#slots[this.#place(slot.key, slot.hash)] = slot;
  }
}

function empty<V>(capacity: number): (Slot<V> | undefined)[] {
  const slots: (Slot<V> | undefined)[] = [];
  slots.length = capacity;
  // Several times faster than `Array.from`.
  return slots.fill(undefined);
}
