/** Ranges, contracts of traits, and errors with fields of any type, in the random functions of `random-code.ts`. */
import fc from 'fast-check';
import type { Expr, MixedExpr, MixedStatement, Value } from './random-code-types.ts';
import { wrap } from './int-operations.ts';

/** Uses functions and the enum `Mark` of `random-nested.ts` and `random-options.ts`. */
export const MIXED_DECLARATIONS = `
trait Limit {
    fn between(self, low: int, high: int) int
        requires low <= high
        requires high < 100
    fn scaled(self, by: int) int
        requires by > 0
    {
        return self.between(by, by * 2)
    }
}
class Near impl Limit {
    n: int
    fn between(self, low: int, high: int) int { return self.n + high * 3 - low }
}
class Far impl Limit {
    near: Near
    fn between(self, low: int, high: int) int { return self.near.between(low, high + 1) * 2 }
}
fn limited(limit: Limit, low: int, size: int) int { return limit.between(low & 15, (low & 15) + (size & 15)) }
error Lost { kind: Mark?, list: [int], held: [int]?, rows: [[int]], next: fn(int) int, data: bytes, n: int, near: Limit }
fn first_of(list: [int]?) int? {
    let all = list?
    return all[0]
}
fn lose(n: int, list: [int], rows: [[int]], near: Limit) int {
    if (n & 1) == 0 { return n - 1 }
    let mut kind: Mark? = none
    if (n & 2) == 0 { kind = mark_of((n >> 3) & 15, 0.5, "m") }
    let mut held: [int]? = none
    if (n & 4) == 0 { held = rows[0] }
    raise Lost {
        near: near,
        rows: rows,
        next: (x: int) => x * n,
        kind: kind,
        n: n,
        list: list,
        held: held,
        data: f"{n}".to_bytes()
    }
}
fn lost(n: int, list: [int], rows: [[int]], near: Limit) int {
    return lose(n, list, rows, near) catch e: Lost {
        let add = e.next
        let late = (x: int) => x + e.n + e.list.len() * 10
        e.n += 3
        if e.held == row_of(list) { e.n += 1000 }
        if e.held == none { e.n += 50 }
        if first_of(e.held) == some_int(e.rows[0][0]) { e.n += 7 }
        e.list = e.rows[1]
        if e.kind == none { e.data = "x".to_bytes() }
        add(5) + late(2) + e.rows.len() * 100 + e.data.len() * 10000 + e.near.scaled(1)
    }
}
fn lost_text(n: int, list: [int], rows: [[int]], near: Limit) string {
    let mut text = ""
    let got = lose(n, list, rows, near) catch e {
        let kept = [e]
        let shown = () => kept[0].message
        text = shown()
        n
    }
    return f"{text}{got}"
}
fn nested_loss(n: int, list: [int], rows: [[int]], near: Limit) int {
    return lose(lose(n, list, rows, near)! + 1, list, rows, near) catch 7
}
fn caught_loss(n: int, list: [int], rows: [[int]], near: Limit) int {
    return nested_loss(n, list, rows, near) catch e { e.message.len() }
}`;

/** A range; its end is exclusive. */
interface Span {
  readonly from: bigint;
  readonly end: bigint;
}

/** The name of a mark in a message, whose numbers are those of `mark_of`. */
const markName = (n: bigint): string => `Mark.${['Off', 'On', 'Pair', 'Pair'][Number(n & 3n)] ?? ''}`;

/** The result of `between` of an object: `near` is the number in a `Near`, also inside of a `Far`. */
const between = (near: bigint, isFar: boolean, low: bigint, high: bigint): bigint =>
  wrap(isFar ? (near + (high + 1n) * 3n - low) * 2n : near + high * 3n - low);

/** The variables of a function that runs. Copies share the lists. */
export class Mixed {
  span: Span = { from: 2n, end: 5n };
  readonly spans: Span[] = [this.span, { from: 4n, end: 4n }];
  total = 0n;
  readonly boxes: bigint[][];
  readonly start: bigint;

  constructor(start: bigint) {
    this.start = start;
    this.boxes = [[start, 2n], [3n]];
  }

  copy(): Mixed {
    return Object.assign(new Mixed(0n), this);
  }

