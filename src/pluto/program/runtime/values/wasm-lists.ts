import { List, type ListStore } from './collections.ts';
import { fromWasm, type SharedType, toWasm, type WasmRef } from './wasm-values.ts';

/** The exported functions of one type of lists; ints are bigints. `capacity` is 0 or a power of two. */
interface WasmListFunctions {
  make(length: number, capacity: number): WasmRef;
  length(list: WasmRef): number;
  get(list: WasmRef, index: number): unknown;
  set(list: WasmRef, index: number, value: unknown): void;
  push(list: WasmRef, value: unknown): void;
  truncate(list: WasmRef, length: number): void;
  move(list: WasmRef, to: number, from: number, count: number): void;
  owner(list: WasmRef): List | null;
  own(list: WasmRef, owner: List): void;
}

const NAMES = ['make', 'length', 'get', 'set', 'push', 'truncate', 'move', 'owner', 'own'] as const;

type Exports = Readonly<Record<string, (...args: readonly never[]) => unknown>>;

const capacityFor = (length: number): number => (length === 0 ? 0 : 2 ** Math.ceil(Math.log2(length)));

/** The store of a list that WebAssembly code has seen. */
class WasmStore implements ListStore<unknown> {
  readonly ref: WasmRef;
  readonly #functions: WasmListFunctions;
  readonly #type: SharedType;

  constructor(ref: WasmRef, functions: WasmListFunctions, type: SharedType) {
    this.ref = ref;
    this.#functions = functions;
    this.#type = type;
  }

  get length(): number {
    return this.#functions.length(this.ref);
  }

  get(index: number): unknown {
    return fromWasm(this.#type, this.#functions.get(this.ref, index));
  }

  set(index: number, value: unknown): void {
    this.#functions.set(this.ref, index, toWasm(this.#type, value));
  }

  push(value: unknown): void {
    this.#functions.push(this.ref, toWasm(this.#type, value));
  }

  truncate(length: number): void {
    this.#functions.truncate(this.ref, length);
  }

  move(to: number, from: number, count: number): void {
    this.#functions.move(this.ref, to, from, count);
  }

  items(): unknown[] {
    return Array.from({ length: this.length }, (_, index) => this.get(index));
  }
}

/**
 * Lists of one type that cross between JavaScript and WebAssembly. A list moves into WebAssembly when it first gets there, and stays: both
 * languages then see one list.
 */
export class WasmLists {
  readonly #functions: WasmListFunctions;
  readonly #type: SharedType;

  /** @param type of the elements */
  constructor(exports: Exports, type: SharedType) {
    this.#functions = Object.fromEntries(
      NAMES.map(name => [name, exports[`${name}_${type}`]]),
    ) as unknown as WasmListFunctions;
    this.#type = type;
  }

  /** A list that is `none` is null in both languages. */
  readonly enter = (list: List | null): WasmRef | null => {
    if (list === null) return null;
    const { store } = list;
    if (store instanceof WasmStore) return store.ref;
    const { items } = list;
    const ref = this.#functions.make(items.length, capacityFor(items.length));
    const moved = new WasmStore(ref, this.#functions, this.#type);
    for (const [index, item] of items.entries()) moved.set(index, item);
    this.#functions.own(ref, list);
    list.moveTo(moved);
    return ref;
  };

  readonly leave = (ref: WasmRef | null): List | null => {
    if (ref === null) return null;
    const owner = this.#functions.owner(ref);
    if (owner !== null) return owner;
    const list = new List<unknown>([], new WasmStore(ref, this.#functions, this.#type));
    this.#functions.own(ref, list);
    return list;
  };
}
