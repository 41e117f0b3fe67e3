import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRows, median } from '../../../scripts/bench/row.ts';

test('the median of an even number of values is the mean of the middle two, in any order', () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.throws(() => median([]), RangeError);
});

test('a row shows whether its limit is met, and nothing without a limit', () => {
  const row = { name: 'n', unit: 'ms', runs: 1, detail: 'd' } as const;
  assert.match(formatRows([{ ...row, value: 5, limit: 5 }]), /5\.00 ms +at most 5 +met +d/);
  assert.match(formatRows([{ ...row, value: 5.1, limit: 5 }]), /NOT MET/);
  assert.doesNotMatch(formatRows([{ ...row, value: 5 }]), /met/i);
});