  #box(index: Expr, evaluate: (expr: Expr) => Value): bigint[] {
    return this.boxes[Number((evaluate(index) as bigint) & 1n)] ?? [];
  }

  run(one: MixedStatement, evaluate: (expr: Expr) => Value): void {
    const int = (expr: Expr): bigint => evaluate(expr) as bigint;
    const at = (expr: Expr): number => Number(int(expr) & 1n);
    switch (one.kind) {
      case 'set-span': {
        const [from, to] = [int(one.from) & 7n, int(one.to) & 7n];
        this.span = { from, end: one.isInclusive ? to + 1n : to };
        return;
      }
      case 'set-last-span': {
        const last = 2n ** 63n - 1n;
        this.span = { from: last - (int(one.from) & 3n), end: one.isInclusive ? last + 1n : last };
        return;
      }
      case 'put-span':
        this.spans[at(one.index)] = this.span;
        return;
      case 'take-span':
        this.span = this.spans[at(one.index)] ?? this.span;
        return;
      case 'add-span': {
        const { from, end } = this.spans[at(one.index)] ?? this.span;
        for (let n = from; n < end; n += 1n) {
          if (n === 3n) continue;
          this.total = wrap(this.total * 3n + n);
        }
        return;
      }
      case 'put-box': {
        const index = at(one.index);
        this.boxes[index] = [int(one.value)];
        return;
      }
      case 'take-box': {
        const index = at(one.index);
        this.boxes[index] = this.#box(one.from, evaluate);
        return;
      }
    }
  }

  value(expr: MixedExpr, evaluate: (expr: Expr) => Value): Value {
    const int = (one: Expr): bigint => evaluate(one) as bigint;
    switch (expr.kind) {
      case 'total':
        return this.total;
      case 'is-span':
        return this.spans[Number(int(expr.index) & 1n)] === this.span;
      case 'limited': {
        const [index, low, size] = [int(expr.index) & 1n, int(expr.low) & 15n, int(expr.size) & 15n];
        return this.#between(index === 1n, low, low + size);
      }
      case 'scaled': {
        const isFar = (int(expr.index) & 1n) === 1n;
        const by = (int(expr.by) & 7n) + 1n;
        return this.#between(isFar, by, by * 2n);
      }
      case 'lost': {
        const n = int(expr.of);
        const list = this.#box(expr.index, evaluate);
        const isFar = (int(expr.limit) & 1n) === 1n;
        if ((n & 1n) === 0n) return wrap(n - 1n);
        const isHeld = (n & 4n) === 0n && this.boxes[0] === list;
        const size = (n & 2n) === 0n ? String(n).length : 1;
        const isNone = (n & 4n) !== 0n;
        const later = 2n + n + (isHeld ? 1003n : 3n) + (isNone ? 50n : 7n) + BigInt(this.boxes[1]?.length ?? 0) * 10n;
        return wrap(n * 5n + later + 200n + BigInt(size) * 10_000n + this.#between(isFar, 1n, 2n));
      }
      case 'lost-text': {
        const n = int(expr.of);
        evaluate(expr.index);
        if ((n & 1n) === 0n) return String(wrap(n - 1n));
        return `${(n & 2n) === 0n ? markName((n >> 3n) & 15n) : 'none'}${n}`;
      }
      case 'caught-loss': {
        const n = int(expr.of);
        evaluate(expr.index);
        // Only the error of the argument is raised again.
        if ((n & 1n) === 0n) return (wrap(n - 1n + 1n) & 1n) === 0n ? wrap(n - 1n) : 7n;
        return BigInt(((n & 2n) === 0n ? markName((n >> 3n) & 15n) : 'none').length);
      }
    }
  }

  #between(isFar: boolean, low: bigint, high: bigint): bigint {
    return between(isFar ? 3n : this.start, isFar, low, high);
  }

  /** The output of a function for them. */
  get shown(): readonly unknown[] {
    const { total, span, boxes } = this;
    return [
      total,
      ...Array.from({ length: Number(span.end > span.from ? span.end - span.from : 0n) }, (_, at) =>
        wrap(span.from + BigInt(at)),
      ),
      ...boxes.flat(),
    ];
  }
}

type Exprs = Readonly<Record<'int' | 'float' | 'bool' | 'text', fc.Arbitrary<Expr>>>;

