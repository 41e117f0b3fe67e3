import { test } from 'node:test';
import assert from 'node:assert/strict';
import { ConcurrencyBudget } from '../../../src/base/concurrency-budget.ts';

test('keeps the order of the items and the limit in nested calls, which never wait for each other', async () => {
  const budget = new ConcurrencyBudget(3);
  let [running, most] = [0, 0];
  const read = async (item: number): Promise<number> => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  };
  const nested = await budget.map([1, 2, 3, 4], first =>
    budget.map([5, 6, 7, 8], second => budget.map([first, second], read)),
  );
  assert.deepEqual(nested[3]?.[3], [40, 80]);
  assert.deepEqual(
    nested.flat(2),
    [1, 2, 3, 4].flatMap(first => [5, 6, 7, 8].flatMap(second => [first * 10, second * 10])),
  );
  // One more for the caller, which reads an item itself when the budget is used up.
  assert.ok(most > 1 && most <= 3 + 1, `${most}`);
  assert.deepEqual(await budget.map([], read), []);
  assert.deepEqual(await new ConcurrencyBudget(0).map([2, 1], read), [20, 10]);
});

test('throws the first failure, starts nothing more, and frees its places', async () => {
  const begun: number[] = [];
  const budget = new ConcurrencyBudget(1);
  const failing = budget.map([1, 2, 3, 4, 5], async item => {
    begun.push(item);
    if (item === 2) throw new Error('two');
  });
  await assert.rejects(failing, /two/);
  assert.deepEqual(begun, [1, 2]);
  let running = 0;
  let most = 0;
  await budget.map([1, 2], async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
  });
  assert.equal(most, 2);
});
