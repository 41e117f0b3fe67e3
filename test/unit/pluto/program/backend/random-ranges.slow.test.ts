import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ofInts } from './int-operations.ts';
import { outputOf, randomEngines } from './run-source.ts';

/**
 * Programs whose ints pass through parameters, fields and results, with an evaluator that shares no code with the compiler. An object is
 * a parameter of each function, so that none becomes WebAssembly.
 */
const FIELDS = ['a', 'b', 'c'] as const;
type Field = (typeof FIELDS)[number];
type Name = 'x' | 'y' | 'local' | 'k';

type Expr =
  | { readonly kind: 'literal'; readonly value: bigint }
  | { readonly kind: 'name'; readonly name: Name }
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'operation'; readonly op: string; readonly left: Expr; readonly right: Expr }
  | { readonly kind: 'choice'; readonly left: Expr; readonly right: Expr }
  /** Calls one of the functions after this one. */
  | { readonly kind: 'call'; readonly by: number; readonly x: Expr; readonly y: Expr }
  /** Calls a method of a trait. */
  | { readonly kind: 'dispatch'; readonly x: Expr };
interface Assignment {
  readonly kind: 'local' | Field;
  readonly op: '' | '+' | '-' | '*';
  readonly value: Expr;
}
type Statement =
  | Assignment
  | { readonly kind: 'loop'; readonly turns: number; readonly isWhile: boolean; readonly body: readonly Statement[] }
  | { readonly kind: 'return'; readonly value: Expr };
interface Body {
  readonly statements: readonly Statement[];
  readonly result: Expr;
}

const small = fc.bigInt(0n, 5n);
const edges = fc.constantFrom(
  255n,
  2n ** 31n,
  2n ** 52n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 53n - 2n ** 33n,
);
const ints = fc.oneof({ arbitrary: small, weight: 4 }, edges);
const literals = ints.map((value): Expr => ({ kind: 'literal', value }));
const exprs = fc.letrec<{ one: Expr }>(tie => ({
  one: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    literals,
    fc.constantFrom<Name>('x', 'y', 'local', 'k').map((name): Expr => ({ kind: 'name', name })),
    fc.constantFrom(...FIELDS).map((field): Expr => ({ kind: 'field', field })),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', '%', '&', '>>'), tie('one'), tie('one'))
      .map(([op, left, right]): Expr => ({ kind: 'operation', op, left, right })),
    fc.tuple(tie('one'), tie('one')).map(([left, right]): Expr => ({ kind: 'choice', left, right })),
    fc.tuple(fc.nat(2), tie('one'), tie('one')).map(([by, x, y]): Expr => ({ kind: 'call', by, x, y })),
    tie('one').map((x): Expr => ({ kind: 'dispatch', x })),
  ),
})).one;
const statements = fc.letrec<{ many: readonly Statement[] }>(tie => ({
  many: fc.array(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc
        .tuple(
          fc.constantFrom<'local' | Field>('local', ...FIELDS),
          fc.constantFrom('' as const, '+', '-', '*'),
          fc.oneof(literals, exprs),
        )
        .map(([kind, op, value]): Statement => ({ kind, op, value })),
      fc
        .tuple(fc.nat(2), fc.boolean(), tie('many'))
        .map(([turns, isWhile, body]): Statement => ({ kind: 'loop', turns, isWhile, body })),
      exprs.map((value): Statement => ({ kind: 'return', value })),
    ),
    { maxLength: 4 },
  ),
})).many;
const bodies = fc.record<Body>({ statements, result: exprs });

/** Number of functions; `f0` is called by `main`. */
const COUNT = 4;
const programs = fc.record({
  functions: fc.array(bodies, { minLength: COUNT, maxLength: COUNT }),
  method: bodies,
  first: fc.tuple(ints, ints),
});

/** Writes one function. A variable name is unique in its function. */
class Writer {
  readonly #index: number;
  /** The variable of the loop around the code. */
  #counter: string | undefined;
  #loops = 0;

  /** @param index `COUNT` for the method */
  constructor(index: number) {
    this.#index = index;
  }

