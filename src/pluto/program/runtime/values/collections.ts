import type { ByteText } from './byte-text.ts';
import { textOfBytes } from './byte-text.ts';
import { type Byte, byteOf } from './byte.ts';
import type { CompactInt } from './compact-ints.ts';
import { isSameKey } from './equality.ts';
import { fail } from './failures.ts';
import { HashTable } from './hash-table.ts';
import { requireSpace } from './space.ts';

/** The elements of a list that WebAssembly code works on. Indices are inside the list. */
export interface ListStore<T> {
  readonly length: number;
  get(index: number): T;
  set(index: number, value: T): void;
  push(value: T): void;
  /** @param length at most the current one */
  truncate(length: number): void;
  /** Copies `count` elements inside the list; the ranges may overlap. */
  move(to: number, from: number, count: number): void;
  /** A copy of the elements. */
  items(): T[];
}

/** `[T]`. Its methods have their Pluto names. */
export class List<T = unknown> {
  /** Empty while there is a store. */
  #items: T[];
  #store: ListStore<T> | undefined;

  /** Takes ownership of `items`. */
  constructor(items: T[] = [], store?: ListStore<T>) {
    this.#items = items;
    this.#store = store;
  }

  get store(): ListStore<T> | undefined {
    return this.#store;
  }

  /** Moves the elements into a store for the rest of the life of the list. */
  moveTo(store: ListStore<T>): void {
    this.#store = store;
    this.#items = [];
  }

  /** Not to be changed. */
  get items(): readonly T[] {
    return this.#store === undefined ? this.#items : this.#store.items();
  }

  get length(): number {
    return this.#store === undefined ? this.#items.length : this.#store.length;
  }

