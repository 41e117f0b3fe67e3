import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { closedTypes } from '../../../../../src/pluto/program/backend/wasm/closed-types.ts';
import { functionValuesOf } from '../../../../../src/pluto/program/backend/wasm/closures.ts';
import { formatFloat } from '../../../../../src/pluto/program/runtime/values/floats.ts';
import type { Statement } from './random-code-types.ts';
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

/** The output of a function, and of the caller, which has the int list too. */
function outputOfFunction(body: readonly Statement[]): string {
  const list: bigint[] = [4n, -5n];
  const words = ['one', ''];
  const evaluator = new Evaluator(9n, list, words);
  evaluator.run(body);
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
  return [...lines, `${variables.int} ${list.length} ${list.at(-1)} ${words.length} ${words.at(-1)}`].join('\n');
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

const extractedModule = (bodies: readonly (readonly Statement[])[], step: number): string => {
  const [start = '', ...functions] = moduleOf(bodies).split(/^(?=fn program\d)/m);
  return [start, ...functions.map(text => withJavaScript(text, index => index % step === 1))].join('');
};

test('computes the same with loops that are extracted from functions', async () => {
  const modules = process.env['CI'] === undefined ? 3 : 40;
  const all = fc.array(statements, { minLength: FUNCTIONS_PER_MODULE, maxLength: FUNCTIONS_PER_MODULE });
  await fc.assert(
    fc.asyncProperty(
      all,
      fc.oneof(fc.constant(ALL), fc.integer({ min: 2, max: 60 })),
      randomEngines,
      async (bodies, step, engine) => {
        assert.equal(
          await outputOf(extractedModule(bodies, step), engine),
          `${bodies.map(outputOfFunction).join('\n')}\n`,
        );
      },
    ),
    { numRuns: modules },
  );
});

test('draws loops that are extracted, and become WebAssembly', async () => {
  const program = await built(extractedModule(fc.sample(statements, { numRuns: FUNCTIONS_PER_MODULE, seed: 1 }), ALL));
  const analyses = runToEnd(closedTypes(program));
  const drawn = program.functions.filter(({ name }) => name.startsWith('program'));
  const extracted = drawn.filter((of, index) => drawn.findIndex(({ name }) => name === of.name) < index);
  assert.ok(
    extracted.filter(of => analyses.isWasm(of)).length >= FUNCTIONS_PER_MODULE,
    `${extracted.length} extracted`,
  );
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
