/** Maps and sets with keys of other types, lists of lists and maps, values that may be `none`, and errors, in the random functions of `random-code.ts`. */
import fc from 'fast-check';
import { formatFloat } from '../../../../../src/pluto/program/runtime/values/floats.ts';
import type { Expr, MarkExpr, NestedExpr, NestedStatement, Value } from './random-code-types.ts';
import { wrap } from './int-operations.ts';
import {
  OPTION_DECLARATIONS,
  OPTION_SHOWS,
  OPTION_VARIABLES,
  optionBools,
  optionExprText,
  optionInts,
  optionLines,
  Options,
  optionStatements,
} from './random-options.ts';
import {
  Mixed,
  MIXED_DECLARATIONS,
  MIXED_SHOWS,
  MIXED_VARIABLES,
  mixedBools,
  mixedExprText,
  mixedInts,
  mixedLines,
  mixedStatements,
} from './random-mixed.ts';
import { hashOf, INT_KEYS, intKey, Table } from './random-tables.ts';

export const NESTED_DECLARATIONS = `${OPTION_DECLARATIONS}
enum Mark {
    Off
    On { n: int, x: float }
    Pair { inner: Mark, label: string?, on: bool }
}
fn mark_of(n: int, x: float, text: string) Mark {
    if (n & 3) == 0 { return Mark.Off }
    if (n & 3) == 1 { return Mark.On { x: x, n: n } }
    let mut label: string? = none
    if (n & 8) == 0 { label = text.substring(0, 2) }
    return Mark.Pair { inner: mark_of((n >> 2) & 15, x, text), on: (n & 4) == 0, label: label }
}
fn shown_mark(mark: Mark) string {
    return match mark {
        Mark.Off => "off",
        Mark.On { n, x } => f"{n} {x}",
        Mark.Pair { inner, label, on } => shown_mark(inner) + f" {label == none} {on}"
    }
}
fn mark_entry(marks: Map<Mark, int>, mark: Mark, otherwise: int) int {
    return if marks.contains(mark) { marks[mark] } else { otherwise }
}
fn row_of(row: [int]) [int]? { return row }
fn some_text(text: string) string? { return text }
error Odd { n: int, text: string, x: float, on: bool, label: string? }
error Low { n: int }
fn checked(n: int) int {
    if (n & 3) == 1 {
        let mut label: string? = none
        if (n & 4) == 0 { label = "l" }
        raise Odd { on: n > 9, n: n, x: n as float, text: f"{n}", label: label }
    }
    if n < 0 { raise Low { n: n + 1 } }
    return n + 7
}
fn checked_again(n: int) int { return checked(n + 1)! - 1 }
fn longer(text: string?) string? {
    let one = text?
    return one + "!"
}${MIXED_DECLARATIONS}`;

/** A value of the enum. */
type Mark =
  | { readonly tag: 0 }
  | { readonly tag: 1; readonly n: bigint; readonly x: number }
  | { readonly tag: 2; readonly inner: Mark; readonly label: string | undefined; readonly on: boolean };

function markOf(n: bigint, x: number, text: string): Mark {
  if ((n & 3n) === 0n) return { tag: 0 };
  if ((n & 3n) === 1n) return { tag: 1, n, x };
  const label = (n & 8n) === 0n ? text.slice(0, 2) : undefined;
  return { tag: 2, inner: markOf((n >> 2n) & 15n, x, text), label, on: (n & 4n) === 0n };
}

function shownMark(mark: Mark): string {
  if (mark.tag === 0) return 'off';
  if (mark.tag === 1) return `${mark.n} ${formatFloat(mark.x)}`;
  return `${shownMark(mark.inner)} ${mark.label === undefined} ${mark.on}`;
}

/** Compares floats as `==` does, so a mark with a NaN is not equal to itself. */
function isSameMark(left: Mark, right: Mark): boolean {
  if (left.tag === 1 && right.tag === 1) return left.n === right.n && left.x === right.x;
  if (left.tag !== 2 || right.tag !== 2) return left.tag === right.tag;
  return left.label === right.label && left.on === right.on && isSameMark(left.inner, right.inner);
}

