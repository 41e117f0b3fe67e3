import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { functionValuesOf } from '../../../../../src/pluto/program/backend/wasm/closures.ts';
import type { TypedFunction } from '../../../../../src/pluto/program/backend/typed/typed-form.ts';
import { formatFloat } from '../../../../../src/pluto/program/runtime/values/floats.ts';
import { type Expr, type HowToLeave, Leave, type Statement } from './random-code-types.ts';
import { DECLARATIONS, functionText, statements } from './random-code.ts';
import { Evaluator, twiceOfView } from './random-code-evaluator.ts';
import { outputOf, randomEngines } from './run-source.ts';
import { built } from './typed/build-source.ts';

/** Functions in one module: compiling many small modules takes longer than running them. */
const FUNCTIONS_PER_MODULE = 50;

const show = (value: unknown): string => (typeof value === 'number' ? formatFloat(value) : String(value));

/** The output of a function for its maps and its set, in the order of their keys. */
function shownTables({ m, w, u }: Evaluator['tables']): readonly unknown[] {
  const [first] = w.keys();
  if (first !== undefined) w.put(first, (w.get(first) ?? 0) + 0.5);
  const values = m.keys().map(key => m.get(key));
  const isSame = first === undefined ? [] : [true];
  const entries = m.keys().map((key, index) => `${key} ${values[index]}`);
  const elements = u.keys().map(element => `${element} true`);
  return [...entries, ...values, ...isSame, ...w.keys().flatMap(key => [key, w.get(key)]), ...elements];
}

function ranToItsEnd(evaluator: Evaluator, body: readonly Statement[]): boolean {
  try {
    evaluator.run(body);
    return true;
  } catch (error) {
    if (error instanceof Leave) return false;
    throw error;
  }
}

/** The output of a function, and of the caller, which has the int list too. */
function outputOfFunction(body: readonly Statement[]): string {
  const list: bigint[] = [4n, -5n];
  const words = ['one', ''];
  const evaluator = new Evaluator(9n, list, words);
  const isFinished = ranToItsEnd(evaluator, body);
  const { variables, lists, cells, p, q, s, items, views, functions } = evaluator;
  const shown = cells.flatMap(({ fields, name }) => [fields.int, fields.float, fields.bool, name]);
  const codes = items.map(item => Evaluator.codeOf(item, 5n));
  const objects = [
    ...shown,
    ...codes,
    true,
    evaluator.t.linked === undefined,
    ...views.map(view => twiceOfView(view, 1n)),
    ...functions.map(one => Evaluator.call(one, 2n)),
    ...shownTables(evaluator.tables),
    ...evaluator.nested.shown,
    p.fields.int,
    q.fields.int,
    p === q,
    s,
  ];
  const lines = [
    variables.int,
    variables.float,
    variables.bool,
    ...lists.int,
    ...lists.float,
    ...lists.bool,
    ...words,
    ...objects,
  ].map(show);
  const last = `${variables.int} ${list.length} ${list.at(-1)} ${words.length} ${words.at(-1)}`;
  return isFinished ? [...lines, last].join('\n') : last;
}

/** A module with a function for each of some bodies. */
function moduleOf(bodies: readonly (readonly Statement[])[]): string {
  const calls = bodies.map((_, index) => {
    const list = `list${index}`;
    const words = `words${index}`;
    const call = `let a${index} = program${index}(9, ${list}, ${words})`;
    const shown = [`a${index}`, ...[list, words].flatMap(one => [`${one}.len()`, `${one}.last()`])];
    return `let ${list} = [4, -5]\nlet ${words} = ["one", ""]\n${call}\nprint(f"${shown.map(one => `{${one}}`).join(' ')}")`;
  });
  const functions = bodies.map((body, index) => functionText(`program${index}`, body));
  return [DECLARATIONS, ...functions, `fn main() {\n${calls.join('\n')}\n}`].join('\n');
}

test('computes like an independent evaluator, in WebAssembly and in JavaScript', async () => {
  const modules = process.env['CI'] === undefined ? 10 : 200;
  const all = fc.array(statements, { minLength: FUNCTIONS_PER_MODULE, maxLength: FUNCTIONS_PER_MODULE });
  await fc.assert(
    fc.asyncProperty(all, randomEngines, async (bodies, engine) => {
      assert.equal(await outputOf(moduleOf(bodies), engine), `${bodies.map(outputOfFunction).join('\n')}\n`);
    }),
    { numRuns: modules },
  );
});

/** A function with statements that only JavaScript can express, before some of its statements. */
function withJavaScript(text: string, isBefore: (index: number) => boolean): string {
  let count = 0;
  return text.replaceAll(/^(?:let|print)\b/gm, start => {
    count += 1;
    return isBefore(count) ? `let tasks${count}: [Task<int>] = []\n${start}` : start;
  });
}

/** Statements between two that only JavaScript can express, if only the first one of a function is. */
const ALL = 1000;

/** A method whose loops use its object, and a function that calls it. */
function asMethod(text: string, index: number): string {
  const method = text
    .replace('(start', '(mut self, start')
    .replaceAll(/^(for i\d+_\d+ in 0\.\.\d+|let i\d+_\d+ = n\d+_\d+)/gm, '$1 + self.zero()');
  return `class Host${index} {
count: int
fn zero(mut self) int {
self.count += 1
return self.count - self.count
}
${method}}
fn host${index}() Host${index} { return Host${index} { count: 0 } }
fn program${index}(start: int, xs: [int], ws: [string]) int {
let mut host = host${index}()
return host.program${index}(start, xs, ws)
}
`;
}

