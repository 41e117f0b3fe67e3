import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbage } from '../../../scripts/bench/project/collect-garbage.ts';
import { SerialQueue } from '../../../src/base/serial-queue.ts';

test('frees the result of a job before the next job', async () => {
  const queue = new SerialQueue();
  const run = async (): Promise<WeakRef<object>> =>
    new WeakRef(await queue.run(new AbortController().signal, async () => ({ large: true })));
  const result = await run();
  await new Promise(resolve => setImmediate(resolve));
  collectGarbage();
  assert.equal(result.deref(), undefined);
  assert.equal(await queue.run(new AbortController().signal, async () => 2), 2);
});
