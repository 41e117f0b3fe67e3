import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalEnding, JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import { readJournalEnding, readJournalRecord } from '../../../../src/protocol/journal/read-record.ts';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { recordedDiffs } from '../../../../src/sync/history/recorded-diffs.ts';
import { recordedRun } from '../../../../src/sync/history/recorded-runs.ts';
import { CountingSlice } from '../../../harness/counting-slice.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';

const COUNT = 5_000;
/** Items that may be processed in one turn of the event loop. */
const MAX_PER_TURN = 256;
const items = Array.from({ length: COUNT }, (_, index) => ({
  id: `${index}`,
  path: `ReplicatedStorage/Module${index}`,
  className: 'ModuleScript',
  patchType: 'Edit',
  choice: 'pull',
  fsPath: `src/Module${index}.luau`,
  files: [{ path: `src/Module${index}.luau`, blob: 'old' }],
  studio: null,
}));
const write = { kind: 'write', before: null, after: null, blob: 'new' };
const record = {
  version: 1,
  runId: 'run',
  at: '2026-01-01T00:00:00.000Z',
  mode: 'manual',
  requestedBy: 'you',
  place: { name: 'Place', placeId: 0 },
  items,
  writes: items.map(({ id, fsPath }) => ({ ...write, ids: [id], path: fsPath })),
};
const outcomes = items.map(({ id }) => ({ id, outcome: 'applied' }));
const ending = { at: record.at, status: 'success', summary: '', outcomes };

async function journal(): Promise<MemoryJournalStore> {
  const store = new MemoryJournalStore();
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  await store.append(
    'run',
    record,
    new Map([
      ['old', bytes('1')],
      ['new', bytes('2')],
    ]),
    ending,
  );
  return store;
}

test('[P6] validates a record and an ending with thousands of items in many turns', () => {
  for (const [work, expected] of [
    [readJournalRecord(record), JournalRecord.parse(record)],
    [readJournalEnding(ending), JournalEnding.parse(ending)],
  ] as const) {
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    assert.ok(pauses > COUNT / MAX_PER_TURN, `${pauses}`);
    assert.deepEqual(step.value, expected);
  }
});

test('rejects a record, a write and an outcome that are invalid', () => {
  assert.equal(runToEnd(readJournalRecord({ ...record, items: [...items, {}] })), undefined);
  assert.equal(runToEnd(readJournalRecord({ ...record, writes: [{}] })), undefined);
  assert.equal(runToEnd(readJournalRecord({ ...record, version: 2 })), undefined);
  assert.equal(runToEnd(readJournalEnding({ ...ending, outcomes: [{ id: 'a' }] })), undefined);
  assert.equal(runToEnd(readJournalEnding(undefined)), undefined);
  const { writes: _, ...old } = record;
  assert.deepEqual(runToEnd(readJournalRecord(old)), JournalRecord.parse(old));
});

test('[P6] reads a recorded run and its texts in many turns, and no more texts than needed', async () => {
  const slice = new CountingSlice();
  const store = await journal();
  const run = await recordedRun(store, 'run', slice);
  assert.equal(run?.changeCount, COUNT);
  assert.ok(slice.turns > (COUNT / MAX_PER_TURN) * 3, `${slice.turns}`);
  let reads = 0;
  const readBlob = store.readBlob.bind(store);
  store.readBlob = (...args) => ((reads += 1), readBlob(...args));
  const diffs = await recordedDiffs(store, () => undefined, 'run', slice, undefined, 10);
  assert.deepEqual([diffs.length, reads], [10, 20]);
});
