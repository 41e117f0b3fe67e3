/** Scalars that may be `none`, bytes, powers, numbers in texts, and functions of lists, in the random functions of `random-code.ts`. */
import fc from 'fast-check';
import type { Expr, OptionExpr, OptionList, OptionStatement, Value } from './random-code-types.ts';
import { wrap } from './int-operations.ts';
import { hashOf, Table } from './random-tables.ts';

export const OPTION_DECLARATIONS = `
enum Guess {
    Unknown
    Made { n: int?, x: float?, on: bool?, b: byte }
}
error Unsure { n: int?, x: float?, on: bool?, b: byte, c: byte? }
fn set_if(n: int?, into: [int]) { into[0] = n? }
fn int_or(n: int?, otherwise: int) int {
    let held = [otherwise]
    set_if(n, held)
    return held[0]
}
fn some_int(n: int) int? { return n }
fn some_float(x: float) float? { return x }
fn some_bool(on: bool) bool? { return on }
fn next_of(n: int?) int? {
    let one = n?
    return one + 1
}
fn unsure(n: int?, x: float?, on: bool?, b: byte) int {
    if n == none || on == none { raise Unsure { on: on, b: b, n: n, x: x, c: if on == none { none } else { b } } }
    return int_or(n, 0)
}
fn power_of(base: int, exponent: int) int { return pow(base, exponent) catch e: MathError { e.message.len() } }
fn backwards(text: string) string {
    let mut out = ""
    for c in text { out = c + out }
    return out
}`;

/** A key of `guesses`. */
interface Guess {
  readonly n: bigint | undefined;
  readonly x: number | undefined;
  readonly on: boolean | undefined;
  readonly b: bigint;
}

const hashOfOption = (value: Value | undefined): bigint => {
  if (value === undefined) return 0n;
  return hashOf(typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value);
};

const hashOfGuess = ({ n, x, on, b }: Guess): bigint =>
  BigInt.asUintN(
    32,
    [hashOf(1n), hashOfOption(n), hashOfOption(x), hashOfOption(on), hashOf(b)].reduce((sum, part) => sum * 31n + part),
  );

const isSameGuess = (left: Guess, right: Guess): boolean =>
  left.n === right.n && left.x === right.x && left.on === right.on && left.b === right.b;

const byteOf = (value: bigint): bigint => value & 255n;

function power(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) return BigInt('negative exponent'.length);
  let result = 1n;
  for (const digit of exponent.toString(2)) result = wrap(result * result * (digit === '1' ? base : 1n));
  return result;
}

function parsed(text: string): bigint | undefined {
  if (!/^\s*[-+]?\d+\s*$/.test(text)) return undefined;
  const value = BigInt(text.trim().replace('+', ''));
  const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
  return value < least ? least : value > most ? most : value;
}

const clamp = (index: bigint, length: number): number =>
  index < 0n ? 0 : index > BigInt(length) ? length : Number(index);

/** The variables of a function that runs. Copies share the lists, the bytes and the maps. */
export class Options {
  maybe: bigint | undefined;
  share: number | undefined = 0.5;
  chance: boolean | undefined;
  low = 7n;
  readonly lists: { readonly maybes: Value[]; readonly reals: Value[]; readonly raw: Value[] };
  readonly buffer = [97n, 98n];
  readonly guesses = new Table<bigint, Guess>(hashOfGuess, isSameGuess);
  readonly counts = new Table<bigint, bigint>();

  constructor(start: bigint) {
    this.guesses.put({ n: undefined, x: undefined, on: undefined, b: 0n }, start);
    this.lists = { maybes: ['none', start], reals: [-0, 1.5], raw: [1n, 200n] };
  }

  copy(): Options {
    return Object.assign(new Options(0n), this);
  }

