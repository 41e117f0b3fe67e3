import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_RUN_PULLS } from '../../../../src/protocol/limits.ts';
import { reasonText } from '../../../../src/protocol/reason.ts';
import { READ_BATCH_SIZE } from '../../../../src/sync/changes/read-in-studio.ts';
import { readWithinLimits } from '../../../../src/sync/changes/read-within-limits.ts';
import type { RunChange } from '../../../../src/sync/changes/run-change.ts';

/** Changes of short scripts that only Studio has. */
const changesOf = (count: number, choice: 'pull' | 'push'): readonly RunChange[] =>
  Array.from(
    { length: count },
    (_, index) => ({ choice, studio: { id: String(index), patchType: 'Remove' }, disk: undefined }) as never,
  );

async function read(changes: readonly RunChange[]) {
  let reads = 0;
  const link = {
    read: async () => {
      reads += 1;
      return { instances: [], missing: [] };
    },
  };
  const session = { descendants: () => [] };
  const result = await readWithinLimits(changes, 'c', { link: link as never, session }, new AbortController().signal);
  return { ...result, reads };
}

test('reads no more pulls than one sync writes, and says how many that are', async () => {
  const { within, beyond, beyondBecause, reads } = await read(changesOf(5 * MAX_RUN_PULLS, 'pull'));
  assert.equal(within.length, MAX_RUN_PULLS);
  assert.equal(beyond.length, 4 * MAX_RUN_PULLS);
  assert.equal(reads, MAX_RUN_PULLS / READ_BATCH_SIZE);
  assert.equal(
    beyondBecause && reasonText(beyondBecause),
    'the changes before this one reach the limit of 20000 that one sync writes to files; sync again to continue',
  );
});

test('does not limit the number of pushes, which write no files', async () => {
  const { within, beyond, beyondBecause } = await read(changesOf(2 * MAX_RUN_PULLS, 'push'));
  assert.deepEqual([within.length, beyond, beyondBecause], [2 * MAX_RUN_PULLS, [], undefined]);
});