/** The hash of the runtime, which has 32 bits: of the tag, then of all fields. */
function hashOfMark(mark: Mark): bigint {
  const parts = [hashOf(BigInt(mark.tag))];
  if (mark.tag === 1) parts.push(hashOf(mark.n), hashOf(Number.isSafeInteger(mark.x) ? BigInt(mark.x) : mark.x));
  if (mark.tag === 2)
    parts.push(hashOfMark(mark.inner), mark.label === undefined ? 0n : hashOf(mark.label), hashOf(mark.on));
  return BigInt.asUintN(
    32,
    parts.reduce((sum, part) => sum * 31n + part),
  );
}

/** The outcome of a call that may raise errors, with the number that the handler of an error returns. */
function attempt(n: bigint): { readonly result: bigint } | { readonly handled: bigint; readonly shown: string } {
  if ((n & 3n) === 1n) {
    const shown = String(n);
    const parts = (n > 9n ? 10n : 0n) + ((n & 4n) === 0n ? 0n : 100n) + (Number(n) > 0.5 ? 1000n : 0n);
    return { handled: wrap(n + BigInt(shown.length) + parts), shown };
  }
  return n < 0n ? { handled: n + 1n, shown: String(n + 1n) } : { result: wrap(n + 7n) };
}

/** The variables of a function that runs. Copies share the maps and lists. */
export class Nested {
  readonly marks = new Table<bigint, Mark>(hashOfMark, isSameMark);
  readonly sizes = new Table<string, number>();
  readonly flags = new Table<bigint, boolean>();
  readonly seen = new Table<true, Mark>(hashOfMark, isSameMark);
  readonly grid: bigint[][];
  readonly maps: Table<bigint>[];
  readonly options: Options;
  readonly mixed: Mixed;
  held: bigint[] | undefined;
  label: string | undefined;

  constructor(start: bigint, map: Table<bigint>) {
    this.options = new Options(start);
    this.mixed = new Mixed(start);
    this.marks.put({ tag: 0 }, start);
    for (let n = 0n; n < 16n; n += 1n) this.marks.put(markOf(n, Number(n) * 0.5, 'l'), n);
    this.sizes.put(0.5, 's');
    this.flags.put(true, 2n);
    this.seen.put({ tag: 0 }, true);
    this.grid = [
      [start, 2n],
      [3n, 4n],
    ];
    this.maps = [map, new Table()];
  }

  copy(): Nested {
    return Object.assign(new Nested(0n, new Table()), this, {
      options: this.options.copy(),
      mixed: this.mixed.copy(),
    });
  }

  run(one: NestedStatement, evaluate: (expr: Expr) => Value): void {
    const at = (expr: Expr): number => Number((evaluate(expr) as bigint) & 1n);
    switch (one.kind) {
      case 'put-mark': {
        const mark = markFor(one.mark, evaluate);
        this.marks.put(mark, evaluate(one.value) as bigint);
        return this.seen.put(mark, true);
      }
      case 'remove-mark': {
        const mark = markFor(one.mark, evaluate);
        this.marks.remove(mark);
        return this.seen.remove(mark);
      }
      case 'put-size': {
        const size = evaluate(one.size) as number;
        return this.sizes.put(size, (evaluate(one.value) as string).slice(0, 9));
      }
      case 'remove-size':
        return this.sizes.remove(evaluate(one.size) as number);
      case 'put-flag': {
        const flag = evaluate(one.flag) as boolean;
        return this.flags.put(flag, evaluate(one.value) as bigint);
      }
      case 'put-in-grid': {
        const [row, column] = [at(one.row), at(one.column)];
        (this.grid[row] ?? [])[column] = evaluate(one.value) as bigint;
        return;
      }
      case 'put-row': {
        const row = at(one.row);
        this.grid[row] = this.grid[at(one.from)] ?? [];
        return;
      }
      case 'put-in-map': {
        const map = this.maps[at(one.index)];
        const key = intKey(evaluate(one.key) as bigint);
        return map?.put(key, evaluate(one.value) as bigint);
      }
      case 'put-map': {
        const index = at(one.index);
        this.maps[index] = this.maps[at(one.from)] ?? new Table();
        return;
      }
      case 'keep':
        this.held = evaluate(one.isNone) === true ? undefined : this.grid[at(one.row)];
        return;
      case 'change-option':
        return this.options.run(one.of, evaluate);
      case 'change-mixed':
        return this.mixed.run(one.of, evaluate);
      case 'set-label':
        this.label = evaluate(one.isNone) === true ? undefined : (evaluate(one.value) as string).slice(0, 9);
    }
  }

