import assert from 'node:assert/strict';
import fs, { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { mock, test } from 'node:test';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (text: string): string => nodeHasher.gitBlob(bytesOf(text));

/** A journal with the texts, none of which the text store relies on yet. */
async function openJournal(texts: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await tempFolder());
  const stored: string[] = [];
  const open = () =>
    createFileJournalStore(folder.path, {
      segmentBytes: 1,
      texts: { put: async added => void stored.push(...added.map(({ text }) => text())) },
    });
  await open().append('run', {}, new Map(texts.map(text => [hashOf(text), bytesOf(text)])), { status: 'success' });
  const list = join(folder.path, 'retained-blobs');
  const segments = async (): Promise<readonly string[]> =>
    (await readdir(folder.path)).filter(name => name.endsWith('.journal')).map(name => join(folder.path, name));
  const owned = stack.move();
  return { open, list, segments, stored, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('appends the ids of a run, and never writes the list of all runs again', async () => {
  const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
  await using world = await openJournal(texts);
  const journal = world.open();
  await journal.keepBlobs(texts.slice(0, 199).map(hashOf));
  const before = await stat(world.list);
  await journal.keepBlobs([hashOf('text 199')]);
  const after = await stat(world.list);
  assert.deepEqual([after.ino, after.size - before.size], [before.ino, 42]);
});

test('flushes the folder of a new list, so that a power failure does not remove its name', async () => {
  await using world = await openJournal(['one', 'two']);
  const journal = world.open();
  const opened = mock.method(fs, 'open');
  syncBuiltinESMExports();
  const flushes = (): number => {
    const { calls } = opened.mock;
    opened.mock.resetCalls();
    return calls.filter(({ arguments: [path] }) => path === dirname(world.list)).length;
  };
  try {
    await journal.keepBlobs([hashOf('one')]);
    assert.equal(flushes(), 1);
    await journal.keepBlobs([hashOf('two')]);
    assert.equal(flushes(), 0);
  } finally {
    opened.mock.restore();
    syncBuiltinESMExports();
  }
});

test('removes repeated ids when a process starts, so that the list does not grow with restarts', async () => {
  const texts = ['one', 'two'];
  await using world = await openJournal(texts);
  let largest = 0;
  for (let start = 0; start < 20; start += 1) {
    await world.open().keepBlobs(texts.map(hashOf));
    largest = Math.max(largest, (await stat(world.list)).size);
  }
  assert.ok(largest <= 4 * 83, `${largest} bytes`);
});

test('passes every text on when a crash has cut a line of the list', async () => {
  await using world = await openJournal(['one', 'two']);
  await world.open().keepBlobs([hashOf('one')]);
  await appendFile(world.list, hashOf('lost').slice(0, 17));
  await world.open().keepBlobs([hashOf('two')]);
  await world.open().append('later', {}, new Map(), { status: 'success' });
  await world.open().prune({ maxBytes: 1, maxDays: 30 });
  assert.deepEqual(world.stored.toSorted(), ['one', 'two']);
  assert.equal((await readFile(world.list, 'utf8')).trim(), '');
});

test('passes the other texts on when one is damaged, and prunes the segment', async () => {
  await using world = await openJournal(['one', 'two']);
  await world.open().keepBlobs(['one', 'two'].map(hashOf));
  const [segment = ''] = await world.segments();
  const bytes = await readFile(segment, 'latin1');
  await writeFile(segment, bytes.replace('\none\n', '\n0ne\n'), 'latin1');
  await world.open().append('later', {}, new Map(), { status: 'success' });
  await world.open().prune({ maxBytes: 1, maxDays: 30 });
  assert.deepEqual(world.stored, ['two']);
  assert.ok(!(await world.segments()).includes(segment));
});

test('passes only the texts of removed segments on', async () => {
  await using world = await openJournal(['one']);
  const journal = world.open();
  await journal.append('later', {}, new Map([[hashOf('two'), bytesOf('two')]]), { status: 'success' });
  await journal.keepBlobs(['one', 'two'].map(hashOf));
  await journal.prune({ maxBytes: 1, maxDays: 30 });
  assert.deepEqual(world.stored, ['one']);
  assert.deepEqual((await readFile(world.list, 'utf8')).trim(), hashOf('two'));
});
