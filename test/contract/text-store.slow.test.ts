import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { createPackTextStore } from '../../src/adapters/node/pack-text-store.ts';
import type { TextStore, TextToStore } from '../../src/ports/text-store.ts';
import { MemoryTextStore } from '../harness/memory-text-store.ts';
import { tempFolder } from '../harness/temp-folder.ts';

const hashOf = (text: string): string => nodeHasher.gitBlob(new TextEncoder().encode(text));
const toStore = (text: string): TextToStore => ({ hash: hashOf(text), text: () => text });

/** Opens a store with the texts that earlier calls of `open` stored. */
type World = { readonly open: () => TextStore } & AsyncDisposable;

const worlds: Readonly<Record<string, () => Promise<World>>> = {
  async memory() {
    const store = new MemoryTextStore();
    return { open: () => store, async [Symbol.asyncDispose]() {} };
  },
  async packs() {
    const folder = await tempFolder();
    return {
      open: () => createPackTextStore(join(folder.path, 'texts')),
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
};

for (const [name, create] of Object.entries(worlds)) {
  test(`text store (${name}): returns every text by its hash, also in a later process`, async () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 2000 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(texts, texts, async (first, second) => {
        await using world = await create();
        const store = world.open();
        await store.put(first.map(toStore));
        await store.put(second.map(toStore));
        for (const text of [...first, ...second]) assert.equal(await world.open().get(hashOf(text)), text);
      }),
      { numRuns: 30 },
    );
  });

  test(`text store (${name}): reports which texts are missing`, async () => {
    await using world = await create();
    const store = world.open();
    assert.equal(await store.get(hashOf('a')), undefined);
    await store.put([toStore('a')]);
    assert.deepEqual(await store.missing([hashOf('a'), hashOf('b')]), [hashOf('b')]);
  });

  test(`text store (${name}): removes texts that are not needed first when it is too large`, async () => {
    await using world = await create();
    const store = world.open();
    // Random, so that it takes at least three quarters of its length when compressed.
    const random = (seed: number): string =>
      Array.from({ length: 400 }, (_, index) => Buffer.from(hashOf(`${seed} ${index}`), 'hex').toString('base64')).join(
        '',
      );
    const [old, needed, recent] = [1, 2, 3].map(random).map(toStore);
    assert.ok(old !== undefined && needed !== undefined && recent !== undefined);
    for (const text of [needed, old, recent]) await store.put([text]);
    await store.prune(24_000, () => new Set([needed.hash]));
    assert.deepEqual(await world.open().missing([old.hash, needed.hash, recent.hash]), [old.hash]);
    assert.equal(await store.get(needed.hash), needed.text());
    await store.prune(0, () => new Set([needed.hash]));
    assert.equal(await store.get(needed.hash), undefined);
  });
}

test('packs: joins many packs into one and keeps every text', async () => {
  await using folder = await tempFolder();
  const store = createPackTextStore(folder.path);
  const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
  for (const text of texts) await store.put([toStore(text)]);
  await store.prune(1_000_000, () => new Set());
  assert.equal((await readdir(folder.path)).length, 1);
  for (const text of texts) assert.equal(await store.get(hashOf(text)), text);
});

test('packs: stores a text that another process has stored only once', async () => {
  await using folder = await tempFolder();
  const [one, two] = [createPackTextStore(folder.path), createPackTextStore(folder.path)];
  await one.put([toStore('same')]);
  await two.put([toStore('same')]);
  assert.equal((await readdir(folder.path)).length, 1);
});

test('packs: ignores a damaged or foreign pack and keeps the others', async () => {
  await using folder = await tempFolder();
  const store = createPackTextStore(folder.path);
  await store.put([toStore('first text')]);
  const [first = ''] = await readdir(folder.path);
  await store.put([toStore('second text')]);
  const bytes = await readFile(join(folder.path, first));
  const damages: readonly Uint8Array[] = [
    new Uint8Array(),
    bytes.subarray(0, bytes.length / 2),
    bytes.map((byte, index) => (index === bytes.length - 3 ? byte ^ 64 : byte)),
    bytes.map((byte, index) => (index === 60 ? byte ^ 1 : byte)),
    new TextEncoder().encode('another version of the file'),
  ];
  for (const damage of damages) {
    await writeFile(join(folder.path, first), damage);
    const later = createPackTextStore(folder.path);
    assert.equal(await later.get(hashOf('first text')), undefined);
    assert.equal(await later.get(hashOf('second text')), 'second text');
  }
  await rm(join(folder.path, first));
  assert.equal(await store.get(hashOf('second text')), 'second text');
});

test('packs: stores a text again when its pack turned out to be damaged', async () => {
  await using folder = await tempFolder();
  const store = createPackTextStore(folder.path);
  const text = toStore('text '.repeat(100));
  await store.put([text]);
  const [name = ''] = await readdir(folder.path);
  const bytes = await readFile(join(folder.path, name));
  await writeFile(join(folder.path, name), bytes.fill(0, bytes.length - 4));
  assert.equal(await store.get(text.hash), undefined);
  await store.put([text]);
  assert.equal(await store.get(text.hash), text.text());
});

test('packs: lets two processes prune at the same time', async () => {
  await using folder = await tempFolder();
  const stores = [createPackTextStore(folder.path), createPackTextStore(folder.path)];
  const texts = Array.from({ length: 40 }, (_, index) => toStore(`text ${index}`));
  for (const text of texts) await stores[0]?.put([text]);
  await Promise.all(stores.map(store => store.prune(1_000_000, () => new Set())));
  for (const text of texts) assert.equal(await stores[1]?.get(text.hash), text.text());
});