const int = fc.oneof(
  fc.constantFrom<Expr>({ kind: 'counter' }, { kind: 'variable', type: 'int' }),
  fc.constantFrom(2n, -7n, 2n ** 40n).map((value): Expr => ({ kind: 'literal', value })),
);
/** Statements that use nothing but variables with scalars. */
const scalarStatements = fc.array(
  fc.oneof(
    int.map((value): Statement => ({ kind: 'add', value })),
    int.map((of): Statement => ({ kind: 'set', type: 'float', value: { kind: 'cast', to: 'float', of } })),
    fc.tuple(int, int).map(([left, right]): Statement => ({
      kind: 'set',
      type: 'bool',
      value: { kind: 'binary', op: '<', of: 'int', left, right },
    })),
  ),
  { maxLength: 5 },
);

/** Statements with a loop that breaks, continues or returns. */
const leavingLoops = fc
  .record({
    before: statements,
    inside: fc.oneof(statements, scalarStatements),
    after: fc.oneof(statements, scalarStatements),
    at: fc.nat(4),
    isWhile: fc.boolean(),
    how: fc.constantFrom<HowToLeave>('break', 'continue', 'return a'),
  })
  .map(({ before, inside, after, at, isWhile, how }): readonly Statement[] => {
    const right = { kind: 'literal', value: BigInt(at) } as const;
    const condition = { kind: 'binary', op: '==', of: 'int', left: { kind: 'counter' }, right } as const;
    const leave: Statement = { kind: 'leave', how, condition };
    return [...before, { kind: 'loop', times: 4, isWhile, body: [...inside, leave, ...after] }, ...after];
  });

interface Shape {
  /** The number of statements after each of those that only JavaScript can express. */
  readonly step: number;
  /** Whether each function is a method. */
  readonly isMethod: boolean;
}

function extractedModule(bodies: readonly (readonly Statement[])[], { step, isMethod }: Shape): string {
  const [module = '', main = ''] = moduleOf(bodies).split(/^(?=fn main\(\))/m);
  const [start = '', ...functions] = module.split(/^(?=fn program\d)/m);
  const blocking = functions.map((text, number) => {
    const changed = withJavaScript(text, index => index % step === 1);
    return isMethod ? asMethod(changed, number) : changed;
  });
  return [start, ...blocking, main].join('');
}

const shapes = fc.record({
  step: fc.oneof(fc.constant(ALL), fc.integer({ min: 2, max: 60 })),
  isMethod: fc.boolean(),
});

test('computes the same with loops that are extracted from functions', async () => {
  const modules = process.env['CI'] === undefined ? 3 : 40;
  const all = fc.array(fc.oneof(statements, leavingLoops), {
    minLength: FUNCTIONS_PER_MODULE,
    maxLength: FUNCTIONS_PER_MODULE,
  });
  await fc.assert(
    fc.asyncProperty(all, shapes, randomEngines, async (bodies, shape, engine) => {
      assert.equal(
        await outputOf(extractedModule(bodies, shape), engine),
        `${bodies.map(outputOfFunction).join('\n')}\n`,
      );
    }),
    { numRuns: modules },
  );
});

/** The functions of drawn loops that became WebAssembly. */
async function drawnLoops(shape: Shape): Promise<readonly TypedFunction[]> {
  const bodies = fc.sample(leavingLoops, { numRuns: FUNCTIONS_PER_MODULE, seed: 1 });
  const program = await built(extractedModule(bodies, shape));
  const analyses = runToEnd(closedTypes(program));
  const drawn = program.functions.filter(({ name }) => name.startsWith('program'));
  const first = new Set(new Map(drawn.toReversed().map(of => [of.name, of])).values());
  return drawn.filter(of => !first.has(of) && analyses.isWasm(of));
}

for (const isMethod of [false, true])
  test(`draws loops that are extracted from ${isMethod ? 'methods' : 'functions'}, and become WebAssembly`, async () => {
    const loops = await drawnLoops({ step: ALL, isMethod });
    assert.ok(loops.length >= FUNCTIONS_PER_MODULE, `${loops.length} are`);
    const takesObject = loops.some(({ body }) => body.params.some(({ name }) => name === '$self'));
    assert.equal(takesObject, isMethod);
    const outputs = [...loops, ...(await drawnLoops({ step: 2, isMethod }))].map(({ body }) => body.outputs ?? []);
    assert.ok(outputs.some(all => all.some(({ name }) => name === '$returns')));
    assert.ok(outputs.some(all => all.length > 2));
  });

test('draws functions that become WebAssembly', async () => {
  const program = await built(moduleOf(fc.sample(statements, { numRuns: FUNCTIONS_PER_MODULE, seed: 1 })));
  const analyses = runToEnd(closedTypes(program));
  const drawn = program.functions.filter(({ name }) => name.startsWith('program'));
  assert.equal(drawn.length, FUNCTIONS_PER_MODULE);
  assert.deepEqual(
    drawn.filter(of => !analyses.isSupported(of)),
    [],
  );
  assert.ok(functionValuesOf(program).some(({ type }) => analyses.kinds.closedOf(type)));
});
