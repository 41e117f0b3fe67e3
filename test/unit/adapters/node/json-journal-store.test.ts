import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createJsonJournalStore } from '../../../../src/adapters/node/json-journal-store.ts';

async function start() {
  const root = await mkdtemp(join(tmpdir(), 'atlas-journal-'));
  const folder = join(root, 'journal');
  return {
    folder,
    journal: createJsonJournalStore(folder),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}
const none: ReadonlyMap<string, Uint8Array> = new Map();

test('[P1] a journal is whole for the next process: order, records and blobs', async () => {
  await using world = await start();
  await world.journal.append('a', { what: 'pull' }, new Map([['src/x.luau', new TextEncoder().encode('before')]]));
  await createJsonJournalStore(world.folder).append('b', 'second', none);
  const again = createJsonJournalStore(world.folder);
  assert.deepEqual(
    (await again.list()).map(({ runId, record }) => ({ runId, record })),
    [
      { runId: 'b', record: 'second' },
      { runId: 'a', record: { what: 'pull' } },
    ],
  );
  assert.equal(String(await again.readBlob('a', 'src/x.luau')), 'before');
});

test('what a crash left half-written does not count, and does not stand in the way', async () => {
  await using world = await start();
  await mkdir(join(world.folder, '.unfinished-run'), { recursive: true });
  await writeFile(join(world.folder, '.unfinished-run', 'record.json'), '{"runId"');
  assert.deepEqual(await world.journal.list(), []);
  await world.journal.append('run', 1, none);
  assert.deepEqual(await readdir(world.folder), ['00000001-run']);
});

test('a run without an ending is cut off once its process is gone, and goes on while it is there', async () => {
  await using world = await start();
  await world.journal.append('run', 1, none);
  const isGoingOn = async () => (await createJsonJournalStore(world.folder).unfinished())[0]?.isRunning;
  assert.equal(await isGoingOn(), true);
  const path = join(world.folder, '00000001-run', 'record.json');
  const head = JSON.parse(await readFile(path, 'utf8')) as { owner: object };
  const owned = (owner: object) => writeFile(path, JSON.stringify({ ...head, owner: { ...head.owner, ...owner } }));
  await owned({ pid: process.ppid, processStart: undefined, instance: 'other' });
  assert.equal(await isGoingOn(), true);
  await owned({ pid: process.ppid, processStart: 'another', instance: 'other' });
  assert.equal(await isGoingOn(), false);
  await owned({ pid: 2 ** 22 + 1, instance: 'other' });
  assert.equal(await isGoingOn(), false);
});

test('entries and left-overs that are too old go', async () => {
  await using world = await start();
  for (const runId of ['old', 'new']) {
    await world.journal.append(runId, 1, none);
    await world.journal.finish(runId, {});
  }
  const leftOver = join(world.folder, '.unfinished-x');
  await mkdir(leftOver);
  const longAgo = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
  for (const path of [join(world.folder, '00000001-old', 'record.json'), leftOver])
    await utimes(path, longAgo, longAgo);
  await world.journal.prune({ maxBytes: 1e9, maxDays: 2 });
  assert.deepEqual(await readdir(world.folder), ['00000002-new']);
});
