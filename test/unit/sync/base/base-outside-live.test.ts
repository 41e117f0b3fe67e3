import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { baseOutsideLive } from '../../../../src/sync/base/base-outside-live.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

const known = new Map([['a', { properties: {} }]]);

test('while a Studio is kept in step nothing is known or learned, and what was known before is gone for good', async () => {
  const store = new MemoryBaseStore();
  const changed = new Emitter<void>();
  let count = 0;
  const bases = baseOutsideLive(store, { count: () => count, onDidChangeCount: changed.event }, memoryLog());
  await bases.update('p', known);
  assert.deepEqual(await bases.load('p'), known);
  count = 1;
  changed.fire();
  await bases.update('p', known);
  assert.deepEqual(await bases.load('p'), new Map());
  count = 0;
  changed.fire();
  assert.deepEqual(await bases.load('p'), new Map());
  await bases.update('p', known);
  assert.deepEqual(await bases.load('p'), known);
  bases[Symbol.dispose]();
  count = 1;
  changed.fire();
  assert.deepEqual(await store.load('p'), known);
});
