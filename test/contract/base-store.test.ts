import assert from 'node:assert/strict';
import { readdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJsonBaseStore } from '../../src/adapters/node/json-base-store.ts';
import type { BaseState, BaseStore } from '../../src/ports/base-store.ts';
import { MemoryBaseStore } from '../harness/memory-base-store.ts';

const state = (source: string): BaseState => ({ source, properties: { Disabled: source } });

/** What every `BaseStore` promises. */
function baseStoreContract(name: string, create: () => Promise<{ readonly bases: BaseStore } & AsyncDisposable>): void {
  test(`${name}: nothing is known of a place at first, and places do not mix`, async () => {
    await using world = await create();
    await world.bases.update('one', new Map([['a', state('1')]]));
    assert.deepEqual(await world.bases.load('two'), new Map());
    assert.deepEqual(await world.bases.load('one'), new Map([['a', state('1')]]));
  });

  test(`${name}: an update adds, replaces and forgets, and leaves the rest`, async () => {
    await using world = await create();
    await world.bases.update('p', new Map(['a', 'b', '__proto__'].map(key => [key, state(key)])));
    await world.bases.update(
      'p',
      new Map([
        ['a', undefined],
        ['c', state('c')],
        ['b', { properties: {} }],
      ]),
    );
    assert.deepEqual(
      [...(await world.bases.load('p'))].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      [
        ['__proto__', state('__proto__')],
        ['b', { properties: {} }],
        ['c', state('c')],
      ],
    );
  });

  test(`${name}: keeps outdated states of every place as earlier ones only`, async () => {
    await using world = await create();
    await world.bases.outdateAll();
    for (const place of ['one', 'two']) await world.bases.update(place, new Map([['a', state('1')]]));
    await world.bases.outdateAll();
    const old: BaseState = { properties: {}, isOutdated: true, earlier: { Disabled: ['1'], Source: ['1'] } };
    for (const place of ['one', 'two']) assert.deepEqual(await world.bases.load(place), new Map([['a', old]]));
    await world.bases.update('one', new Map([['b', state('2')]]));
    assert.deepEqual(await world.bases.load('one'), new Map(Object.entries({ a: old, b: state('2') })));
  });

  test(`${name}: what was loaded does not change under its reader`, async () => {
    await using world = await create();
    await world.bases.update('p', new Map([['a', state('1')]]));
    const before = await world.bases.load('p');
    await world.bases.update('p', new Map([['a', state('2')]]));
    assert.deepEqual(before.get('a'), state('1'));
  });
}

const inFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atlas-base-'));
  return {
    folder,
    bases: createJsonBaseStore(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
};
baseStoreContract('memory', async () => ({ bases: new MemoryBaseStore(), async [Symbol.asyncDispose]() {} }));
baseStoreContract('folder', inFolder);

test('two windows that learn at once lose nothing of each other', async () => {
  await using world = await inFolder();
  const other = createJsonBaseStore(world.folder);
  const keys = Array.from({ length: 20 }, (_, n) => `key ${n}`);
  await Promise.all(keys.map((key, n) => (n % 2 ? other : world.bases).update('p', new Map([[key, state(key)]]))));
  for (const bases of [world.bases, other])
    assert.deepEqual([...(await bases.load('p')).keys()].toSorted(), keys.toSorted());
  assert.equal((await readdir(world.folder)).length, 1);
});

test('a lock that a crash left is taken over, and a file that cannot be read counts as nothing', async () => {
  await using world = await inFolder();
  await world.bases.update('p', new Map([['a', state('1')]]));
  const [name] = await readdir(world.folder);
  const path = join(world.folder, name ?? '');
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 2 ** 22 + 1, bootedAt: 0 }));
  await world.bases.update('p', new Map([['b', state('2')]]));
  assert.deepEqual([...(await world.bases.load('p')).keys()], ['a', 'b']);
  await writeFile(path, '{"version":1');
  assert.deepEqual(await world.bases.load('p'), new Map());
});