  run(one: OptionStatement, evaluate: (expr: Expr) => Value): void {
    const int = (expr: Expr): bigint => evaluate(expr) as bigint;
    const at = (expr: Expr): number => Number(int(expr) & 1n);
    switch (one.kind) {
      case 'set-maybe':
        this.maybe = evaluate(one.isNone) === true ? undefined : int(one.value);
        return;
      case 'set-size':
        this.share = evaluate(one.isNone) === true ? undefined : (evaluate(one.value) as number);
        return;
      case 'set-chance':
        this.chance = evaluate(one.isNone) === true ? undefined : (evaluate(one.value) as boolean);
        return;
      case 'set-low':
        this.low = byteOf(int(one.value));
        return;
      case 'put-next': {
        const index = at(one.index);
        const next = this.lists.maybes[index] ?? 'none';
        this.lists.maybes[index] = typeof next === 'bigint' ? wrap(next + 1n) : next;
        return;
      }
      case 'guess': {
        const { maybe: n, share: x, chance: on, low: b } = this;
        return this.guesses.put({ n, x, on, b }, int(one.value));
      }
      case 'count':
        return this.counts.put(this.low, int(one.value));
      case 'push-byte':
        if (this.buffer.length < 50) this.buffer.push(byteOf(int(one.value)));
        return;
      case 'put-byte': {
        const index = at(one.index);
        this.buffer[index] = byteOf(int(one.value));
        return;
      }
      case 'insert': {
        const list = this.lists[one.list];
        if (list.length < 50) list.splice(at(one.index), 0, this.#element(one.list));
        return;
      }
      case 'remove': {
        const list = this.lists[one.list];
        if (list.length <= 2) return;
        const [removed = 'none'] = list.splice(at(one.index), 1);
        if (typeof removed === 'number') this.share = removed;
        else if (one.list === 'raw') this.low = removed as bigint;
        else this.maybe = typeof removed === 'bigint' ? removed : undefined;
        return;
      }
      case 'reverse':
        this.lists[one.list].reverse();
    }
  }

  /** The element that is inserted into a list, or searched in it. */
  #element(list: OptionList): Value {
    if (list === 'raw') return this.low;
    return list === 'reals' ? Number(this.low) - 0.5 : (this.maybe ?? 'none');
  }

