import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fasterThanLinear } from '../../../scripts/bench/shapes/growth-rate.ts';

const samples = (amount: (size: number) => number) =>
  Array.from({ length: 50 }, (_, index) => ({ size: (index + 1) * 100, amount: amount((index + 1) * 100) }));

const growth = (amount: (size: number) => number): number => fasterThanLinear(samples(amount)) ?? Number.NaN;

test('distinguishes linear growth from quadratic growth', () => {
  assert.ok(growth(n => 3 * n) < 1.1);
  assert.ok(growth(n => n * Math.log2(n)) < 2);
  assert.ok(growth(n => n * n) > 3);
});

test('compares nothing with too few games', () => {
  assert.equal(fasterThanLinear([]), undefined);
  const four = [1, 2, 3, 4].map(scale => ({ size: scale * 100, amount: (scale * 100) ** 2 }));
  assert.equal(fasterThanLinear(four), undefined);
});
