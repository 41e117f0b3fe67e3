import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecodeBudget } from '../../../../src/base/decode/decode-budget.ts';

const limits = { bytes: 10, depth: 2, elements: 5, members: 3, text: 4 };

test('refuses an input with more bytes than the limit before it is decoded', () => {
  new DecodeBudget(limits, 10);
  assert.throws(() => new DecodeBudget(limits, 11), { name: 'DecodeBudgetError', excess: 'bytes' });
});
