/** Runs random functions of `random-code.ts`, without any code of the compiler; only the texts of floats are the runtime's. */
import { formatFloat } from '../../../../../src/pluto/program/runtime/values/floats.ts';
import { ofInts, wrap } from './int-operations.ts';
import { Nested } from './random-nested.ts';
import { Tables } from './random-tables.ts';
import { type Expr, type Item, type ItemRef, Leave, type Ref, type Scalar } from './random-code-types.ts';
import type { Statement, Value, View, ViewRef } from './random-code-types.ts';

class Cell {
  readonly fields: Record<Scalar, Value>;
  readonly next: Cell | undefined;
  name: string;
  constructor(name: string, int: Value, float: Value, bool: Value, next?: Cell) {
    this.name = name;
    this.fields = { int, float, bool };
    this.next = next;
  }

  bump(by: Value): Value {
    this.fields.int = wrap((this.fields.int as bigint) + (by as bigint));
    this.fields.bool = this.fields.bool === false;
    return this.fields.int;
  }
}

/** A value of the enum; `fields` without nested enums, which are compared by value too. */
interface ItemValue {
  readonly variant: Item['variant'];
  readonly color: number;
  readonly inner: bigint | undefined;
  readonly fields: readonly (Value | Cell)[];
  /** The value in a link. */
  readonly linked: ItemValue | undefined;
}

const NO_INNER = { color: 0, inner: undefined, linked: undefined };
const EMPTY: ItemValue = { ...NO_INNER, variant: 'Empty', fields: [] };

/** Chains of links may be longer than the stack. */
function isSameItem(left: ItemValue | undefined, right: ItemValue): boolean {
  let [a, b]: [ItemValue | undefined, ItemValue | undefined] = [left, right];
  for (; a !== b; [a, b] = [a.linked, b.linked]) {
    if (a === undefined || b === undefined) return false;
    if (a.variant !== b.variant || a.color !== b.color || a.inner !== b.inner) return false;
    const { fields } = b;
    if (!a.fields.every((field, index) => field === fields[index])) return false;
  }
  return true;
}

class Pair {
  n: bigint;
  readonly cell: Cell;
  constructor(n: bigint, cell: Cell) {
    this.n = n;
    this.cell = cell;
  }
}

class Wrap {
  readonly inner: ViewValue;
  constructor(inner: ViewValue) {
    this.inner = inner;
  }
}

type ViewValue = Cell | Pair | Wrap;

function codeOfView(of: ViewValue, by: bigint): bigint {
  if (of instanceof Wrap) return wrap(codeOfView(of.inner, by) - 1n);
  return of instanceof Pair ? of.n ^ by : wrap((of.fields.int as bigint) + by);
}

/** The double of the code, except for a method that replaces the default. */
export const twiceOfView = (of: ViewValue, by: bigint): bigint =>
  wrap(of instanceof Wrap ? twiceOfView(of.inner, by) + 3n : codeOfView(of, by) * 2n);

function changeView(of: ViewValue, by: bigint): bigint {
  if (of instanceof Wrap) return changeView(of.inner, wrap(by + 1n));
  if (of instanceof Cell) return of.bump(by) as bigint;
  of.n = wrap(of.n + (of.cell.bump(by) as bigint));
  return of.n;
}

/** A closure with what it captured. */
interface Closure {
  readonly kept: Evaluator;
  readonly counters: readonly bigint[];
  readonly plus: Expr;
  readonly assigns: boolean;
}

/** The variables and lists of a function that runs. */
export class Evaluator {
  readonly variables: Record<Scalar, Value> = { int: 0n, float: 0.5, bool: true };
  readonly lists: Record<Scalar, Value[]>;
  p = new Cell('p', 1n, 0.25, false);
  q = new Cell('q', -1n, 4, true, this.p);
  s = 'start';
  readonly cells = [this.q, this.p];
  readonly words: string[];
  v: ViewValue = this.q;
  readonly views: ViewValue[] = [this.v, new Pair(3n, this.p)];
  readonly tables: Tables;
  readonly nested: Nested;
  t: ItemValue;
  readonly items: ItemValue[];
  readonly functions: Closure[] = [];

  /** @param copied whose variables are copied, and whose objects are shared */
  constructor(start: bigint, list: Value[], words: string[], copied?: Evaluator) {
    this.words = words;
    this.t = { ...NO_INNER, variant: 'Num', fields: [start, true] };
    this.items = [{ ...NO_INNER, variant: 'Linked', linked: this.t, fields: [1n, 2n] }, EMPTY];
    this.variables.int = start;
    this.tables = new Tables(start);
    this.nested = new Nested(start, this.tables.m);
    this.lists = { int: list, float: [1.5, -2], bool: [true, false] };
    if (copied !== undefined)
      Object.assign(this, copied, { variables: { ...copied.variables }, nested: copied.nested.copy() });
    else
      for (let index = 0; index < 2; index += 1) this.functions.push(this.#closure({ kind: 'variable', type: 'int' }));
  }

  /** A closure has copies of variables, and the same objects. */
  #closure(plus: Expr, counters: readonly bigint[] = [], assigns = false): Closure {
    return { kept: new Evaluator(0n, [], [], this), counters, plus, assigns };
  }

