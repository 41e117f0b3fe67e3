import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import type { JournalStore } from '../../src/ports/journal-store.ts';
import type { MemoryTextStore } from '../harness/memory-text-store.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const none: ReadonlyMap<string, Uint8Array> = new Map();

/** The contract of every `JournalStore`. */
export function journalStoreContract(
  name: string,
  create: () => Promise<{ readonly journal: JournalStore; readonly texts: MemoryTextStore } & AsyncDisposable>,
): void {
  test(`${name}: reads a record and its blobs again`, async () => {
    await using world = await create();
    const blobs = new Map([
      ['disk/src/a.luau', bytes('one')],
      ['studio/ServerScriptService/Ä', new Uint8Array([0, 255])],
      [`${'long/'.repeat(100)}x`, bytes('three')],
    ]);
    await world.journal.append('run-1', { what: 'pull' }, blobs);
    const entry = { runId: 'run-1', record: { what: 'pull' }, notes: [], ending: undefined, isRunning: true };
    assert.deepEqual(await world.journal.list(), [entry]);
    for (const [blob, content] of blobs)
      assert.deepEqual(Uint8Array.from(await world.journal.readBlob('run-1', blob)), content);
  });

  test(`${name}: lists the newest entry first`, async () => {
    await using world = await create();
    for (const runId of ['a', 'b', 'c']) await world.journal.append(runId, runId, none);
    assert.deepEqual(
      (await world.journal.list()).map(({ runId }) => runId),
      ['c', 'b', 'a'],
    );
  });

  test(`${name}: keeps all entries that are appended at the same time`, async () => {
    await using world = await create();
    await Promise.all(['a', 'b', 'c'].map(runId => world.journal.append(runId, runId, none)));
    assert.deepEqual((await world.journal.list()).map(({ runId }) => runId).toSorted(), ['a', 'b', 'c']);
  });

  test(`${name}: keeps every entry of a run that is recorded several times`, async () => {
    await using world = await create();
    await world.journal.append('run', { state: 'planned' }, new Map([['x', bytes('before')]]));
    await world.journal.append('run', { state: 'done' }, none);
    assert.deepEqual(
      (await world.journal.list()).map(({ record }) => record),
      [{ state: 'done' }, { state: 'planned' }],
    );
    assert.equal(new TextDecoder().decode(await world.journal.readBlob('run', 'x')), 'before');
  });

  test(`${name}: lists nothing at first, and rejects an unknown blob`, async () => {
    await using world = await create();
    assert.deepEqual(await world.journal.list(), []);
    await world.journal.append('run', 1, none);
    await assert.rejects(world.journal.readBlob('run', 'x'), { code: 'ENOENT' });
  });

  test(`${name}: adds notes and the last ending to the newest entry of a run`, async () => {
    await using world = await create();
    await world.journal.append('run', 'first', none);
    await world.journal.append('run', 'second', none);
    for (const note of [1, 2]) await world.journal.note('run', note);
    for (const status of ['unknown', 'done']) await world.journal.finish('run', { status });
    const seen = (await world.journal.list()).map(({ record, notes, ending, isRunning }) => ({
      record,
      notes,
      ending,
      isRunning,
    }));
    assert.deepEqual(seen, [
      { record: 'second', notes: [1, 2], ending: { status: 'done' }, isRunning: false },
      { record: 'first', notes: [], ending: undefined, isRunning: true },
    ]);
    assert.deepEqual((await world.journal.find('run'))?.record, 'second');
    assert.equal(await world.journal.find('other'), undefined);
    assert.deepEqual(
      (await world.journal.unfinished()).map(({ record }) => record),
      ['first'],
    );
    await assert.rejects(world.journal.finish('other', {}), { code: 'ENOENT' });
  });

  test(`${name}: records a complete entry with its ending`, async () => {
    await using world = await create();
    await world.journal.append('run', 1, none, { status: 'done' });
    assert.deepEqual((await world.journal.find('run'))?.ending, { status: 'done' });
    assert.deepEqual(await world.journal.unfinished(), []);
  });

  test(`${name}: removes entries beyond the limit except the newest and the open ones`, async () => {
    await using world = await create();
    const large = new Map([['x', new Uint8Array(10_000)]]);
    for (const runId of ['open', 'old', 'newer', 'newest']) await world.journal.append(runId, runId, large);
    for (const runId of ['old', 'newer', 'newest']) await world.journal.finish(runId, {});
    const runs = async (most?: number) => (await world.journal.list(most)).map(({ runId }) => runId);
    assert.deepEqual(await runs(2), ['newest', 'newer']);
    await world.journal.prune({ maxBytes: 25_000, maxDays: 30 });
    assert.deepEqual(await runs(), ['newest', 'newer', 'open']);
    await world.journal.prune({ maxBytes: 1, maxDays: 30 });
    assert.deepEqual(await runs(), ['newest', 'open']);
  });

  test(`${name}: finds blobs by git blob id, and passes on the kept ones when it removes them`, async () => {
    await using world = await create();
    const ids = ['kept', 'other', 'unknown'].map(text => nodeHasher.gitBlob(bytes(text)));
    const [kept = '', other = '', unknown = ''] = ids;
    const blobs = new Map([
      [kept, bytes('kept')],
      [other, bytes('other')],
    ]);
    await world.journal.append('old', 1, blobs, {});
    await world.journal.append('newest', 2, none, {});
    assert.deepEqual(await world.journal.keepBlobs([unknown]), new Set());
    assert.deepEqual(await world.journal.keepBlobs([kept, unknown]), new Set([kept]));
    assert.equal(new TextDecoder().decode(await world.journal.findBlob(other)), 'other');
    await world.journal.prune({ maxBytes: 1, maxDays: 30 });
    assert.deepEqual(
      await Promise.all(ids.map(id => world.journal.findBlob(id))),
      ids.map(() => undefined),
    );
    assert.deepEqual(Array.from(world.texts.texts), [[kept, 'kept']]);
  });

  test(`${name}: rejects a run id that is a path`, async () => {
    await using world = await create();
    await assert.rejects(world.journal.append('../run', 1, none), /cannot be the name of a run/);
  });
}