  expr(expr: Expr): string {
    switch (expr.kind) {
      case 'literal':
        return String(expr.value);
      case 'name':
        return expr.name === 'k' ? (this.#counter ?? '3') : expr.name;
      case 'field':
        return `world.${expr.field}`;
      case 'operation': {
        const right = this.expr(expr.right);
        return `(${this.expr(expr.left)} ${expr.op} ${'/%'.includes(expr.op) ? `((${right} & 1023) + 1)` : right})`;
      }
      case 'choice':
        return `(if x < y { ${this.expr(expr.left)} } else { ${this.expr(expr.right)} })`;
      case 'call': {
        const callee = this.#index + 1 + expr.by;
        return callee < COUNT ? `f${callee}(world, ${this.expr(expr.x)}, ${this.expr(expr.y)})` : this.expr(expr.x);
      }
      case 'dispatch':
        return this.#index < COUNT ? `rule(world).apply(world, ${this.expr(expr.x)}, 2)` : this.expr(expr.x);
    }
  }

  lines(body: readonly Statement[]): readonly string[] {
    return body.flatMap((one): readonly string[] => {
      if (one.kind === 'loop') return this.#loop(one.turns, one.isWhile, one.body);
      if (one.kind === 'return') return [`if local < x { return ${this.expr(one.value)} }`];
      return [`${one.kind === 'local' ? 'local' : `world.${one.kind}`} ${one.op}= ${this.expr(one.value)}`];
    });
  }

  #loop(turns: number, isWhile: boolean, body: readonly Statement[]): readonly string[] {
    if (this.#counter !== undefined) return this.lines(body);
    this.#loops += 1;
    const counter = `k${this.#loops}`;
    this.#counter = counter;
    const inner = this.lines(body);
    this.#counter = undefined;
    return isWhile
      ? [`let mut ${counter} = 0`, `while ${counter} < ${turns} {`, ...inner, `${counter} += 1`, '}']
      : [`for ${counter} in 0..${turns} {`, ...inner, '}'];
  }

  body({ statements: all, result }: Body): string {
    return ['let mut local = y', ...this.lines(all), `return ${this.expr(result)}`].join('\n');
  }
}

interface Program {
  readonly functions: readonly Body[];
  readonly method: Body;
  readonly first: readonly [bigint, bigint];
}

const sourceOf = ({ functions, method, first }: Program): string => `
trait Rule { fn apply(self, world: World, x: int, y: int) int }
class Own impl Rule { n: int
fn apply(self, world: World, x: int, y: int) int {
${new Writer(COUNT).body(method)}
} }
class Fixed impl Rule { n: int
fn apply(self, world: World, x: int, y: int) int { return self.n } }
class World { a: int
b: int
c: int }
fn rule(world: World) Rule {
    if world.a < world.b { return Fixed { n: 7 } }
    return Own { n: 1 }
}
${functions.map((one, index) => `fn f${index}(world: World, x: int, y: int) int {\n${new Writer(index).body(one)}\n}`).join('\n')}
fn main() {
    let world = World { a: ${first[0]}, b: 4, c: 0 }
    print(f"{f0(world, ${first[0]}, ${first[1]})} {world.a} {world.b} {world.c}")
}`;

class Returned extends Error {
  readonly value: bigint;
  constructor(value: bigint) {
    super();
    this.value = value;
  }
}

class Evaluator {
  readonly #program: Program;
  readonly #world: Record<Field, bigint>;

  constructor(program: Program) {
    this.#program = program;
    this.#world = { a: program.first[0], b: 4n, c: 0n };
  }

  output(): string {
    const [x, y] = this.#program.first;
    const result = this.#call(0, x, y);
    return `${[result, ...Object.values(this.#world)].join(' ')}\n`;
  }

  #call(index: number, x: bigint, y: bigint): bigint {
    const body = index === COUNT ? this.#program.method : this.#program.functions[index];
    if (body === undefined) throw new Error('no function');
    const names: Record<Name, bigint> = { x, y, local: y, k: 3n };
    try {
      this.#run(body.statements, index, names, false);
      return this.#value(body.result, index, names);
    } catch (error) {
      if (error instanceof Returned) return error.value;
      throw error;
    }
  }

  #run(body: readonly Statement[], index: number, names: Record<Name, bigint>, isInLoop: boolean): void {
    for (const one of body) {
      if (one.kind === 'loop') {
        if (isInLoop) this.#run(one.body, index, names, true);
        else
          for (let turn = 0n; turn < one.turns; turn += 1n) {
            names.k = turn;
            this.#run(one.body, index, names, true);
          }
        if (!isInLoop) names.k = 3n;
      } else if (one.kind === 'return') {
        if (names.local < names.x) throw new Returned(this.#value(one.value, index, names));
      } else this.#assign(one, index, names);
    }
  }

  #assign(one: Assignment, index: number, names: Record<Name, bigint>): void {
    const read = (): bigint => (one.kind === 'local' ? names.local : this.#world[one.kind]);
    const before = one.op === '' ? 0n : read();
    const value = this.#value(one.value, index, names);
    const after = one.op === '' ? value : ofInts(one.op, before, value);
    if (one.kind === 'local') names.local = after;
    else this.#world[one.kind] = after;
  }

  #value(expr: Expr, index: number, names: Record<Name, bigint>): bigint {
    const value = (one: Expr): bigint => this.#value(one, index, names);
    switch (expr.kind) {
      case 'literal':
        return expr.value;
      case 'name':
        return names[expr.name];
      case 'field':
        return this.#world[expr.field];
      case 'operation':
        return ofInts(expr.op, value(expr.left), value(expr.right));
      case 'choice':
        return names.x < names.y ? value(expr.left) : value(expr.right);
      case 'call': {
        const callee = index + 1 + expr.by;
        if (callee >= COUNT) return value(expr.x);
        const x = value(expr.x);
        return this.#call(callee, x, value(expr.y));
      }
      case 'dispatch': {
        if (index === COUNT) return value(expr.x);
        const isFixed = this.#world.a < this.#world.b;
        const x = value(expr.x);
        return isFixed ? 7n : this.#call(COUNT, x, 2n);
      }
    }
  }
}

test('computes ints in parameters, fields and results like an independent evaluator', async () => {
  const numRuns = process.env['CI'] === undefined ? 300 : 5000;
  await fc.assert(
    fc.asyncProperty(programs, randomEngines, async (program, engine) => {
      assert.equal(await outputOf(sourceOf(program), engine), new Evaluator(program).output());
    }),
    { numRuns },
  );
});
