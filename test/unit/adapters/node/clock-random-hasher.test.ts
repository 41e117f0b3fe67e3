import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { nodeRandom } from '../../../../src/adapters/node/random.ts';

test('computes the blob id of git', () => {
  const blob = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));
  assert.equal(blob(''), 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  assert.equal(blob('hello\n'), 'ce013625030ba8dba906f756967f9e9ca394464a');
  assert.equal(blob('ü\n'), 'be761e039de7c85a579bc09515401c5ee742c8de');
});

test('creates unique ids of the documented form', () => {
  assert.match(nodeRandom.ref(), /^[0-9a-f]{32}$/);
  assert.match(nodeRandom.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(nodeRandom.ref(), nodeRandom.ref());
});

test('fires a timer once after its time, and never when cancelled', async () => {
  const startedAt = nodeClock.now();
  let cancelledFired = false;
  nodeClock.after(1, () => (cancelledFired = true))();
  await new Promise<void>(resolve => nodeClock.after(10, resolve));
  // Timers use whole milliseconds of a clock that may be 1 ms behind.
  assert.ok(nodeClock.now() - startedAt >= 8);
  assert.equal(cancelledFired, false);
  assert.match(nodeClock.date(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});
