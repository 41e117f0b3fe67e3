import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, mkdtemp, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { createJsonBaseStore } from '../../src/adapters/node/json-base-store.ts';
import type { BaseState, BaseStore } from '../../src/ports/base-store.ts';
import { MemoryBaseStore } from '../harness/memory-base-store.ts';

const state = (source: string): BaseState => ({ source, properties: { Disabled: source } });

/** The contract of every `BaseStore`. */
function baseStoreContract(name: string, create: () => Promise<{ readonly bases: BaseStore } & AsyncDisposable>): void {
  test(`${name}: starts empty for each place, and keeps places separate`, async () => {
    await using world = await create();
    await world.bases.update('one', new Map([['a', state('1')]]));
    assert.deepEqual(await world.bases.load('two'), new Map());
    assert.deepEqual(await world.bases.load('one'), new Map([['a', state('1')]]));
  });

  test(`${name}: adds, replaces and removes entries in an update, and keeps the others`, async () => {
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

  test(`${name}: computes changes from the current states, without another update in between`, async () => {
    await using world = await create();
    const count = (states: ReadonlyMap<string, BaseState>) =>
      new Map([['a', state(String(Number(states.get('a')?.source ?? '0') + 1))]]);
    await Promise.all(Array.from({ length: 8 }, () => world.bases.update('p', count)));
    assert.deepEqual(await world.bases.load('p'), new Map([['a', state('8')]]));
    await world.bases.update('p', () => new Map());
    assert.deepEqual(await world.bases.load('p'), new Map([['a', state('8')]]));
  });

  test(`${name}: never changes a loaded map`, async () => {
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

test('keeps the updates of two windows that write at the same time', async () => {
  await using world = await inFolder();
  const other = createJsonBaseStore(world.folder);
  const keys = Array.from({ length: 20 }, (_, n) => `key ${n}`);
  await Promise.all(keys.map((key, n) => (n % 2 ? other : world.bases).update('p', new Map([[key, state(key)]]))));
  for (const bases of [world.bases, other])
    assert.deepEqual([...(await bases.load('p')).keys()].toSorted(), keys.toSorted());
  assert.equal((await readdir(world.folder)).length, 1);
});

test('reads what another window writes with the same size in the same tick of the clock', async () => {
  await using world = await inFolder();
  await world.bases.update('p', new Map([['a', state('1')]]));
  const [name = ''] = await readdir(world.folder);
  const path = join(world.folder, name);
  const { atime, mtime } = await stat(path);
  await utimes(path, atime, mtime);
  assert.deepEqual((await world.bases.load('p')).get('a'), state('1'));
  await createJsonBaseStore(world.folder).update('p', new Map([['a', state('2')]]));
  await utimes(path, atime, mtime);
  assert.deepEqual((await world.bases.load('p')).get('a'), state('2'));
});

test('takes over the lock of a crashed process, and treats an unreadable file as empty', async () => {
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

test('keeps only the states of the places that were used last in memory, and every update', async () => {
  await using world = await inFolder();
  const places = Array.from({ length: 8 }, (_, n) => `place ${n}`);
  await Promise.all(places.map(place => world.bases.update(place, new Map([['a', state(place)]]))));
  const first = await world.bases.load('place 0');
  for (const place of places.slice(1)) {
    assert.deepEqual(await world.bases.load(place), new Map([['a', state(place)]]));
    assert.equal(await world.bases.load('place 0'), first, 'used last');
  }
  for (const place of places.slice(1)) await world.bases.load(place);
  const again = await world.bases.load('place 0');
  assert.notEqual(again, first);
  assert.deepEqual(again, first);
});

const many = new Map(Array.from({ length: 1_000 }, (_, at) => [`ReplicatedStorage/S${at}`, state(`${at}`)]));
const some = new Map(Array.from(many).slice(0, 40));
const onlyFile = async (folder: string): Promise<string> => join(folder, (await readdir(folder))[0] ?? '');

test('appends a small change of a large place, and writes all states again when the changes are as large as they are', async () => {
  await using world = await inFolder();
  await world.bases.update('p', many);
  const path = await onlyFile(world.folder);
  const whole = await stat(path);
  await world.bases.update('p', new Map([['ReplicatedStorage/S7', state('x')]]));
  const appended = await stat(path);
  assert.equal(appended.ino, whole.ino);
  assert.ok(appended.size - whole.size < 300, `${appended.size - whole.size} bytes`);
  const fifth = new Map(Array.from(many).slice(0, 200));
  for (let round = 0; round < 8; round += 1) await world.bases.update('p', fifth);
  assert.ok((await stat(path)).size < 2.5 * whole.size);
  assert.deepEqual(await createJsonBaseStore(world.folder).load('p'), many);
});

test('ignores what a crash left of an appended change, and writes later changes', async () => {
  await using world = await inFolder();
  await world.bases.update('p', many);
  await world.bases.update('p', new Map([['a', state('1')]]));
  await appendFile(await onlyFile(world.folder), '{"changes":{"a":{"source":"2","prop');
  const next = createJsonBaseStore(world.folder);
  assert.deepEqual((await next.load('p')).get('a'), state('1'));
  await next.update('p', new Map([['b', state('2')]]));
  const expected = new Map([...many, ['a', state('1')], ['b', state('2')]]);
  assert.deepEqual(await createJsonBaseStore(world.folder).load('p'), expected);
});

test('knows nothing of a place when an appended change is damaged, because an older state may be wrong', async () => {
  await using world = await inFolder();
  await world.bases.update('p', many);
  await world.bases.update('p', new Map([['a', state('1')]]));
  const path = await onlyFile(world.folder);
  const text = await readFile(path, 'utf8');
  const at = text.lastIndexOf('"source":"1"');
  await writeFile(path, `${text.slice(0, at)}"source":"2"${text.slice(at + '"source":"1"'.length)}`);
  assert.deepEqual(await createJsonBaseStore(world.folder).load('p'), new Map());
});

test('reads the states of one of the updates from a file that ends anywhere, and otherwise those of the last', async () => {
  const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'é/\n "x"');
  const value = fc.option(fc.string({ maxLength: 3 }).map(state), { nil: undefined });
  const updates = fc.array(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(updates, fc.double({ min: 0, max: 1, noNaN: true }), async (all, part) => {
      await using world = await inFolder();
      await world.bases.update('p', some);
      const path = await onlyFile(world.folder);
      const whole = (await stat(path)).size;
      const expected = [new Map<string, BaseState>(some)];
      for (const update of all) {
        await world.bases.update('p', new Map(update));
        const next = new Map(expected.at(-1));
        for (const [name, one] of new Map(update))
          if (one === undefined) next.delete(name);
          else next.set(name, one);
        expected.push(next);
      }
      assert.deepEqual(await createJsonBaseStore(world.folder).load('p'), expected.at(-1));
      const { size } = await stat(path);
      await truncate(path, whole + Math.floor((size - whole) * part));
      const cut = await createJsonBaseStore(world.folder).load('p');
      assert.ok(expected.some(one => isDeepStrictEqual(one, cut)));
    }),
    { numRuns: 40 },
  );
});
