import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptForNext } from '../../host/harness/keep-for-next.ts';

function windowLike() {
  const one = { isClosed: false, [Symbol.asyncDispose]: async () => void (one.isClosed = true) };
  return one;
}

test('gives the next test file what an earlier one kept', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [kept, one] = [new KeptForNext(), windowLike()];
  kept.keep(one);
  assert.equal(kept.take(), one);
  t.mock.timers.tick(10_000);
  assert.deepEqual([one.isClosed, kept.isEmpty], [false, true]);
});

test('closes what no other file takes, so that the process of a file that runs alone ends', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [kept, one] = [new KeptForNext(), windowLike()];
  kept.keep(one);
  t.mock.timers.tick(10_000);
  assert.deepEqual([one.isClosed, kept.isEmpty], [true, true]);
});