  /** @param index inside the list */
  #get(index: number): T {
    return this.#store === undefined ? (this.#items[index] as T) : this.#store.get(index);
  }

  #set(index: number, value: T): void {
    if (this.#store === undefined) this.#items[index] = value;
    else this.#store.set(index, value);
  }

  /** `a[i]`. @throws Failure */
  getAt(index: CompactInt): T {
    // There are no items while there is a store, so most reads look at nothing else.
    const items = this.#items;
    if (typeof index === 'number' && index >= 0 && index < items.length) return items[index] as T;
    return this.#get(placeInside(index, this.length, 'array'));
  }

  /** `a[i] = v`. @throws Failure */
  setAt(index: CompactInt, value: T): void {
    const items = this.#items;
    if (typeof index === 'number' && index >= 0 && index < items.length) items[index] = value;
    else this.#set(placeInside(index, this.length, 'array'), value);
  }

  is_empty(): boolean {
    return this.length === 0;
  }

  push(value: T): void {
    if (this.#store !== undefined) return this.#store.push(value);
    requireSpaceForMore(this.#items.length);
    this.#items.push(value);
  }

  pop(): T {
    if (this.length === 0) fail('pluto: pop from empty array');
    return this.#store === undefined ? (this.#items.pop() as T) : removed(this.#store, this.#store.length - 1);
  }

  first(): T {
    return this.length === 0 ? fail('pluto: first() on empty array') : this.#get(0);
  }

  last(): T {
    return this.length === 0 ? fail('pluto: last() on empty array') : this.#get(this.length - 1);
  }

  clear(): void {
    if (this.#store === undefined) this.#items.length = 0;
    else this.#store.truncate(0);
  }

  reverse(): void {
    if (this.#store === undefined) this.#items.reverse();
    else for (const [index, item] of this.#store.items().toReversed().entries()) this.#store.set(index, item);
  }

  remove_at(index: CompactInt): T {
    const at = placeInside(index, this.length, 'array remove_at');
    if (this.#store !== undefined) return removed(this.#store, at);
    // Removing the first element is common, and `shift` is much faster than `splice`.
    return (at === 0 ? this.#items.shift() : this.#items.splice(at, 1)[0]) as T;
  }

  insert_at(index: CompactInt, value: T): void {
    const { length } = this;
    if (index < 0 || index > length)
      fail(`pluto: array insert_at index out of bounds: index ${index}, length ${length}`);
    const at = Number(index);
    if (this.#store === undefined) {
      requireSpaceForMore(length);
      this.#items.splice(at, 0, value);
    } else {
      this.#store.push(value);
      this.#store.move(at + 1, at, length - at);
      this.#store.set(at, value);
    }
  }

  slice(start: CompactInt, end: CompactInt): List<T> {
    const { length } = this;
    return new List(this.items.slice(clamp(start, length), Math.max(clamp(start, length), clamp(end, length))));
  }

  contains(value: T): boolean {
    return this.items.some(item => isSameKey(item, value));
  }

  index_of(value: T): number {
    return this.items.findIndex(item => isSameKey(item, value));
  }
}

/** Between two powers of two, the block of an array grows twice. */
function requireSpaceForMore(length: number): void {
  if ((length & (length - 1)) === 0) requireSpace(length);
}

function removed<T>(store: ListStore<T>, at: number): T {
  const value = store.get(at);
  const left = store.length - 1;
  store.move(at, at + 1, left - at);
  store.truncate(left);
  return value;
}

/** @throws Failure */
export function placeInside(index: CompactInt, length: number, what: string): number {
  const place = Number(index);
  if (place < 0 || place >= length) fail(`pluto: ${what} index out of bounds: index ${index}, length ${length}`);
  return place;
}

const clamp = (index: CompactInt, length: number): number => Math.min(Math.max(Number(index), 0), length);

const NOT_FOUND = 'pluto: map key not found';

/** `Map<K, V>`; keys are compared by `isSameKey`. */
export class PlutoMap {
  readonly #table: HashTable<unknown>;

  /** @param hasIntKeys whether numbers are ints */
  constructor(entries: Iterable<readonly [key: unknown, value: unknown]> = [], hasIntKeys = false) {
    this.#table = new HashTable(hasIntKeys);
    for (const [key, value] of entries) this.#table.put(key, value);
  }

  /** A map for keys of the same type. */
  emptyCopy(): PlutoMap {
    return new PlutoMap([], this.#table.hasInts);
  }

  /** In iteration order. */
  entries(): readonly (readonly [key: unknown, value: unknown])[] {
    const values = this.#table.values();
    return this.#table.keys().map((key, index) => [key, values[index]]);
  }

  /** `m[k]`. @throws Failure */
  getAt(key: unknown): unknown {
    return this.#valueIn(this.#table.find(key));
  }

  /** `m[k] = v` */
  setAt(key: unknown, value: unknown): void {
    this.#table.put(key, value);
  }

  // Methods for maps whose keys are ints.

  $has(key: CompactInt): boolean {
    return this.#table.findInt(key) >= 0;
  }

  /** @throws Failure */
  $at(key: CompactInt): unknown {
    return this.#valueIn(this.#table.findInt(key));
  }

  $put(key: CompactInt, value: unknown): void {
    this.#table.putInt(key, value);
  }

  #valueIn(slot: number): unknown {
    return slot < 0 ? fail(NOT_FOUND) : this.#table.valueIn(slot);
  }

  len(): number {
    return this.#table.size;
  }

  contains(key: unknown): boolean {
    return this.#table.find(key) >= 0;
  }

  insert(key: unknown, value: unknown): void {
    this.#table.put(key, value);
  }

  remove(key: unknown): void {
    this.#table.remove(key);
  }

  keys(): List {
    return new List(this.#table.keys());
  }

  values(): List {
    return new List(this.#table.values());
  }
}

/** `Set<T>` */
export class PlutoSet {
  readonly #table: HashTable<true>;

  /** @param isOfInts whether numbers are ints */
  constructor(elements: Iterable<unknown> = [], isOfInts = false) {
    this.#table = new HashTable(isOfInts);
    for (const element of elements) this.#table.put(element, true);
  }

  /** A set for elements of the same type. */
  emptyCopy(): PlutoSet {
    return new PlutoSet([], this.#table.hasInts);
  }

  len(): number {
    return this.#table.size;
  }

  contains(element: unknown): boolean {
    return this.#table.find(element) >= 0;
  }

  insert(element: unknown): void {
    this.#table.put(element, true);
  }

  // Methods for sets of ints.

  $has(element: CompactInt): boolean {
    return this.#table.findInt(element) >= 0;
  }

  $put(element: CompactInt): void {
    this.#table.putInt(element, true);
  }

  remove(element: unknown): void {
    this.#table.remove(element);
  }

  to_array(): List {
    return new List(this.#table.keys());
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
  getAt(index: CompactInt): Byte {
    return byteOf(this.items[placeInside(index, this.items.length, 'bytes')] ?? 0);
  }

  /** `b[i] = v`. @throws Failure */
  setAt(index: CompactInt, value: Byte): void {
    this.items[placeInside(index, this.items.length, 'bytes')] = value.value;
  }

  len(): number {
    return this.items.length;
  }

  push(value: Byte): void {
    requireSpaceForMore(this.items.length);
    this.items.push(value.value);
  }

  to_string(): ByteText {
    return textOfBytes(Uint8Array.from(this.items));
  }
}
