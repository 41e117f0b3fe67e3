import { shortHash } from './frames.ts';

/** Identifies a text by 52 bits of its hash, which a number holds exactly. */
export const keyOf = (text: string): number => keyOfHash(shortHash(text));
/** Like `keyOf`, for a text that is already a hash of at least 13 hex digits. */
export const keyOfHash = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);

const INITIAL_ROWS = 64;

/**
 * Rows of numbers below 2^32 by their keys, in the order of insertion. Outside the heap of V8: a journal has tens of thousands of entries
 * and blobs, and objects for them would take ten times the memory and slow down garbage collection.
 */
export class RowTable {
  readonly #width: number;
  #keys = new Float64Array(INITIAL_ROWS);
  #values: Uint32Array;
  /** A hash table of row numbers, from 1; 0 is free. At most half full, its size is a power of two. */
  #slots = new Uint32Array(2 * INITIAL_ROWS);
  #size = 0;

  /** @param width numbers per row */
  constructor(width: number) {
    this.#width = width;
    this.#values = new Uint32Array(width * INITIAL_ROWS);
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the row, from 0. */
  find(key: number): number | undefined {
    const row = this.#slots[this.#slotOf(key)] ?? 0;
    return row === 0 ? undefined : row - 1;
  }

  /** Adds a row, or replaces the one with this key. Returns its number. */
  put(key: number, ...values: readonly number[]): number {
    const known = this.find(key);
    const row = known ?? this.#size;
    if (known === undefined) {
      if (row === this.#keys.length) this.#grow();
      this.#size += 1;
      this.#keys[row] = key;
      if (2 * this.#size > this.#slots.length) this.#rehash();
      else this.#slots[this.#slotOf(key)] = row + 1;
    }
    this.#values.set(values, row * this.#width);
    return row;
  }

  at(row: number, column: number): number {
    return this.#values[row * this.#width + column] ?? 0;
  }

  write(row: number, column: number, value: number): void {
    this.#values[row * this.#width + column] = value;
  }

  keyAt(row: number): number {
    return this.#keys[row] ?? 0;
  }

  /** The slot with the key, or the free one for it. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    for (let slot = key % slots.length; ; slot = (slot + 1) % slots.length) {
      const row = slots[slot] ?? 0;
      if (row === 0 || this.#keys[row - 1] === key) return slot;
    }
  }

  #grow(): void {
    const rows = Math.ceil(this.#keys.length * 1.5);
    const keys = new Float64Array(rows);
    keys.set(this.#keys);
    const values = new Uint32Array(rows * this.#width);
    values.set(this.#values);
    [this.#keys, this.#values] = [keys, values];
  }

  #rehash(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let row = 0; row < this.#size; row += 1) this.#slots[this.#slotOf(this.keyAt(row))] = row + 1;
  }
}
