import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createFileJournalStore } from '../../../../src/adapters/node/journal/file-journal-store.ts';
import { createJsonBaseStore } from '../../../../src/adapters/node/json-base-store.ts';
import { watchTurns } from '../../../../scripts/bench/project/longest-turn.ts';
import type { BaseState } from '../../../../src/ports/base-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** Instances of a large game. */
const COUNT = 100_000;
const state = (at: number): BaseState => ({
  source: at.toString(16).padStart(40, '0'),
  properties: { Name: `S${at}` },
});

/** Asserts that `work` pauses. Without pauses, each of these takes 75 to 180 ms in one turn on a fast machine. */
async function assertPauses(work: (round: number) => Promise<unknown>): Promise<void> {
  const rounds: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const turns = watchTurns();
    await work(round);
    await setImmediate();
    // A major collection of the other tests' garbage can take longer.
    rounds.push(turns.end().ownMs);
  }
  assert.ok(Math.min(...rounds) < 40, `${rounds.join(', ')} ms`);
}

test('reads and writes the base of 100,000 instances in many turns', async () => {
  await using folder = await tempFolder();
  const states = new Map(Array.from({ length: COUNT }, (_, at) => [`ReplicatedStorage/S${at}`, state(at)] as const));
  await assertPauses(round => createJsonBaseStore(folder.path).update(`place ${round}`, states));
  await assertPauses(async round => {
    const read = await createJsonBaseStore(folder.path).load(`place ${round}`);
    assert.equal(read.size, COUNT);
    assert.deepEqual(read.get('ReplicatedStorage/S7'), state(7));
  });
});

test('reads the record of a sync of 100,000 instances in many turns', async () => {
  await using folder = await tempFolder();
  const items = Array.from({ length: COUNT }, (_, at) => ({ id: at, ...state(at) }));
  await createFileJournalStore(folder.path).append('run', { items }, new Map(), { status: 'success' });
  await assertPauses(async () => assert.equal((await createFileJournalStore(folder.path).list(1)).length, 1));
});
