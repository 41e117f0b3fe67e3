import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOnce } from '../../../src/base/load-once.ts';

test('shares the result of one load', async () => {
  let count = 0;
  const load = loadOnce(async () => (count += 1));
  assert.deepEqual(await Promise.all([load(), load()]), [1, 1]);
  assert.equal(await load(), 1);
});

test('loads again after a failed load', async () => {
  let count = 0;
  const load = loadOnce(async () => {
    count += 1;
    if (count === 1) throw new Error('the file is missing');
    return count;
  });
  await assert.rejects(Promise.all([load(), load()]), /the file is missing/);
  assert.equal(await load(), 2);
});
