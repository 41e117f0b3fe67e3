import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sortInSteps } from '../../../src/base/sort-in-steps.ts';
import { runToEnd } from '../../../src/base/time-slice.ts';

test('sorts in steps exactly as a stable sort', () => {
  const pair = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer());
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 700 }), list => {
      const compare = (a: readonly number[], b: readonly number[]): number => (a[0] ?? 0) - (b[0] ?? 0);
      assert.deepEqual(runToEnd(sortInSteps(list, compare)), list.toSorted(compare));
    }),
    { numRuns: 50 },
  );
});