  value(expr: NestedExpr, evaluate: (expr: Expr) => Value): Value {
    const at = (index: Expr): number => Number((evaluate(index) as bigint) & 1n);
    switch (expr.kind) {
      case 'mark-entry': {
        const found = this.marks.get(markFor(expr.mark, evaluate));
        const otherwise = evaluate(expr.otherwise) as bigint;
        return found ?? otherwise;
      }
      case 'in-grid': {
        const row = this.grid[at(expr.row)];
        return row?.[at(expr.column)] ?? 0n;
      }
      case 'nested-sizes': {
        const [first, second] = this.maps;
        const { marks, sizes, flags, seen } = this;
        return BigInt(
          (marks.size + sizes.size * 1000 + flags.size * 10 ** 6 + seen.size) * 1000 +
            (first?.size ?? 0) * 100 +
            (second?.size ?? 0),
        );
      }
      case 'has-size':
        return this.sizes.has(evaluate(expr.size) as number);
      case 'is-held':
        return this.held === this.grid[at(expr.row)];
      case 'attempt': {
        const outcome = attempt(wrap((evaluate(expr.of) as bigint) + 1n));
        if ('result' in outcome) return wrap(outcome.result - 1n);
        return expr.isTyped
          ? outcome.handled
          : wrap((evaluate(expr.otherwise) as bigint) + BigInt(outcome.shown.length));
      }
      case 'option':
        return this.options.value(expr.of, evaluate);
      case 'mixed':
        return this.mixed.value(expr.of, evaluate);
      case 'is-label':
        return (this.label === undefined ? undefined : `${this.label}!`) === evaluate(expr.text);
    }
  }

  /** The output of a function for them. */
  get shown(): readonly unknown[] {
    const { marks, seen, sizes, flags, grid, held } = this;
    return [
      ...marks.keys().map(shownMark),
      ...marks.values(),
      ...seen.keys().map(shownMark),
      ...sizes.keys().flatMap(size => [size, sizes.get(size)]),
      ...flags.keys().map(flag => `${flag} ${flags.get(flag)}`),
      ...grid.flat(),
      held === undefined,
      ...this.options.shown,
      ...this.mixed.shown,
    ];
  }
}

const markFor = ({ n, x, text }: MarkExpr, evaluate: (expr: Expr) => Value): Mark => {
  const [a, b, c] = [n, x, text].map(evaluate);
  return markOf(a as bigint, b as number, c as string);
};

type Exprs = Readonly<Record<'int' | 'float' | 'bool' | 'text', fc.Arbitrary<Expr>>>;

/** Often a mark that the map starts with. */
const marks = ({ int, float, text }: Exprs): fc.Arbitrary<MarkExpr> =>
  fc
    .tuple(
      fc.oneof(
        int,
        fc.bigInt(0n, 15n).map((value): Expr => ({ kind: 'literal', value })),
      ),
      float,
      text,
    )
    .map(([n, x, one]) => ({ n, x, text: one }));