  static call({ kept, counters, plus, assigns }: Closure, x: bigint): bigint {
    if (!assigns) return wrap(x * 3n + (kept.#value(plus, counters) as bigint));
    const own = new Evaluator(0n, [], [], kept);
    own.variables.int = wrap((own.variables.int as bigint) + x);
    return wrap(own.variables.int - (own.#value(plus, counters) as bigint));
  }

  run(body: readonly Statement[], counters: readonly bigint[] = []): void {
    for (const one of body) this.#step(one, counters);
  }

  #step(one: Statement, counters: readonly bigint[]): void {
    const { variables, lists } = this;
    const value = (expr: Expr): Value => this.#value(expr, counters);
    switch (one.kind) {
      case 'set':
        variables[one.type] = value(one.value);
        return;
      case 'add':
        variables.int = wrap((variables.int as bigint) + (value(one.value) as bigint));
        return;
      case 'step':
        variables.int = wrap((variables.int as bigint) + (one.op === '++' ? 1n : -1n));
        return;
      case 'put': {
        const index = Number((value(one.index) as bigint) & 1n);
        lists[one.type][index] = value(one.value);
        return;
      }
      case 'push':
        if (lists[one.type].length < 50) lists[one.type].push(value(one.value));
        return;
      case 'pop':
        if (lists[one.type].length > 2) variables[one.type] = lists[one.type].pop() ?? 0n;
        return;
      case 'set-field':
        this[one.of].fields[one.type] = value(one.value);
        return;
      case 'bump':
        variables.int = this[one.of].bump(value(one.by));
        return;
      case 'refer':
        this[one.to] = this.#cell(one.from, counters);
        return;
      case 'make': {
        const [a = 0n, b = 0, c = false] = one.values.map(value);
        this[one.to] = new Cell(this.s, a, b, c, one.next ? this.q : undefined);
        return;
      }
      case 'set-text': {
        const set = `s-${(value(one.value) as string).slice(0, 40)}`;
        if (one.to === 's') this.s = set;
        else this.p.name = set;
        return;
      }
      case 'put-word': {
        const set = (value(one.value) as string).slice(0, 40);
        this.words[Number((value(one.index) as bigint) & 1n)] = set;
        return;
      }
      case 'push-word':
        if (this.words.length < 50) this.words.push((value(one.value) as string).slice(0, 40));
        return;
      case 'pop-word':
        if (this.words.length > 2) this.s = `s-${this.words.pop()}`;
        return;
      case 'set-item': {
        // The index is evaluated before the value.
        const at = one.to === 't' ? undefined : Number((value(one.to.at) as bigint) & 1n);
        const item =
          typeof one.item === 'object' && 'variant' in one.item
            ? this.#made(one.item, counters)
            : this.#item(one.item, counters);
        if (at === undefined) this.t = item;
        else this.items[at] = item;
        return;
      }
      case 'change-table':
        return this.tables.run(one.of, value);
      case 'change-nested':
        return this.nested.run(one.of, value);
      case 'set-view': {
        const at = one.to === 'v' ? undefined : Number((value(one.to.at) as bigint) & 1n);
        const view = this.#madeView(one.view, counters);
        if (at === undefined) this.v = view;
        else this.views[at] = view;
        return;
      }
      case 'change-view':
        variables.int = changeView(this.v, value(one.by) as bigint);
        return;
      case 'set-function':
        this.functions[Number((value(one.index) as bigint) & 1n)] = this.#closure(one.plus, counters, one.assigns);
        return;
      case 'call-kept': {
        const kept = this.#closure(one.plus, counters);
        variables.int = wrap((variables.int as bigint) - Evaluator.call(kept, value(one.of) as bigint));
        variables.int = Evaluator.call(kept, variables.int);
        return;
      }
      case 'match':
        return this.#match(this.#item(one.of, counters), one.arms, counters);
      case 'put-cell': {
        const from = this.#cell(one.from, counters);
        this.cells[Number((value(one.index) as bigint) & 1n)] = from;
        return;
      }
      case 'follow':
        this.#cell(one.from, counters).next?.bump(value(one.by));
        return;
      case 'if':
        return this.run(value(one.condition) === true ? one.yes : one.otherwise, counters);
      case 'loop':
        return this.#loop(
          Array.from({ length: one.times }, (_, index) => BigInt(index)),
          one.body,
          counters,
        );
      case 'each':
        return this.#loop([3n, variables.int as bigint, 9n], one.body, counters);
      case 'leave':
        if (counters.length > 0 && value(one.condition) === true) throw new Leave(one.how);
    }
  }

  #loop(values: readonly bigint[], body: readonly Statement[], counters: readonly bigint[]): void {
    for (const value of values)
      try {
        this.run(body, [...counters, value]);
      } catch (error) {
        if (!(error instanceof Leave) || error.how === 'return a') throw error;
        if (error.how === 'break') return;
      }
  }

  #view(of: ViewRef, counters: readonly bigint[]): ViewValue {
    if (of === 'v') return this.v;
    return this.views[Number((this.#value(of.at, counters) as bigint) & 1n)] ?? this.v;
  }

  #madeView(view: View, counters: readonly bigint[]): ViewValue {
    switch (view.kind) {
      case 'cell':
        return this.#cell(view.cell, counters);
      case 'pair': {
        const cell = this.#cell(view.cell, counters);
        return new Pair(this.#value(view.n, counters) as bigint, cell);
      }
      case 'wrap':
        return new Wrap(this.#view(view.inner, counters));
      case 'other':
        return this.#view(view.of, counters);
    }
  }

  #item(of: ItemRef, counters: readonly bigint[]): ItemValue {
    if (of === 't') return this.t;
    return this.items[Number((this.#value(of.at, counters) as bigint) & 1n)] ?? this.t;
  }

  #made(item: Item, counters: readonly bigint[]): ItemValue {
    const value = (expr: Expr): Value => this.#value(expr, counters);
    const plain = { ...NO_INNER, variant: item.variant };
    switch (item.variant) {
      case 'Empty':
        return EMPTY;
      case 'Num': {
        const on = value(item.on);
        return { ...plain, fields: [value(item.n), on] };
      }
      case 'Text':
        return { ...plain, fields: [(value(item.text) as string).slice(0, 40), value(item.size)] };
      case 'Both': {
        const fields = [this.#cell(item.cell, counters)];
        const inner = value(item.inner) as bigint;
        return { ...plain, color: item.color, fields, inner: inner > 9n ? inner : undefined };
      }
      case 'Linked': {
        const n = value(item.n);
        const linked = item.inner && this.#item(item.inner, counters);
        // The numbers in the link.
        return { ...plain, linked, fields: linked === undefined ? [n] : [n, this.variables.int] };
      }
    }
  }

  #match(item: ItemValue, arms: readonly (readonly Statement[])[], counters: readonly bigint[]): void {
    const { variables } = this;
    const [empty = [], num = [], text = [], both = [], linked = []] = arms;
    const [first, second] = item.fields as [Value, Value];
    switch (item.variant) {
      case 'Empty':
        return this.run(empty, counters);
      case 'Num':
        variables.int = first;
        variables.bool = second;
        return this.run(num, counters);
      case 'Text':
        this.s = `s-${first}`;
        variables.float = second;
        return this.run(text, counters);
      case 'Both':
        this.p = item.fields[0] as Cell;
        variables.int = wrap((variables.int as bigint) + (item.inner === undefined ? 1n : -item.inner));
        return this.run(both, counters);
      case 'Linked':
        variables.int = isSameItem(item.linked, this.t) ? first : wrap((variables.int as bigint) - 1n);
        return this.run(linked, counters);
    }
  }

  /** The number that the programs show of an item. */
  static codeOf({ variant, color, fields }: ItemValue, otherwise: bigint): bigint {
    if (variant === 'Empty') return otherwise;
    if (variant === 'Num') return -1n;
    if (variant === 'Linked') return (fields[0] as bigint) & 15n;
    return variant === 'Text' ? BigInt((fields[0] as string).length) : BigInt(color * color);
  }

  #cell(of: Ref, counters: readonly bigint[]): Cell {
    if (typeof of === 'string') return this[of];
    return this.cells[Number((this.#value(of.at, counters) as bigint) & 1n)] ?? this.p;
  }

  #value(expr: Expr, counters: readonly bigint[]): Value {
    const value = (one: Expr): Value => this.#value(one, counters);
    switch (expr.kind) {
      case 'literal':
        return expr.value;
      case 'variable':
        return this.variables[expr.type];
      case 'counter':
        return counters.at(-1) ?? 5n;
      case 'element':
        return this.lists[expr.type][Number((value(expr.index) as bigint) & 1n)] ?? 0n;
      case 'length':
        return BigInt(this.lists[expr.type].length);
      case 'unary': {
        const of = value(expr.of);
        if (typeof of === 'bigint') return expr.op === '-' ? wrap(-of) : ~of;
        return typeof of === 'number' ? -of : !of;
      }
      case 'binary':
        if (expr.op === '&&') return value(expr.left) === true && value(expr.right) === true;
        if (expr.op === '||') return value(expr.left) === true || value(expr.right) === true;
        return binary(expr.op, value(expr.left), value(expr.right));
      case 'cast':
        return cast(value(expr.of), expr.to);
      case 'choice':
        return value(expr.condition) === true ? value(expr.yes) : value(expr.otherwise);
      case 'call': {
        const [x = 0n, y = 0n] = expr.args.map(value) as bigint[];
        return x < y ? wrap(x - y) : wrap(x + 3n);
      }
      case 'field':
        return this.#cell(expr.of, counters).fields[expr.type];
      case 'less':
        return wrap((this.#cell(expr.of, counters).fields.int as bigint) - (value(expr.by) as bigint));
      case 'same':
        return this.#cell(expr.left, counters) === this.#cell(expr.right, counters);
      case 'item-number':
        return Evaluator.codeOf(this.#item(expr.of, counters), value(expr.otherwise) as bigint);
      case 'item-color':
        return Evaluator.codeOf(this.#item(expr.of, counters), 7n) === BigInt(expr.color * expr.color);
      case 'same-item':
        return isSameItem(this.#item(expr.left, counters), this.#item(expr.right, counters));
      case 'same-copy': {
        const [left, isChanged] = [this.#item(expr.left, counters), value(expr.isChanged) === true];
        const isSame = isSameItem(left, this.#item(expr.right, counters));
        return isSame && !(isChanged && left.linked !== undefined);
      }
      case 'call-value': {
        const called = this.functions[Number((value(expr.index) as bigint) & 1n)];
        return called === undefined ? 0n : Evaluator.call(called, value(expr.of) as bigint);
      }
      case 'call-known':
        return Evaluator.call(this.#closure(expr.plus, counters), value(expr.of) as bigint);
      case 'view-code': {
        const [view, by] = [this.#view(expr.of, counters), value(expr.by) as bigint];
        return expr.method === 'code' ? codeOfView(view, by) : twiceOfView(view, by);
      }
      case 'same-view':
        return this.#view(expr.left, counters) === this.#view(expr.right, counters);
      case 'table':
        return this.tables.value(expr.of, value);
      case 'nested':
        return this.nested.value(expr.of, value);
      case 'linked':
        return this.#cell(expr.of, counters).next !== undefined;
      case 'text':
        return this.s;
      case 'joined':
        return expr.parts.map(value).join('');
      case 'shown': {
        const shown = value(expr.of);
        return `<${typeof shown === 'number' ? formatFloat(shown) : shown}`;
      }
      case 'character':
        return this.s.charAt(Number((value(expr.index) as bigint) & 1n));
      case 'part': {
        const [of, start, length] = [
          value(expr.of) as string,
          value(expr.start) as bigint,
          value(expr.length) as bigint,
        ];
        const all = BigInt(of.length);
        const from = start < 0n ? 0n : start > all ? all : start;
        return of.slice(Number(from), Number(length < 0n ? from : length > all ? all : from + length));
      }
      case 'name':
        return this.#cell(expr.of, counters).name;
      case 'word':
        return this.words[Number((value(expr.index) as bigint) & 1n)] ?? '';
      case 'word-count':
        return BigInt(this.words.length);
      case 'part-count':
        return BigInt((value(expr.of) as string).split('-').length);
      case 'text-length':
        return BigInt((value(expr.of) as string).length);
      case 'byte':
        return BigInt(this.s.charCodeAt(Number((value(expr.of) as bigint) & 1n)));
      case 'place':
        return BigInt((value(expr.of) as string).indexOf(value(expr.part) as string));
      case 'same-text':
        return value(expr.of) === value(expr.part);
      case 'contains':
        return (value(expr.of) as string).includes(value(expr.part) as string);
      case 'starts':
        return this.s.charAt(Number((value(expr.index) as bigint) & 1n)) === expr.byte;
    }
  }
}

function binary(op: string, a: Value, b: Value): Value {
  switch (op) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    default:
      return typeof a === 'bigint' ? ofInts(op, a, b as bigint) : ofFloats(op, a as number, b as number);
  }
}

const ofFloats = (op: string, a: number, b: number): number =>
  ({ '+': a + b, '-': a - b, '*': a * b, '/': a / b })[op] ?? a % b;

function cast(value: Value, to: Scalar): Value {
  if (to === 'bool') return value !== 0n;
  if (to === 'float') return Number(value);
  if (typeof value !== 'number') return BigInt(value);
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 2n ** 63n - 1n;
  return value < -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(value));
}
