import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalStore } from '../../src/ports/journal-store.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const none: ReadonlyMap<string, Uint8Array> = new Map();

/** What every `JournalStore` promises. */
export function journalStoreContract(
  name: string,
  create: () => Promise<{ readonly journal: JournalStore } & AsyncDisposable>,
): void {
  test(`${name}: a record and its blobs can be read again`, async () => {
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

  test(`${name}: the newest comes first, in the order of the calls`, async () => {
    await using world = await create();
    await Promise.all(['a', 'b', 'c'].map(runId => world.journal.append(runId, runId, none)));
    assert.deepEqual(
      (await world.journal.list()).map(({ runId }) => runId),
      ['c', 'b', 'a'],
    );
  });

  test(`${name}: a run may be recorded several times, and nothing of it is overwritten`, async () => {
    await using world = await create();
    await world.journal.append('run', { state: 'planned' }, new Map([['x', bytes('before')]]));
    await world.journal.append('run', { state: 'done' }, none);
    assert.deepEqual(
      (await world.journal.list()).map(({ record }) => record),
      [{ state: 'done' }, { state: 'planned' }],
    );
    assert.equal(new TextDecoder().decode(await world.journal.readBlob('run', 'x')), 'before');
  });

  test(`${name}: an empty journal is empty, and an unknown blob is missing`, async () => {
    await using world = await create();
    assert.deepEqual(await world.journal.list(), []);
    await world.journal.append('run', 1, none);
    await assert.rejects(world.journal.readBlob('run', 'x'), { code: 'ENOENT' });
  });

  test(`${name}: notes and the end of a run stand in its newest entry; the last word counts`, async () => {
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

  test(`${name}: what is over already is recorded with its ending`, async () => {
    await using world = await create();
    await world.journal.append('run', 1, none, { status: 'done' });
    assert.deepEqual((await world.journal.find('run'))?.ending, { status: 'done' });
    assert.deepEqual(await world.journal.unfinished(), []);
  });

  test(`${name}: a list can be cut short, and what is over the limit goes, but for the newest and the open`, async () => {
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

  test(`${name}: a run id cannot be a path`, async () => {
    await using world = await create();
    await assert.rejects(world.journal.append('../run', 1, none), /cannot be the name of a run/);
  });
}
