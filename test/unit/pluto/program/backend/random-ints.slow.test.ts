import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ofInts, wrap } from './int-operations.ts';
import { outputOf, randomEngines } from './run-source.ts';

/** Programs in one module, each a function: compiling many small modules takes longer than running them. */
const PROGRAMS_PER_MODULE = 50;
const VARIABLES = ['a', 'b', 'c', 'd'] as const;
/** The called functions, in which all compute the same. */
const CALLS = ['pick', 'closure', 'picker.pick', 'shape.choose', 'chooser.choose', 'generic'] as const;

type Expr =
  | { readonly kind: 'literal'; readonly value: bigint }
  | { readonly kind: 'variable'; readonly index: number }
  | { readonly kind: 'negation'; readonly of: Expr }
  | { readonly kind: 'call'; readonly how: (typeof CALLS)[number]; readonly args: readonly Expr[] }
  | { readonly kind: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr };
interface Statement {
  readonly target: number;
  readonly op: '=' | '+=' | '-=' | '*=' | '++' | '--' | 'list' | 'loop';
  readonly value: Expr;
}
interface RandomProgram {
  readonly values: readonly Expr[];
  readonly statements: readonly Statement[];
}

const edges = [0n, 1n, 2n, 7n, 2n ** 31n, 2n ** 32n, 2n ** 52n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n].flatMap(edge =>
  [edge - 1n, edge, edge + 1n].filter(value => value >= 0n && value < 2n ** 63n),
);
const literal = fc
  .oneof(fc.constantFrom(...edges), fc.bigInt(0n, 2n ** 63n - 1n))
  .map((value): Expr => ({ kind: 'literal', value }));
const { expr } = fc.letrec<{ expr: Expr }>(tie => ({
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literal,
    fc.nat(VARIABLES.length - 1).map((index): Expr => ({ kind: 'variable', index })),
    tie('expr').map((of): Expr => ({ kind: 'negation', of })),
    fc
      .tuple(fc.constantFrom(...CALLS), tie('expr'), tie('expr'))
      .map(([how, ...args]): Expr => ({ kind: 'call', how, args })),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'), tie('expr'), tie('expr'))
      .map(([op, left, right]): Expr => ({ kind: 'binary', op, left, right })),
  ),
}));
const program: fc.Arbitrary<RandomProgram> = fc.record({
  values: fc.tuple(literal, literal, literal, literal),
  statements: fc.array(
    fc.record({
      target: fc.nat(VARIABLES.length - 1),
      op: fc.constantFrom('=' as const, '+=', '-=', '*=', '++', '--', 'list', 'loop'),
      value: expr,
    }),
    { maxLength: 8 },
  ),
});

function evaluate(one: Expr, values: readonly bigint[]): bigint {
  switch (one.kind) {
    case 'literal':
      return one.value;
    case 'variable':
      return values[one.index] ?? 0n;
    case 'negation':
      return wrap(-evaluate(one.of, values));
    case 'call': {
      const [x = 0n, y = 0n] = one.args.map(arg => evaluate(arg, values));
      return x < y ? wrap(x - y) : wrap(x + 3n);
    }
    case 'binary':
      return ofInts(one.op, evaluate(one.left, values), evaluate(one.right, values));
  }
}

function sourceOf(one: Expr): string {
  switch (one.kind) {
    case 'literal':
      return String(one.value);
    case 'variable':
      return VARIABLES[one.index] ?? '';
    case 'negation':
      return `(-${sourceOf(one.of)})`;
    case 'call':
      return `${one.how}(${one.args.map(sourceOf).join(', ')})`;
    case 'binary': {
      const right = sourceOf(one.right);
      return `(${sourceOf(one.left)} ${one.op} ${'/%'.includes(one.op) ? `((${right} & 1023) + 1)` : right})`;
    }
  }
}

function run({ values: first, statements }: RandomProgram): string {
  const values = first.map(value => evaluate(value, []));
  for (const { target, op, value } of statements) {
    const before = values[target] ?? 0n;
    const found = op === '++' || op === '--' ? 1n : evaluate(value, values);
    if (op === '=' || op === 'list') values[target] = found;
    else if (op === 'loop')
      for (let i = 0n; i < (found & 7n); i += 1n) values[target] = wrap((values[target] ?? 0n) + i);
    else values[target] = ofInts(op.charAt(0), before, found);
  }
  return values.join(' ');
}

function functionOf({ values, statements }: RandomProgram, index: number): string {
  const lines = [
    'let three = 3',
    'let closure = (x: int, y: int) => if x < y { x - y } else { x + three }',
    'let picker = Picker { bias: three }',
    'let shape: Shape = Picker { bias: 1 }',
    'let chooser: Chooser = Second { bias: 3 }',
  ];
  lines.push(...values.map((value, at) => `let mut ${VARIABLES[at]} = ${sourceOf(value)}`));
  for (const [at, { target, op, value }] of statements.entries()) {
    const name = VARIABLES[target];
    if (op === '++' || op === '--') lines.push(`${name}${op}`);
    else if (op === 'list')
      lines.push(`let list${at} = [0, ${sourceOf(value)}]`, `${name} = list${at}[list${at}.len() - 1]`);
    else if (op === 'loop') lines.push(`for i${at} in 0..(${sourceOf(value)} & 7) { ${name} += i${at} }`);
    else lines.push(`${name} ${op} ${sourceOf(value)}`);
  }
  lines.push(`let show = () => f"{a} {b} {c} {d}"`, 'print(show())');
  return `fn program${index}() {\n    ${lines.join('\n    ')}\n}`;
}

const PICK = `
fn pick(x: int, y: int) int {
    if x < y { return x - y }
    return x + 3
}
trait Shape {
    fn choose(self, x: int, y: int) int { return pick(x, y) }
    fn bump(mut self, x: int) int
}
class Picker impl Shape {
    bias: int
    fn pick(self, x: int, y: int) int {
        if x < y { return x - y }
        return x + self.bias
    }
    fn bump(mut self, x: int) int {
        self.bias += x
        return self.bias
    }
}
trait Chooser {
    fn choose(self, x: int, y: int) int
}
class First impl Chooser {
    fn choose(self, x: int, y: int) int { return 0 }
}
class Second impl Chooser {
    bias: int
    fn choose(self, x: int, y: int) int {
        if x < y { return x - y }
        return x + self.bias
    }
}
fn applied<T>(f: fn(T) T, x: T) T { return f(x) }
fn bumped<T: Shape>(one: T, x: int) int {
    let mut own = one
    return own.bump(x)
}
fn generic(x: int, y: int) int {
    if x < y { return applied((z: int) => z - y, x) }
    return bumped(Picker { bias: x }, 3)
}
`;

test('computes ints like an independent evaluator, at the edges of 32, 53 and 64 bits', async () => {
  const modules = process.env['CI'] === undefined ? 10 : 400;
  const all = fc.array(program, { minLength: PROGRAMS_PER_MODULE, maxLength: PROGRAMS_PER_MODULE });
  await fc.assert(
    fc.asyncProperty(all, randomEngines, async (programs, engine) => {
      const calls = programs.map((_, index) => `    program${index}()`).join('\n');
      const source = [PICK, ...programs.map(functionOf), `fn main() {\n${calls}\n}`].join('\n');
      assert.equal(await outputOf(source, engine), `${programs.map(run).join('\n')}\n`);
    }),
    { numRuns: modules },
  );
});
