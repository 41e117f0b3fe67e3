import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fasterThanLinear } from '../../../scripts/bench/shapes/growth-rate.ts';

const samples = (amount: (instances: number) => number) =>
  Array.from({ length: 50 }, (_, index) => ({ instances: (index + 1) * 100, amount: amount((index + 1) * 100) }));

test('tells linear growth from quadratic growth', () => {
  assert.ok(fasterThanLinear(samples(n => 3 * n)) < 1.1);
  assert.ok(fasterThanLinear(samples(n => n * Math.log2(n))) < 2);
  assert.ok(fasterThanLinear(samples(n => n * n)) > 3);
  assert.equal(fasterThanLinear([]), 0);
});
