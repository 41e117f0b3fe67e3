import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadCpuTime } from '../../../../scripts/bench/cpu-time.ts';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { JournalEnding } from '../../../../src/protocol/journal/journal-record.ts';
import { recoverInterrupted } from '../../../../src/sync/recover/recover-interrupted.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../../harness/memory-file-system.ts';
import { MemoryJournalStore } from '../../../harness/memory-journal-store.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

/** CPU time in milliseconds of this thread for an interrupted pull of that many scripts, all of them written. */
async function timeToRecover(count: number): Promise<number> {
  const clock = new ManualClock();
  const journal = new MemoryJournalStore();
  const hash = nodeHasher.gitBlob('new');
  const ids = Array.from({ length: count }, (_, index) => `id${index}`);
  const items = ids.map(id => ({
    id,
    path: `ServerScriptService/${id}`,
    className: 'ModuleScript',
    patchType: 'Edit',
    choice: 'pull',
    fsPath: `src/${id}.luau`,
    files: [],
    studio: null,
  }));
  const writes = ids.map(id => ({
    ids: [id],
    path: `src/${id}.luau`,
    kind: 'write',
    before: null,
    after: hash,
    blob: null,
  }));
  const place = { name: 'Game', placeId: 0 };
  const record = { version: 1, runId: 'run', at: clock.date(), mode: 'standard', requestedBy: 'test', place };
  await journal.append('run', { ...record, items, writes }, new Map());
  await journal.note('run', { kind: 'confirmed', ids, applied: [] });
  journal.crash();
  const files = new MemoryFileSystem(Object.fromEntries(writes.map(({ path }) => [path, 'new'])));
  const before = threadCpuTime();
  await recoverInterrupted({ files, journal, hasher: nodeHasher, clock, log: memoryLog() });
  const took = threadCpuTime() - before;
  const ending = (await journal.find('run'))?.ending as JournalEnding;
  assert.equal(ending.outcomes.filter(({ outcome }) => outcome === 'written').length, count, ending.summary);
  return took;
}

test('recovers a run with many writes in linear time', async () => {
  await timeToRecover(500);
  const [few, many] = [await timeToRecover(3_000), await timeToRecover(12_000)];
  assert.ok(many <= 8 * Math.max(few, 20), `${few.toFixed(0)} ms for 3,000 writes, ${many.toFixed(0)} ms for 12,000`);
});
