import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { outdateWhileUnconfirmed } from '../../../../src/sync/base/outdate-while-unconfirmed.ts';
import { MemoryBaseStore } from '../../../harness/memory-base-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const known = new Map([['a', { properties: { Name: '1' } }]]);

test('knows only earlier states while a Studio confirms no changes, and learns nothing', async () => {
  const store = new MemoryBaseStore();
  const changed = new Emitter<void>();
  let count = 0;
  const bases = outdateWhileUnconfirmed(store, { count: () => count, onDidChangeCount: changed.event }, memoryLog());
  await bases.update('p', known);
  assert.deepEqual(await bases.load('p'), known);
  count = 1;
  changed.fire();
  await bases.update('p', known);
  const old = new Map([['a', { properties: {}, isOutdated: true, earlier: { Name: ['1'] } }]]);
  assert.deepEqual(await bases.load('p'), old);
  count = 0;
  changed.fire();
  assert.deepEqual(await bases.load('p'), old);
  await bases.update('p', known);
  assert.deepEqual(await bases.load('p'), known);
  bases[Symbol.dispose]();
  count = 1;
  changed.fire();
  assert.equal((await store.load('p')).get('a')?.isOutdated, undefined);
});

test('[P1] takes no state for a common one after the states could not be marked as outdated', async () => {
  const store = new MemoryBaseStore();
  const changed = new Emitter<void>();
  let count = 0;
  const bases = outdateWhileUnconfirmed(store, { count: () => count, onDidChangeCount: changed.event }, memoryLog());
  await bases.update('p', known);
  const failing = mock.method(store, 'outdateAll', () => Promise.reject(new Error('input/output error')));
  count = 1;
  changed.fire();
  await settle();
  count = 0;
  changed.fire();
  assert.equal((await bases.load('p')).get('a')?.isOutdated, true);
  await bases.update('p', known);
  assert.equal((await bases.load('p')).get('a')?.isOutdated, true, 'nothing is learned beside wrong states');
  failing.mock.restore();
  await bases.update('p', new Map([['b', { properties: {} }]]));
  const states = await bases.load('p');
  assert.deepEqual([states.get('a')?.isOutdated, states.get('b')?.isOutdated], [true, undefined]);
});
