/** Random well-typed functions over ints, floats, bools and lists of them, and an evaluator that shares no code with the compiler. */
import fc from 'fast-check';
import { ofInts, wrap } from './int-operations.ts';

export type Scalar = 'int' | 'float' | 'bool';
type Value = bigint | number | boolean;

/** Each function has a variable and a list of each type. Loops count in `i0`, `i1`, … */
type Expr =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'variable'; readonly type: Scalar }
  | { readonly kind: 'counter' }
  | { readonly kind: 'element'; readonly type: Scalar; readonly index: Expr }
  | { readonly kind: 'length'; readonly type: Scalar }
  | { readonly kind: 'unary'; readonly op: '-' | '!' | '~'; readonly of: Expr }
  | { readonly kind: 'binary'; readonly op: string; readonly of: Scalar; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'cast'; readonly to: Scalar; readonly of: Expr }
  | { readonly kind: 'choice'; readonly condition: Expr; readonly yes: Expr; readonly otherwise: Expr }
  | { readonly kind: 'call'; readonly args: readonly [Expr, Expr] };
export type Statement =
  | { readonly kind: 'set'; readonly type: Scalar; readonly value: Expr }
  | { readonly kind: 'add'; readonly value: Expr }
  | { readonly kind: 'step'; readonly op: '++' | '--' }
  | { readonly kind: 'put'; readonly type: Scalar; readonly index: Expr; readonly value: Expr }
  | { readonly kind: 'push'; readonly type: Scalar; readonly value: Expr }
  | { readonly kind: 'pop'; readonly type: Scalar }
  | {
      readonly kind: 'if';
      readonly condition: Expr;
      readonly yes: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'loop'; readonly times: number; readonly isWhile: boolean; readonly body: readonly Statement[] }
  | { readonly kind: 'each'; readonly body: readonly Statement[] }
  | { readonly kind: 'leave'; readonly how: 'break' | 'continue'; readonly condition: Expr };

const edges = [0n, 1n, 2n, 7n, 2n ** 31n, 2n ** 32n, 2n ** 52n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n].flatMap(edge =>
  [edge - 1n, edge, edge + 1n].filter(value => value >= 0n && value < 2n ** 63n),
);
const ints = fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, 2n ** 63n - 1n));
const floats = fc.constantFrom(0, 1, 0.5, 1.5, 3.25, 1e9, 2 ** 53, 2 ** 63, 1e300, 1e-300);
const literal = (value: fc.Arbitrary<Value>) => value.map((one): Expr => ({ kind: 'literal', value: one }));

const exprs = fc.letrec<Record<Scalar, Expr>>(tie => {
  const binary = (of: Scalar, ...ops: readonly string[]) =>
    fc
      .tuple(fc.constantFrom(...ops), tie(of), tie(of))
      .map(([op, left, right]): Expr => ({ kind: 'binary', op, of, left, right }));
  const unary = (op: '-' | '!' | '~', of: Scalar) => tie(of).map((one): Expr => ({ kind: 'unary', op, of: one }));
  const cast = (from: Scalar, to: Scalar) => tie(from).map((of): Expr => ({ kind: 'cast', to, of }));
  const common = (type: Scalar) => [
    fc.constant<Expr>({ kind: 'variable', type }),
    tie('int').map((index): Expr => ({ kind: 'element', type, index })),
    fc
      .tuple(tie('bool'), tie(type), tie(type))
      .map(([condition, yes, otherwise]): Expr => ({ kind: 'choice', condition, yes, otherwise })),
  ];
  const depth = { depthSize: 'small', withCrossShrink: true } as const;
  return {
    int: fc.oneof(
      depth,
      literal(ints),
      fc.constant<Expr>({ kind: 'counter' }),
      fc.constantFrom<Scalar>('int', 'float', 'bool').map((type): Expr => ({ kind: 'length', type })),
      ...common('int'),
      unary('-', 'int'),
      unary('~', 'int'),
      binary('int', '+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'),
      cast('float', 'int'),
      cast('bool', 'int'),
      fc.tuple(tie('int'), tie('int')).map((args): Expr => ({ kind: 'call', args })),
    ),
    float: fc.oneof(
      depth,
      literal(floats),
      ...common('float'),
      unary('-', 'float'),
      binary('float', '+', '-', '*', '/', '%'),
      cast('int', 'float'),
    ),
    bool: fc.oneof(
      depth,
      literal(fc.boolean()),
      ...common('bool'),
      unary('!', 'bool'),
      binary('int', '<', '<=', '>', '>=', '==', '!='),
      binary('float', '<', '<=', '>', '>=', '==', '!='),
      binary('bool', '==', '!=', '&&', '||'),
      cast('int', 'bool'),
    ),
  };
});

