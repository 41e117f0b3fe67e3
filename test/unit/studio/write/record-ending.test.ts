import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import { recordEnding } from '../../../../src/studio/write/record-ending.ts';

/** An ending of many instances that failed with a long reason. */
const ending = (count: number): JournalEnding => ({
  at: '2026-01-01T00:00:00.000Z',
  status: 'recorded',
  summary: `Did not write ${count} instances from Studio.`,
  outcomes: Array.from({ length: count }, (_, at) => ({
    id: `${at}`,
    outcome: 'failed',
    reason: reasonOf('failure', 'long '.repeat(1000)),
    effect: { files: [], studio: false },
  })),
});

/** A journal on a full disk, with this much reserved space. */
function fullDisk(bytes: number) {
  const recorded: JournalEnding[] = [];
  return {
    recorded,
    finish: async (_runId: string, one: JournalEnding) => {
      if (JSON.stringify(one).length > bytes) throw new Error('the disk is full');
      recorded.push(one);
    },
  };
}

test('records that instances were not written when the space for each outcome is missing', async () => {
  const journal = fullDisk(64 * 1024);
  await recordEnding(journal, 'run', ending(1000));
  assert.deepEqual(journal.recorded, [{ ...ending(1000), outcomes: [] }]);
});

test('limits the reasons of an ending', async () => {
  const journal = fullDisk(64 * 1024);
  await recordEnding(journal, 'run', ending(50));
  assert.equal(journal.recorded[0]?.outcomes.length, 50);
});

test('rejects when not even the summary fits', async () => {
  await assert.rejects(recordEnding(fullDisk(10), 'run', ending(1)), /the disk is full/);
});