export const nestedInts = (exprs: Exprs): fc.Arbitrary<Expr> =>
  fc
    .oneof(
      fc
        .tuple(marks(exprs), exprs.int)
        .map(([mark, otherwise]): NestedExpr => ({ kind: 'mark-entry', mark, otherwise })),
      fc.tuple(exprs.int, exprs.int).map(([row, column]): NestedExpr => ({ kind: 'in-grid', row, column })),
      fc.constant<NestedExpr>({ kind: 'nested-sizes' }),
      { arbitrary: optionInts(exprs).map((of): NestedExpr => ({ kind: 'option', of })), weight: 6 },
      { arbitrary: mixedInts(exprs).map((of): NestedExpr => ({ kind: 'mixed', of })), weight: 4 },
      fc
        .tuple(exprs.int, exprs.int, fc.boolean())
        .map(([of, otherwise, isTyped]): NestedExpr => ({ kind: 'attempt', of, otherwise, isTyped })),
    )
    .map((of): Expr => ({ kind: 'nested', of }));

export const nestedBools = (exprs: Exprs): fc.Arbitrary<Expr> => {
  const { int, float, text } = exprs;
  return fc
    .oneof(
      { arbitrary: optionBools(exprs).map((of): NestedExpr => ({ kind: 'option', of })), weight: 3 },
      { arbitrary: mixedBools(exprs).map((of): NestedExpr => ({ kind: 'mixed', of })), weight: 2 },
      float.map((size): NestedExpr => ({ kind: 'has-size', size })),
      int.map((row): NestedExpr => ({ kind: 'is-held', row })),
      text.map((one): NestedExpr => ({ kind: 'is-label', text: one })),
    )
    .map((of): Expr => ({ kind: 'nested', of }));
};

export const nestedStatements = (exprs: Exprs): fc.Arbitrary<NestedStatement> => {
  const { int, float, bool, text } = exprs;
  return fc.oneof(
    { arbitrary: optionStatements(exprs).map((of): NestedStatement => ({ kind: 'change-option', of })), weight: 12 },
    { arbitrary: mixedStatements(exprs).map((of): NestedStatement => ({ kind: 'change-mixed', of })), weight: 12 },
    fc.tuple(marks(exprs), int).map(([mark, value]): NestedStatement => ({ kind: 'put-mark', mark, value })),
    marks(exprs).map((mark): NestedStatement => ({ kind: 'remove-mark', mark })),
    fc.tuple(float, text).map(([size, value]): NestedStatement => ({ kind: 'put-size', size, value })),
    float.map((size): NestedStatement => ({ kind: 'remove-size', size })),
    fc.tuple(bool, int).map(([flag, value]): NestedStatement => ({ kind: 'put-flag', flag, value })),
    fc
      .tuple(int, int, int)
      .map(([row, column, value]): NestedStatement => ({ kind: 'put-in-grid', row, column, value })),
    fc.tuple(int, int).map(([row, from]): NestedStatement => ({ kind: 'put-row', row, from })),
    fc.tuple(int, int, int).map(([index, key, value]): NestedStatement => ({ kind: 'put-in-map', index, key, value })),
    fc.tuple(int, int).map(([index, from]): NestedStatement => ({ kind: 'put-map', index, from })),
    fc.tuple(int, bool).map(([row, isNone]): NestedStatement => ({ kind: 'keep', row, isNone })),
    fc.tuple(text, bool).map(([value, isNone]): NestedStatement => ({ kind: 'set-label', value, isNone })),
  );
};

const markText = ({ n, x, text: one }: MarkExpr, text: (one: Expr) => string): string =>
  `mark_of(${text(n)}, ${text(x)}, ${text(one)})`;

let marked = 0;

