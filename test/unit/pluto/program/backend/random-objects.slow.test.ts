import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { functionText, steps } from './random-objects.ts';
import { DECLARATIONS, LATER, State } from './random-objects-state.ts';
import { outputOf, randomEngines } from './run-source.ts';

/** Functions in one module: compiling many small modules takes longer than running them. */
const FUNCTIONS_PER_MODULE = 50;
/** Where `later` waits, only JavaScript can express the functions, and what they do with objects becomes separate functions. */
const laters = fc.constantFrom(LATER.atOnce, LATER.fromTask);

test('runs objects, closures and errors like an independent evaluator', async () => {
  const modules = process.env['CI'] === undefined ? 5 : 400;
  const all = fc.array(steps, { minLength: FUNCTIONS_PER_MODULE, maxLength: FUNCTIONS_PER_MODULE });
  await fc.assert(
    fc.asyncProperty(all, randomEngines, laters, async (bodies, engine, later) => {
      const functions = bodies.map((body, index) => functionText(`program${index}`, body));
      const calls = bodies.map((_, index) => `program${index}()`);
      const source = [DECLARATIONS, later, ...functions, `fn main() {\n${calls.join('\n')}\n}`].join('\n');
      const expected = bodies.map(body => {
        const state = new State();
        for (const step of body) step.run(state);
        return `${state.output()}\n`;
      });
      assert.equal(await outputOf(source, engine), expected.join(''));
    }),
    { numRuns: modules },
  );
});