const typed = (make: (type: Scalar, value: fc.Arbitrary<Expr>) => fc.Arbitrary<Statement>) =>
  fc.oneof(make('int', exprs.int), make('float', exprs.float), make('bool', exprs.bool));

export const statements = fc.letrec<{ one: Statement; many: readonly Statement[] }>(tie => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    typed((type, value) => value.map(one => ({ kind: 'set', type, value: one }))),
    exprs.int.map((value): Statement => ({ kind: 'add', value })),
    fc.constantFrom('++' as const, '--').map((op): Statement => ({ kind: 'step', op })),
    typed((type, value) =>
      fc.tuple(exprs.int, value).map(([index, one]) => ({ kind: 'put', type, index, value: one })),
    ),
    typed((type, value) => value.map(one => ({ kind: 'push', type, value: one }))),
    typed(type => fc.constant({ kind: 'pop', type })),
    fc
      .tuple(exprs.bool, tie('many'), tie('many'))
      .map(([condition, yes, otherwise]): Statement => ({ kind: 'if', condition, yes, otherwise })),
    fc
      .tuple(fc.nat(4), fc.boolean(), tie('many'))
      .map(([times, isWhile, body]): Statement => ({ kind: 'loop', times, isWhile, body })),
    tie('many').map((body): Statement => ({ kind: 'each', body })),
    fc
      .tuple(fc.constantFrom('break' as const, 'continue'), exprs.bool)
      .map(([how, condition]): Statement => ({ kind: 'leave', how, condition })),
  ),
  many: fc.array(tie('one'), { maxLength: 4 }),
})).many;

const NAMES = { int: 'a', float: 'b', bool: 'c' } as const;
const LISTS = { int: 'xs', float: 'ys', bool: 'zs' } as const;

/** The text of an expression. `depth` is the number of loops around it. */
function textOf(expr: Expr, depth: number): string {
  const text = (one: Expr): string => textOf(one, depth);
  switch (expr.kind) {
    case 'literal': {
      if (typeof expr.value !== 'number') return String(expr.value);
      return /^\d+$/.test(String(expr.value)) ? `${expr.value}.0` : String(expr.value).replace(/^(\d+)e\+?/, '$1.0e');
    }
    case 'variable':
      return NAMES[expr.type];
    case 'counter':
      return depth === 0 ? '5' : `i${depth - 1}`;
    case 'element':
      return `${LISTS[expr.type]}[${text(expr.index)} & 1]`;
    case 'length':
      return `${LISTS[expr.type]}.len()`;
    case 'unary':
      return `(${expr.op}${text(expr.of)})`;
    case 'binary': {
      const right = text(expr.right);
      const isGuarded = expr.of === 'int' && '/%'.includes(expr.op);
      return `(${text(expr.left)} ${expr.op} ${isGuarded ? `((${right} & 1023) + 1)` : right})`;
    }
    case 'cast':
      return `(${text(expr.of)} as ${expr.to})`;
    case 'choice':
      return `(if ${text(expr.condition)} { ${text(expr.yes)} } else { ${text(expr.otherwise)} })`;
    case 'call':
      return `pick(${expr.args.map(text).join(', ')})`;
  }
}

