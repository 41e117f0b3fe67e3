import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinJournals } from '../../../../src/sync/history/join-journals.ts';
import { recordedRuns } from '../../../../src/sync/history/recorded-runs.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';

const place = { name: 'Harbor', placeId: 1 };
const record = (runId: string, at: string) =>
  ({ version: 1, runId, at, mode: 'standard', requestedBy: 'you', place, items: [] }) as const;

test('lists the runs of all journals, newest first, and reads the texts of each', async () => {
  const [editor, commands] = [new MemoryJournalStore(), new MemoryJournalStore()];
  await editor.append('a', record('a', '2026-01-01T00:00:00Z'), new Map());
  await commands.append('b', record('b', '2026-01-02T00:00:00Z'), new Map([['file-0', new Uint8Array([1])]]));
  await editor.append('c', record('c', '2026-01-03T00:00:00Z'), new Map());
  const joined = joinJournals([editor, commands]);
  assert.deepEqual(
    (await recordedRuns(joined, 10, new CountingSlice())).map(({ runId }) => runId),
    ['c', 'b', 'a'],
  );
  assert.deepEqual(
    (await recordedRuns(joined, 1, new CountingSlice())).map(({ runId }) => runId),
    ['c'],
  );
  assert.deepEqual(await joined.readBlob('b', 'file-0'), new Uint8Array([1]));
  assert.equal((await joined.find('b'))?.runId, 'b');
  assert.equal(await joined.find('unknown'), undefined);
  await assert.rejects(joined.readBlob('unknown', 'file-0'));
});

test('reads the other journals when one cannot be read, and reports that one', async () => {
  const [editor, commands] = [new MemoryJournalStore(), new MemoryJournalStore()];
  await editor.append('a', record('a', '2026-01-01T00:00:00Z'), new Map([['file-0', new Uint8Array([1])]]));
  const refuse = () => Promise.reject(new Error("EACCES: permission denied, scandir '/state/commands'"));
  Object.assign(commands, { list: refuse, find: refuse, damage: refuse, readBlob: refuse });
  for (const journals of [
    [editor, commands],
    [commands, editor],
  ]) {
    const joined = joinJournals(journals);
    const [run, unreadable, ...others] = await recordedRuns(joined, 10, new CountingSlice());
    assert.deepEqual([run?.runId, unreadable?.status, others], ['a', 'unreadable', []]);
    assert.equal(
      unreadable?.summary,
      'This record cannot be read: a journal of this project (permission denied). The other records are not affected.',
    );
    assert.equal((await joined.find('a'))?.runId, 'a');
    assert.deepEqual(await joined.readBlob('a', 'file-0'), new Uint8Array([1]));
    await assert.rejects(joined.find('unknown'), /EACCES/);
    await assert.rejects(joined.readBlob('unknown', 'file-0'), /EACCES/);
  }
  await assert.rejects(joinJournals([commands]).list(), /EACCES/);
});

test('[P6] reads the blobs of a run without reading its record for each of them', async () => {
  const [editor, commands] = [new MemoryJournalStore(), new MemoryJournalStore()];
  await commands.append('a', record('a', '2026-01-01T00:00:00Z'), new Map([['file-0', new Uint8Array([1])]]));
  for (const journal of [editor, commands]) journal.find = () => assert.fail('a record can have many megabytes');
  assert.deepEqual(await joinJournals([editor, commands]).readBlob('a', 'file-0'), new Uint8Array([1]));
});