export function nestedLines(of: NestedStatement, text: (one: Expr) => string): readonly string[] {
  switch (of.kind) {
    case 'put-mark': {
      marked += 1;
      const name = `mark${marked}`;
      return [`let ${name} = ${markText(of.mark, text)}`, `marks[${name}] = ${text(of.value)}`, `seen.insert(${name})`];
    }
    case 'remove-mark': {
      marked += 1;
      const name = `mark${marked}`;
      return [`let ${name} = ${markText(of.mark, text)}`, `marks.remove(${name})`, `seen.remove(${name})`];
    }
    case 'put-size':
      return [`sizes[${text(of.size)}] = ${text(of.value)}.substring(0, 9)`];
    case 'remove-size':
      return [`sizes.remove(${text(of.size)})`];
    case 'put-flag':
      return [`flags.insert(${text(of.flag)}, ${text(of.value)})`];
    case 'put-in-grid':
      return [`grid[${text(of.row)} & 1][${text(of.column)} & 1] = ${text(of.value)}`];
    case 'put-row':
      return [`grid[${text(of.row)} & 1] = grid[${text(of.from)} & 1]`];
    case 'put-in-map':
      return [`maps[${text(of.index)} & 1].insert(${text(of.key)} & ${INT_KEYS}, ${text(of.value)})`];
    case 'put-map':
      return [`maps[${text(of.index)} & 1] = maps[${text(of.from)} & 1]`];
    case 'keep':
      return [`if ${text(of.isNone)} { held = none } else { held = grid[${text(of.row)} & 1] }`];
    case 'change-option':
      return optionLines(of.of, text);
    case 'change-mixed':
      return mixedLines(of.of, text);
    case 'set-label':
      return [`if ${text(of.isNone)} { label = none } else { label = ${text(of.value)}.substring(0, 9) }`];
  }
}

export function nestedExprText(of: NestedExpr, text: (one: Expr) => string): string {
  switch (of.kind) {
    case 'mark-entry':
      return `mark_entry(marks, ${markText(of.mark, text)}, ${text(of.otherwise)})`;
    case 'in-grid':
      return `grid[${text(of.row)} & 1][${text(of.column)} & 1]`;
    case 'nested-sizes':
      return '((marks.len() + sizes.len() * 1000 + flags.len() * 1000000 + seen.len()) * 1000 + maps[0].len() * 100 + maps[1].len())';
    case 'has-size':
      return `sizes.contains(${text(of.size)})`;
    case 'is-held':
      return `(held == row_of(grid[${text(of.row)} & 1]))`;
    case 'attempt': {
      marked += 1;
      const name = `e${marked}`;
      const call = `checked_again(${text(of.of)}) catch ${name}`;
      if (!of.isTyped) return `(${call} { ${text(of.otherwise)} + ${name}.message.len() })`;
      const parts = ['on', 'label == none', 'x > 0.5'].map(
        (part, index) => `(${name}.${part}) as int * ${10 ** (index + 1)}`,
      );
      const odd = `{ ${name}.n + ${name}.text.len() + ${parts.join(' + ')} }`;
      return `(${call}: Odd ${odd} catch ${name}: Low { ${name}.n })`;
    }
    case 'option':
      return optionExprText(of.of, text);
    case 'mixed':
      return mixedExprText(of.of, text);
    case 'is-label':
      return `(longer(label) == some_text(${text(of.text)}))`;
  }
}

export const NESTED_VARIABLES = [
  'let marks = Map<Mark, int> { Mark.Off: a }',
  'for number in 0..16 { marks[mark_of(number, number as float * 0.5, "l")] = number }',
  'let sizes = Map<float, string> { 0.5: "s" }',
  'let flags = Map<bool, int> { true: 2 }',
  'let seen = Set<Mark> { Mark.Off }',
  'let mut grid = [[a, 2], [3, 4]]',
  'let mut maps = [m, Map<int, int> {}]',
  'let mut held: [int]? = none',
  'let mut label: string? = none',
  ...OPTION_VARIABLES,
  ...MIXED_VARIABLES,
];

export const NESTED_SHOWS = [
  'for mark in marks.keys() { print(shown_mark(mark)) }',
  'for value in marks.values() { print(value) }',
  'for mark in seen.to_array() { print(shown_mark(mark)) }',
  'for size in sizes.keys() {\nprint(size)\nprint(sizes[size])\n}',
  'for flag in flags.keys() { print(f"{flag} {flags[flag]}") }',
  'for row in grid { for n in row { print(n) } }',
  'print(held == none)',
  ...OPTION_SHOWS,
  ...MIXED_SHOWS,
];