  value(expr: OptionExpr, evaluate: (expr: Expr) => Value): Value {
    const int = (one: Expr): bigint => evaluate(one) as bigint;
    const text = (one: Expr): string => evaluate(one) as string;
    switch (expr.kind) {
      case 'maybe-or': {
        const found = this.lists.maybes[Number(int(expr.index) & 1n)];
        const otherwise = int(expr.otherwise);
        return typeof found === 'bigint' ? found : otherwise;
      }
      case 'parsed': {
        const found = parsed(`${int(expr.number)}${text(expr.text)}`);
        const otherwise = int(expr.otherwise);
        return found ?? otherwise;
      }
      case 'unsure': {
        const { maybe, share, chance, low } = this;
        if (maybe !== undefined && chance !== undefined) return maybe;
        const isSame = share === undefined || !Number.isNaN(share);
        const c = chance === undefined ? 5n : 6n;
        return wrap((maybe ?? 3n) + (isSame ? 10n : 0n) + 100n + low * 1000n + c * 1_000_000n);
      }
      case 'power':
        return power(int(expr.base), int(expr.exponent));
      case 'byte-of':
        return byteOf(int(expr.of));
      case 'buffer-byte':
        return this.buffer[Number(int(expr.index) & 1n)] ?? 0n;
      case 'option-sizes': {
        const { guesses, counts, buffer, lists } = this;
        return BigInt(guesses.size + counts.size * 1000 + buffer.length * 10 ** 6 + lists.raw.length * 10 ** 9);
      }
      case 'find':
        return BigInt(this.lists[expr.list].findIndex(one => Object.is(one, this.#element(expr.list))));
      case 'slice': {
        const list = this.lists[expr.list];
        const [from, to] = [clamp(int(expr.from), list.length), clamp(int(expr.to), list.length)];
        return BigInt(Math.max(to - from, 0));
      }
      case 'repeat': {
        const times = (int(expr.times) & 3n) - 1n;
        return times < 0n ? 0n : BigInt(`ab${text(expr.text)}`.length) * times;
      }
      case 'bytes-in':
        return BigInt(text(expr.text).length);
      case 'place-backwards':
        return BigInt(Array.from(text(expr.text)).toReversed().join('').indexOf(text(expr.part)));
      case 'is-maybe':
        return this.maybe === int(expr.value);
      case 'is-size':
        return this.share === evaluate(expr.value);
      case 'is-chance':
        return this.chance === evaluate(expr.value);
      case 'has-none':
        return this.lists.maybes.includes('none');
      case 'byte-less':
        return byteOf(int(expr.left)) < byteOf(int(expr.right));
      case 'has-element':
        return this.lists[expr.list].some(one => Object.is(one, this.#element(expr.list)));
    }
  }

  /** The output of a function for them. */
  get shown(): readonly unknown[] {
    const { maybe, share, chance, low, lists, buffer, guesses, counts } = this;
    return [
      maybe ?? -1n,
      share === undefined,
      chance === true,
      low,
      ...lists.maybes.map(one => (one === 'none' ? -1n : one)),
      ...lists.reals,
      ...lists.raw,
      ...buffer,
      buffer.length,
      ...guesses.values(),
      ...counts.keys().map(key => `${key} ${counts.get(key)}`),
    ];
  }
}

type Exprs = Readonly<Record<'int' | 'float' | 'bool' | 'text', fc.Arbitrary<Expr>>>;

const lists = fc.constantFrom<OptionList>('maybes', 'reals', 'raw');
const small = (int: fc.Arbitrary<Expr>): fc.Arbitrary<Expr> =>
  fc.oneof(
    int,
    fc.bigInt(0n, 9n).map((value): Expr => ({ kind: 'literal', value })),
  );

export const optionInts = ({ int, text }: Exprs): fc.Arbitrary<OptionExpr> =>
  fc.oneof(
    fc.tuple(int, int).map(([index, otherwise]): OptionExpr => ({ kind: 'maybe-or', index, otherwise })),
    fc
      .tuple(small(int), fc.oneof(text, fc.constantFrom<Expr>({ kind: 'literal', value: ' ' })), int)
      .map(([number, one, otherwise]): OptionExpr => ({ kind: 'parsed', number, text: one, otherwise })),
    fc.constant<OptionExpr>({ kind: 'unsure' }),
    fc.tuple(int, small(int)).map(([base, exponent]): OptionExpr => ({ kind: 'power', base, exponent })),
    int.map((of): OptionExpr => ({ kind: 'byte-of', of })),
    int.map((index): OptionExpr => ({ kind: 'buffer-byte', index })),
    fc.constant<OptionExpr>({ kind: 'option-sizes' }),
    lists.map((list): OptionExpr => ({ kind: 'find', list })),
    fc.tuple(lists, small(int), small(int)).map(([list, from, to]): OptionExpr => ({ kind: 'slice', list, from, to })),
    fc.tuple(text, int).map(([one, times]): OptionExpr => ({ kind: 'repeat', text: one, times })),
    text.map((one): OptionExpr => ({ kind: 'bytes-in', text: one })),
    fc.tuple(text, text).map(([one, part]): OptionExpr => ({ kind: 'place-backwards', text: one, part })),
  );

export const optionBools = ({ int, float, bool }: Exprs): fc.Arbitrary<OptionExpr> =>
  fc.oneof(
    int.map((value): OptionExpr => ({ kind: 'is-maybe', value })),
    float.map((value): OptionExpr => ({ kind: 'is-size', value })),
    bool.map((value): OptionExpr => ({ kind: 'is-chance', value })),
    fc.constant<OptionExpr>({ kind: 'has-none' }),
    fc.tuple(int, int).map(([left, right]): OptionExpr => ({ kind: 'byte-less', left, right })),
    lists.map((list): OptionExpr => ({ kind: 'has-element', list })),
  );

export const optionStatements = ({ int, float, bool }: Exprs): fc.Arbitrary<OptionStatement> =>
  fc.oneof(
    fc.tuple(int, bool).map(([value, isNone]): OptionStatement => ({ kind: 'set-maybe', value, isNone })),
    fc.tuple(float, bool).map(([value, isNone]): OptionStatement => ({ kind: 'set-size', value, isNone })),
    fc.tuple(bool, bool).map(([value, isNone]): OptionStatement => ({ kind: 'set-chance', value, isNone })),
    int.map((value): OptionStatement => ({ kind: 'set-low', value })),
    int.map((index): OptionStatement => ({ kind: 'put-next', index })),
    int.map((value): OptionStatement => ({ kind: 'guess', value })),
    int.map((value): OptionStatement => ({ kind: 'count', value })),
    int.map((value): OptionStatement => ({ kind: 'push-byte', value })),
    fc.tuple(int, int).map(([index, value]): OptionStatement => ({ kind: 'put-byte', index, value })),
    fc.tuple(lists, int).map(([list, index]): OptionStatement => ({ kind: 'insert', list, index })),
    fc.tuple(lists, int).map(([list, index]): OptionStatement => ({ kind: 'remove', list, index })),
    lists.map((list): OptionStatement => ({ kind: 'reverse', list })),
  );

/** The element that is inserted into a list, or searched in it. */
const ELEMENTS: Readonly<Record<OptionList, string>> = {
  maybes: 'maybe',
  reals: '(low as int as float - 0.5)',
  raw: 'low',
};
const REMOVED: Readonly<Record<OptionList, string>> = { maybes: 'maybe', reals: 'share', raw: 'low' };

export function optionLines(of: OptionStatement, text: (one: Expr) => string): readonly string[] {
  switch (of.kind) {
    case 'set-maybe':
      return [`if ${text(of.isNone)} { maybe = none } else { maybe = ${text(of.value)} }`];
    case 'set-size':
      return [`if ${text(of.isNone)} { share = none } else { share = ${text(of.value)} }`];
    case 'set-chance':
      return [`chance = if ${text(of.isNone)} { none } else { some_bool(${text(of.value)}) }`];
    case 'set-low':
      return [`low = (${text(of.value)}) as byte`];
    case 'put-next':
      return [`maybes[${text(of.index)} & 1] = next_of(maybes[${text(of.index)} & 1])`];
    case 'guess':
      return [`guesses[Guess.Made { x: share, b: low, n: maybe, on: chance }] = ${text(of.value)}`];
    case 'count':
      return [`counts[low] = ${text(of.value)}`];
    case 'push-byte':
      return [`if buffer.len() < 50 { buffer.push((${text(of.value)}) as byte) }`];
    case 'put-byte':
      return [`buffer[${text(of.index)} & 1] = (${text(of.value)}) as byte`];
    case 'insert':
      return [`if ${of.list}.len() < 50 { ${of.list}.insert_at(${text(of.index)} & 1, ${ELEMENTS[of.list]}) }`];
    case 'remove':
      return [`if ${of.list}.len() > 2 { ${REMOVED[of.list]} = ${of.list}.remove_at(${text(of.index)} & 1) }`];
    case 'reverse':
      return [`${of.list}.reverse()`];
  }
}

let handled = 0;

export function optionExprText(of: OptionExpr, text: (one: Expr) => string): string {
  switch (of.kind) {
    case 'maybe-or':
      return `int_or(maybes[${text(of.index)} & 1], ${text(of.otherwise)})`;
    case 'parsed':
      return `int_or((f"{${text(of.number).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}}" + ${text(of.text)}).to_int(), ${text(of.otherwise)})`;
    case 'unsure': {
      handled += 1;
      const name = `unsure${handled}`;
      const parts = [
        `int_or(${name}.n, 3)`,
        `(${name}.x == share) as int * 10`,
        `(${name}.on == chance) as int * 100`,
        `${name}.b as int * 1000`,
        `(if ${name}.c == none { 5 } else { 6 }) * 1000000`,
      ];
      return `(unsure(maybe, share, chance, low) catch ${name}: Unsure { ${parts.join(' + ')} })`;
    }
    case 'power':
      return `power_of(${text(of.base)}, ${text(of.exponent)})`;
    case 'byte-of':
      return `((${text(of.of)}) as byte as int)`;
    case 'buffer-byte':
      return `(buffer[${text(of.index)} & 1] as int)`;
    case 'option-sizes':
      return '(guesses.len() + counts.len() * 1000 + buffer.to_string().len() * 1000000 + raw.len() * 1000000000)';
    case 'find':
      return `${of.list}.index_of(${ELEMENTS[of.list]})`;
    case 'slice':
      return `${of.list}.slice(${text(of.from)}, ${text(of.to)}).len()`;
    case 'repeat':
      return `("ab" + ${text(of.text)}).repeat((${text(of.times)} & 3) - 1).len()`;
    case 'bytes-in':
      return `${text(of.text)}.to_bytes().len()`;
    case 'place-backwards':
      return `backwards(${text(of.text)}).index_of(${text(of.part)})`;
    case 'is-maybe':
      return `(maybe == some_int(${text(of.value)}))`;
    case 'is-size':
      return `(some_float(${text(of.value)}) == share)`;
    case 'is-chance':
      return `(chance == some_bool(${text(of.value)}))`;
    case 'has-none':
      return 'maybes.contains(none)';
    case 'byte-less':
      return `(((${text(of.left)}) as byte) < ((${text(of.right)}) as byte))`;
    case 'has-element':
      return `${of.list}.contains(${ELEMENTS[of.list]})`;
  }
}

export const OPTION_VARIABLES = [
  'let mut maybe: int? = none',
  'let mut share: float? = 0.5',
  'let mut chance: bool? = none',
  'let mut low = 7 as byte',
  'let mut maybes: [int?] = [none, start]',
  'let mut reals = [-0.0, 1.5]',
  'let mut raw = [1 as byte, 200 as byte]',
  'let buffer = "ab".to_bytes()',
  'let guesses = Map<Guess, int> { Guess.Made { n: none, x: none, on: none, b: 0 as byte }: start }',
  'let counts = Map<byte, int> {}',
];

export const OPTION_SHOWS = [
  'print(int_or(maybe, -1))',
  'print(none == share)',
  'print(chance == some_bool(true))',
  'print(low)',
  'for one_maybe in maybes { print(int_or(one_maybe, -1)) }',
  'for one_real in reals { print(one_real) }',
  'for one_byte in raw { print(one_byte) }',
  'for one_byte_of in buffer { print(one_byte_of) }',
  'print(buffer.len())',
  'for one_guess in guesses.values() { print(one_guess) }',
  'for one_count in counts.keys() { print(f"{one_count} {counts[one_count]}") }',
];
