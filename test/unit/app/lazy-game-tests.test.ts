import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazyGameTests } from '../../../src/app/game-tests.ts';

test('loads the tests of the game again after a failed load', async () => {
  let loads = 0;
  const answers = async () => ({ status: 'passed' });
  const load = async () => {
    loads += 1;
    if (loads === 1) throw new Error('the file is missing');
    return answers;
  };
  const run = lazyGameTests(
    load as unknown as Parameters<typeof lazyGameTests>[0],
    { folder: '/game' } as unknown as Parameters<typeof lazyGameTests>[1],
  ) as unknown as () => Promise<unknown>;
  await assert.rejects(run(), /the file is missing/);
  assert.deepEqual(await run(), { status: 'passed' });
  await run();
  assert.equal(loads, 2);
});