function linesOf(body: readonly Statement[], depth: number): readonly string[] {
  const text = (one: Expr): string => textOf(one, depth);
  return body.flatMap((one): readonly string[] => {
    switch (one.kind) {
      case 'set':
        return [`${NAMES[one.type]} = ${text(one.value)}`];
      case 'add':
        return [`a += ${text(one.value)}`];
      case 'step':
        return [`a${one.op}`];
      case 'put':
        return [`${LISTS[one.type]}[${text(one.index)} & 1] = ${text(one.value)}`];
      case 'push':
        return [`if ${LISTS[one.type]}.len() < 50 {`, `${LISTS[one.type]}.push(${text(one.value)})`, '}'];
      case 'pop':
        return [`if ${LISTS[one.type]}.len() > 2 {`, `${NAMES[one.type]} = ${LISTS[one.type]}.pop()`, '}'];
      case 'if':
        return [
          `if ${text(one.condition)} {`,
          ...linesOf(one.yes, depth),
          '} else {',
          ...linesOf(one.otherwise, depth),
          '}',
        ];
      case 'loop': {
        const inner = linesOf(one.body, depth + 1);
        if (!one.isWhile) return [`for i${depth} in 0..${one.times} {`, ...inner, '}'];
        return [
          `let mut n${depth} = 0`,
          `while n${depth} < ${one.times} {`,
          `let i${depth} = n${depth}`,
          `n${depth}++`,
          ...inner,
          '}',
        ];
      }
      case 'each':
        return [`for i${depth} in [3, a, 9] {`, ...linesOf(one.body, depth + 1), '}'];
      case 'leave':
        return depth === 0 ? [] : [`if ${text(one.condition)} { ${one.how} }`];
    }
  });
}

/** Blocks, because a variable name is unique in its function. */
const scoped = (lines: readonly string[]): string => lines.join('\n');

/** A function that runs the statements and prints its variables and lists. */
export function functionText(name: string, body: readonly Statement[]): string {
  const shows = Object.values(LISTS).map(list => `for one_${list} in ${list} { print(one_${list}) }`);
  return [
    `fn ${name}(start: int, xs: [int]) int {`,
    'let mut a = start',
    'let mut b = 0.5',
    'let mut c = true',
    'let mut ys = [1.5, -2.0]',
    'let mut zs = [true, false]',
    scoped(renamed(linesOf(body, 0))),
    'print(a)',
    'print(b)',
    'print(c)',
    ...shows,
    'return a',
    '}',
  ].join('\n');
}

/** Gives the variables of each loop unique names. */
function renamed(lines: readonly string[]): readonly string[] {
  let count = 0;
  const names: string[] = [];
  const suffix = new Map<string, number>();
  return lines.map(line => {
    const declared = /^(?:let mut (n\d+)|for (i\d+) )/.exec(line);
    const depth = (declared?.[1] ?? declared?.[2])?.slice(1);
    if (depth !== undefined) {
      count += 1;
      suffix.set(depth, count);
      names.push(depth);
    }
    return line.replaceAll(/\b([in])(\d+)\b/g, (_, letter: string, at: string) => `${letter}${at}_${suffix.get(at)}`);
  });
}

class Leave extends Error {
  readonly how: 'break' | 'continue';
  constructor(how: 'break' | 'continue') {
    super(how);
    this.how = how;
  }
}

/** The variables and lists of a function that runs. */
export class Evaluator {
  readonly variables: Record<Scalar, Value> = { int: 0n, float: 0.5, bool: true };
  readonly lists: Record<Scalar, Value[]>;

  constructor(start: bigint, list: Value[]) {
    this.variables.int = start;
    this.lists = { int: list, float: [1.5, -2], bool: [true, false] };
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
        if (!(error instanceof Leave)) throw error;
        if (error.how === 'break') return;
      }
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
