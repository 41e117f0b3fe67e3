/** Maps and sets in the random functions of `random-code.ts`. */
import fc from 'fast-check';
import { wrap } from './int-operations.ts';
import type { Expr, TableExpr, TableStatement, Value } from './random-code-types.ts';

/** Masks ints to a few keys on both sides of 2^53. */
export const INT_KEYS = 2n ** 53n + 31n;
export const intKey = (value: bigint): bigint => value & INT_KEYS;
/** Keys whose slots start a chain in a small table, so that a removal moves others. */
const removedKey = (value: bigint): bigint => (value & 3n) * 8n;
const textKey = (value: string): string => value.slice(0, 2);

export const TABLE_DECLARATIONS = `
fn entry(all: Map<int, int>, key: int, otherwise: int) int {
    if all.contains(key) { return all[key] }
    return otherwise
}
fn with_more(all: Map<string, float>, key: string) Map<string, float> {
    all[key] += 0.5
    return all
}`;

/** A map or set as the language defines it: the order of its keys is that of slots with linear probing. */
export class Table<V, K = bigint | string> {
  #slots: ({ readonly key: K; value: V } | undefined)[] = Array.from({ length: 8 });
  readonly #hashOf: (key: K) => bigint;
  readonly #isSame: (left: K, right: K) => boolean;

  constructor(
    hash: (key: K) => bigint = key => hashOf(key as Value),
    isSame: (left: K, right: K) => boolean = Object.is,
  ) {
    this.#hashOf = hash;
    this.#isSame = isSame;
  }

  get size(): number {
    return this.keys().length;
  }

  keys(): K[] {
    return this.#slots.flatMap(slot => (slot === undefined ? [] : [slot.key]));
  }

  values(): V[] {
    return this.#slots.flatMap(slot => (slot === undefined ? [] : [slot.value]));
  }

  get(key: K): V | undefined {
    return this.#slots[this.#place(key)]?.value;
  }

  has(key: K): boolean {
    return this.#slots[this.#place(key)] !== undefined;
  }

  put(key: K, value: V): void {
    if (this.size * 4 >= this.#slots.length * 3) {
      const entries = this.#slots;
      this.#slots = Array.from({ length: entries.length * 2 });
      for (const entry of entries) if (entry !== undefined) this.#slots[this.#place(entry.key)] = entry;
    }
    this.#slots[this.#place(key)] = { key, value };
  }

  /** All entries after it, up to an empty slot, are added again. */
  remove(key: K): void {
    if (!this.has(key)) return;
    const mask = this.#slots.length - 1;
    let at = this.#place(key);
    this.#slots[at] = undefined;
    for (at = (at + 1) & mask; ; at = (at + 1) & mask) {
      const entry = this.#slots[at];
      if (entry === undefined) return;
      this.#slots[at] = undefined;
      this.#slots[this.#place(entry.key)] = entry;
    }
  }

  #place(key: K): number {
    const mask = this.#slots.length - 1;
    let at = Number(this.#hashOf(key) & BigInt(mask));
    for (let slot = this.#slots[at]; slot !== undefined && !this.#isSame(slot.key, key); slot = this.#slots[at])
      at = (at + 1) & mask;
    return at;
  }
}

/** The hash of the language, of 64 bits: a multiplication for ints, bools and the bits of floats, FNV-1a for strings. */
export function hashOf(key: Value): bigint {
  if (typeof key === 'number') return hashOf(new BigInt64Array(new Float64Array([key]).buffer)[0] ?? 0n);
  if (typeof key !== 'string') return BigInt.asUintN(64, BigInt(key) * 0x9e37_79b9_7f4a_7c15n);
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of Buffer.from(key)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100_0000_01b3n);
  return hash;
}

/** The maps and the set of a function that runs. */
export class Tables {
  readonly m = new Table<bigint>();
  readonly w = new Table<number>();
  readonly u = new Table<true>();

  constructor(start: bigint) {
    this.m.put(1n, start);
    this.m.put(2n ** 53n, 2n);
    this.m.put(1n, 3n);
    this.m.put(16n, 4n);
    this.m.put(8n, 5n);
    this.w.put('s', 0.5);
    this.u.put(2n, true);
    this.u.put(2n ** 53n, true);
    this.u.put(24n, true);
    this.u.put(0n, true);
  }