export const mixedInts = ({ int }: Exprs): fc.Arbitrary<MixedExpr> =>
  fc.oneof(
    fc.constant<MixedExpr>({ kind: 'total' }),
    fc.tuple(int, int, int).map(([index, low, size]): MixedExpr => ({ kind: 'limited', index, low, size })),
    fc.tuple(int, int).map(([index, by]): MixedExpr => ({ kind: 'scaled', index, by })),
    {
      weight: 4,
      arbitrary: fc.tuple(int, int, int).map(([of, index, limit]): MixedExpr => ({ kind: 'lost', of, index, limit })),
    },
    fc.tuple(int, int).map(([of, index]): MixedExpr => ({ kind: 'caught-loss', of, index })),
  );

export const mixedBools = ({ int }: Exprs): fc.Arbitrary<MixedExpr> =>
  int.map((index): MixedExpr => ({ kind: 'is-span', index }));

export const mixedTexts = ({ int }: Pick<Exprs, 'int'>): fc.Arbitrary<MixedExpr> =>
  fc.tuple(int, int).map(([of, index]): MixedExpr => ({ kind: 'lost-text', of, index }));

export const mixedStatements = ({ int }: Exprs): fc.Arbitrary<MixedStatement> =>
  fc.oneof(
    fc
      .tuple(int, int, fc.boolean())
      .map(([from, to, isInclusive]): MixedStatement => ({ kind: 'set-span', from, to, isInclusive })),
    fc
      .tuple(int, fc.boolean())
      .map(([from, isInclusive]): MixedStatement => ({ kind: 'set-last-span', from, isInclusive })),
    int.map((index): MixedStatement => ({ kind: 'put-span', index })),
    int.map((index): MixedStatement => ({ kind: 'take-span', index })),
    int.map((index): MixedStatement => ({ kind: 'add-span', index })),
    fc.tuple(int, int).map(([index, value]): MixedStatement => ({ kind: 'put-box', index, value })),
    fc.tuple(int, int).map(([index, from]): MixedStatement => ({ kind: 'take-box', index, from })),
  );

let loops = 0;

export function mixedLines(of: MixedStatement, text: (one: Expr) => string): readonly string[] {
  const dots = 'isInclusive' in of && of.isInclusive ? '..=' : '..';
  switch (of.kind) {
    case 'set-span':
      return [`span = ${text(of.from)} & 7${dots}${text(of.to)} & 7`];
    case 'set-last-span':
      return [`span = 9223372036854775807 - (${text(of.from)} & 3)${dots}9223372036854775807`];
    case 'put-span':
      return [`spans[${text(of.index)} & 1] = span`];
    case 'take-span':
      return [`span = spans[${text(of.index)} & 1]`];
    case 'add-span': {
      loops += 1;
      const name = `step${loops}`;
      return [
        `for ${name} in spans[${text(of.index)} & 1] {`,
        `if ${name} == 3 { continue }`,
        `total = total * 3 + ${name}`,
        '}',
      ];
    }
    case 'put-box':
      return [`boxes[${text(of.index)} & 1] = [${text(of.value)}]`];
    case 'take-box':
      return [`boxes[${text(of.index)} & 1] = boxes[${text(of.from)} & 1]`];
  }
}

export function mixedExprText(of: MixedExpr, text: (one: Expr) => string): string {
  switch (of.kind) {
    case 'total':
      return 'total';
    case 'is-span':
      return `(spans[${text(of.index)} & 1] == span)`;
    case 'limited':
      return `limited(limits[${text(of.index)} & 1], ${text(of.low)}, ${text(of.size)})`;
    case 'scaled':
      return `limits[${text(of.index)} & 1].scaled((${text(of.by)} & 7) + 1)`;
    case 'lost':
      return `lost(${text(of.of)}, boxes[${text(of.index)} & 1], boxes, limits[${text(of.limit)} & 1])`;
    case 'lost-text':
      return `lost_text(${text(of.of)}, boxes[${text(of.index)} & 1], boxes, limits[0])`;
    case 'caught-loss':
      return `caught_loss(${text(of.of)}, boxes[${text(of.index)} & 1], boxes, limits[0])`;
  }
}

export const MIXED_VARIABLES = [
  'let mut span = 2..5',
  'let mut spans = [span, 4..4]',
  'let mut total = 0',
  'let limits: [Limit] = [Near { n: start }, Far { near: Near { n: 3 } }]',
  'let mut boxes = [[start, 2], [3]]',
];

export const MIXED_SHOWS = [
  'print(total)',
  'for one_step in span { print(one_step) }',
  'for box in boxes { for n_in_box in box { print(n_in_box) } }',
];
