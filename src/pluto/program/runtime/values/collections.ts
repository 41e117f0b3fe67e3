import type { ByteText } from './byte-text.ts';
import { textOfBytes } from './byte-text.ts';
import { type Byte, byteOf } from './byte.ts';
import { isSameKey } from './equality.ts';
import { fail } from './failures.ts';
import { HashTable } from './hash-table.ts';

/** Bytes per element while the engine copies a list into a block that is half as large again. */
const BYTES_PER_ELEMENT = 36;
let maxElements = Number.POSITIVE_INFINITY;

/** Lets lists fail before they need more memory than there is, because the engine ends the whole process then. */
export function limitLists(heapBytes: number): void {
  maxElements = heapBytes / BYTES_PER_ELEMENT;
}

/** `[T]`. Its methods have their Pluto names. */
export class List<T = unknown> {
  readonly items: T[];

  /** Takes ownership of `items`. */
  constructor(items: T[] = []) {
    this.items = items;
  }

  /** `a[i]`. @throws Failure */
  getAt(index: bigint): T {
    return this.items[this.#inside(index)] as T;
  }

  /** `a[i] = v`. @throws Failure */
  setAt(index: bigint, value: T): void {
    this.items[this.#inside(index)] = value;
  }

  /** `a[i]` for an index in a variable. @throws Failure */
  $at(index: number | bigint): T {
    return typeof index === 'number' && index >= 0 && index < this.items.length
      ? (this.items[index] as T)
      : this.getAt(BigInt(index));
  }

  /** `a[i] = v` for an index in a variable. @throws Failure */
  $put(index: number | bigint, value: T): void {
    if (typeof index === 'number' && index >= 0 && index < this.items.length) this.items[index] = value;
    else this.setAt(BigInt(index), value);
  }

  len(): bigint {
    return BigInt(this.items.length);
  }

  is_empty(): boolean {
    return this.items.length === 0;
  }

  push(value: T): void {
    const { length } = this.items;
    // Between two powers of two, the block grows twice.
    if (length > maxElements && (length & (length - 1)) === 0) fail('pluto: out of memory: a list is too long');
    this.items.push(value);
  }

  pop(): T {
    if (this.items.length === 0) fail('pluto: pop from empty array');
    return this.items.pop() as T;
  }

  first(): T {
    if (this.items.length === 0) fail('pluto: first() on empty array');
    return this.items[0] as T;
  }

  last(): T {
    if (this.items.length === 0) fail('pluto: last() on empty array');
    return this.items.at(-1) as T;
  }

  clear(): void {
    this.items.length = 0;
  }

  reverse(): void {
    this.items.reverse();
  }

  remove_at(index: bigint): T {
    const at = this.#inside(index, 'array remove_at');
    // Removing the first element is common, and `shift` is much faster than `splice`.
    return (at === 0 ? this.items.shift() : this.items.splice(at, 1)[0]) as T;
  }

  insert_at(index: bigint, value: T): void {
    const length = this.items.length;
    if (index < 0n || index > length)
      fail(`pluto: array insert_at index out of bounds: index ${index}, length ${length}`);
    this.items.splice(Number(index), 0, value);
  }

  slice(start: bigint, end: bigint): List<T> {
    const length = this.items.length;
    return new List(this.items.slice(clamp(start, length), Math.max(clamp(start, length), clamp(end, length))));
  }

  contains(value: T): boolean {
    return this.items.some(item => isSameKey(item, value));
  }

  index_of(value: T): bigint {
    return BigInt(this.items.findIndex(item => isSameKey(item, value)));
  }

  #inside(index: bigint, what = 'array'): number {
    return placeInside(index, this.items.length, what);
  }
}

/** @throws Failure */
export function placeInside(index: bigint, length: number, what: string): number {
  const place = Number(index);
  if (place < 0 || place >= length) fail(`pluto: ${what} index out of bounds: index ${index}, length ${length}`);
  return place;
}

const clamp = (index: bigint, length: number): number => Math.min(Math.max(Number(index), 0), length);

/** `Map<K, V>`; keys are compared by `isSameKey`. */
export class PlutoMap {
  readonly #table = new HashTable<unknown>();

  constructor(entries: Iterable<readonly [key: unknown, value: unknown]> = []) {
    for (const [key, value] of entries) this.#table.put(key, value);
  }

  /** In iteration order. */
  entries(): readonly (readonly [key: unknown, value: unknown])[] {
    return this.#table.entries().map(({ key, value }) => [key, value]);
  }

  /** `m[k]`. @throws Failure */
  getAt(key: unknown): unknown {
    const slot = this.#table.find(key);
    return slot === undefined ? fail('pluto: map key not found') : slot.value;
  }

  /** `m[k] = v` */
  setAt(key: unknown, value: unknown): void {
    this.#table.put(key, value);
  }

  len(): bigint {
    return BigInt(this.#table.size);
  }

  contains(key: unknown): boolean {
    return this.#table.find(key) !== undefined;
  }

  insert(key: unknown, value: unknown): void {
    this.#table.put(key, value);
  }

  remove(key: unknown): void {
    this.#table.remove(key);
  }

  keys(): List {
    return new List(this.#table.entries().map(({ key }) => key));
  }

  values(): List {
    return new List(this.#table.entries().map(({ value }) => value));
  }
}

/** `Set<T>` */
export class PlutoSet {
  readonly #table = new HashTable<true>();

  constructor(elements: Iterable<unknown> = []) {
    for (const element of elements) this.#table.put(element, true);
  }

  len(): bigint {
    return BigInt(this.#table.size);
  }

  contains(element: unknown): boolean {
    return this.#table.find(element) !== undefined;
  }

  insert(element: unknown): void {
    this.#table.put(element, true);
  }

  remove(element: unknown): void {
    this.#table.remove(element);
  }

  to_array(): List {
    return new List(this.#table.entries().map(({ key }) => key));
  }
}

/** `bytes` */
export class Bytes {
  readonly items: number[];

  /** Takes ownership of `items`, each 0 to 255. */
  constructor(items: number[] = []) {
    this.items = items;
  }

  /** `b[i]`. @throws Failure */
  getAt(index: bigint): Byte {
    return byteOf(this.items[placeInside(index, this.items.length, 'bytes')] ?? 0);
  }

  /** `b[i] = v`. @throws Failure */
  setAt(index: bigint, value: Byte): void {
    this.items[placeInside(index, this.items.length, 'bytes')] = value.value;
  }

  len(): bigint {
    return BigInt(this.items.length);
  }

  push(value: Byte): void {
    this.items.push(value.value);
  }

  to_string(): ByteText {
    return textOfBytes(Uint8Array.from(this.items));
  }
}