  run(one: TableStatement, evaluate: (expr: Expr) => Value): void {
    const intOf = (expr: Expr): bigint => intKey(evaluate(expr) as bigint);
    const textOf = (expr: Expr): string => textKey(evaluate(expr) as string);
    switch (one.kind) {
      case 'put-int-key': {
        const key = intOf(one.key);
        return this.m.put(key, evaluate(one.value) as bigint);
      }
      case 'add-at-int-key': {
        const key = intOf(one.key);
        const before = this.m.get(key);
        if (before !== undefined) this.m.put(key, wrap(before + (evaluate(one.value) as bigint)));
        return;
      }
      case 'remove-int-key':
        return this.m.remove(removedKey(evaluate(one.key) as bigint));
      case 'put-text-key': {
        const key = textOf(one.key);
        return this.w.put(key, evaluate(one.value) as number);
      }
      case 'remove-text-key':
        return this.w.remove(textOf(one.key));
      case 'insert':
        return this.u.put(intOf(one.element), true);
      case 'remove':
        return this.u.remove(removedKey(evaluate(one.element) as bigint));
    }
  }

  value(expr: TableExpr, evaluate: (expr: Expr) => Value): Value {
    switch (expr.kind) {
      case 'entry':
        return this.m.get(intKey(evaluate(expr.key) as bigint)) ?? evaluate(expr.otherwise);
      case 'table-sizes':
        return BigInt(this.m.size * 10_000 + this.w.size * 100 + this.u.size);
      case 'is-element':
        return this.u.has(intKey(evaluate(expr.element) as bigint));
      case 'has-text-key':
        return this.w.has(textKey(evaluate(expr.key) as string));
    }
  }
}

export const tableStatements = ({
  int,
  float,
  text,
}: Readonly<Record<'int' | 'float' | 'text', fc.Arbitrary<Expr>>>): fc.Arbitrary<TableStatement> =>
  fc.oneof(
    fc.tuple(int, int).map(([key, value]): TableStatement => ({ kind: 'put-int-key', key, value })),
    fc.tuple(int, int).map(([key, value]): TableStatement => ({ kind: 'add-at-int-key', key, value })),
    int.map((key): TableStatement => ({ kind: 'remove-int-key', key })),
    fc.tuple(text, float).map(([key, value]): TableStatement => ({ kind: 'put-text-key', key, value })),
    text.map((key): TableStatement => ({ kind: 'remove-text-key', key })),
    int.map((element): TableStatement => ({ kind: 'insert', element })),
    int.map((element): TableStatement => ({ kind: 'remove', element })),
  );

export function tableLines(of: TableStatement, text: (one: Expr) => string): readonly string[] {
  const key = (one: Expr): string => `${text(one)} & ${INT_KEYS}`;
  switch (of.kind) {
    case 'put-int-key':
      return [`m[${key(of.key)}] = ${text(of.value)}`];
    case 'add-at-int-key':
      return [`if m.contains(${key(of.key)}) {`, `m[${key(of.key)}] += ${text(of.value)}`, '}'];
    case 'remove-int-key':
      return [`m.remove((${text(of.key)} & 3) * 8)`];
    case 'put-text-key':
      return [`w.insert(${text(of.key)}.substring(0, 2), ${text(of.value)})`];
    case 'remove-text-key':
      return [`w.remove(${text(of.key)}.substring(0, 2))`];
    case 'insert':
      return [`u.insert(${key(of.element)})`];
    case 'remove':
      return [`u.remove((${text(of.element)} & 3) * 8)`];
  }
}

export function tableExprText(of: TableExpr, text: (one: Expr) => string): string {
  switch (of.kind) {
    case 'entry':
      return `entry(m, ${text(of.key)} & ${INT_KEYS}, ${text(of.otherwise)})`;
    case 'table-sizes':
      return '(m.len() * 10000 + w.len() * 100 + u.len())';
    case 'is-element':
      return `u.contains(${text(of.element)} & ${INT_KEYS})`;
    case 'has-text-key':
      return `w.contains(${text(of.key)}.substring(0, 2))`;
  }
}

export const TABLE_VARIABLES = [
  `let m = Map<int, int> { 1: a, ${2n ** 53n}: 2, 1: 3, 16: 4, 8: 5 }`,
  'let w = Map<string, float> { "s": 0.5 }',
  `let u = Set<int> { 2, ${2n ** 53n}, 2, 24, 0 }`,
];

export const TABLE_SHOWS = [
  'for int_key in m.keys() { print(f"{int_key} {m[int_key]}") }',
  'for value in m.values() { print(value) }',
  'if w.len() > 0 { print(w == with_more(w, w.keys()[0])) }',
  'for text_key in w.keys() {\nprint(text_key)\nprint(w[text_key])\n}',
  'for element in u.to_array() { print(f"{element} {u.contains(element)}") }',
];
