import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalItem, JournalRecord } from '../../../../src/protocol/journal/journal-record.ts';
import { recordedEffects, touchedSides } from '../../../../src/sync/history/touched-sides.ts';

const item = (id: string, more: Partial<JournalItem> = {}): JournalItem => ({
  id,
  path: id,
  className: 'Folder',
  patchType: 'Edit',
  choice: 'pull',
  fsPath: null,
  files: [],
  studio: null,
  ...more,
});

test('names the sides of each recorded change', () => {
  const record = { writes: [{ ids: ['a'] }, { ids: ['b', 'c'] }] } as unknown as JournalRecord;
  const sidesOf = touchedSides(record);
  assert.deepEqual(sidesOf(item('a')), ['disk']);
  assert.deepEqual(sidesOf(item('c', { choice: 'merge' })), ['disk', 'studio']);
  assert.deepEqual(sidesOf(item('d', { choice: 'push' })), ['studio']);
  const skipped = touchedSides(record, recordedEffects([{ id: 'd', outcome: 'skipped' }]));
  assert.deepEqual(skipped(item('d', { choice: 'push' })), [], 'Studio had it already');
  assert.deepEqual(touchedSides({})(item('a')), []);
});

test('reads each write of a record once, however many changes it has', () => {
  let reads = 0;
  const writes = Array.from({ length: 2_000 }, (_, index) => ({
    get ids() {
      reads += 1;
      return [String(index)];
    },
  }));
  const sidesOf = touchedSides({ writes } as unknown as JournalRecord);
  for (const index of writes.keys()) assert.deepEqual(sidesOf(item(String(index))), ['disk']);
  assert.equal(reads, writes.length);
});
