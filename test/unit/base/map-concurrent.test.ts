import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mapConcurrent } from '../../../src/base/map-concurrent.ts';

test('keeps the order of the items and the limit', async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrent([5, 1, 4, 2, 3], 2, async item => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  assert.deepEqual(results, [50, 10, 40, 20, 30]);
  assert.equal(most, 2);
  assert.deepEqual(await mapConcurrent([], 2, async () => 1), []);
});

test('throws the first failure and starts nothing more', async () => {
  const begun: number[] = [];
  const failing = mapConcurrent([1, 2, 3, 4], 1, async item => {
    begun.push(item);
    if (item === 2) throw new Error('two');
  });
  await assert.rejects(failing, /two/);
  assert.deepEqual(begun, [1, 2]);
});
