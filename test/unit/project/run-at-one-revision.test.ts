import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PausableWork } from '../../../src/base/time-slice.ts';
import { runAtOneRevision } from '../../../src/project/run-at-one-revision.ts';
import { TimeSlice } from '../../../src/base/time-slice.ts';
import { WorkingClock } from '../../harness/working-clock.ts';

const STEPS = 10;

/** Reads the revision in every step; the project changes in the pauses while `changes` is positive. */
async function revisionsRead(changes: number): Promise<readonly number[]> {
  let revision = 0;
  const clock = new (class extends WorkingClock {
    override after(ms: number, fn: () => void): () => void {
      if ((changes -= 1) >= 0) revision += 1;
      return super.after(ms, fn);
    }
  })();
  function* work(): PausableWork<readonly number[]> {
    const read: number[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      read.push(revision);
      yield;
    }
    return read;
  }
  return await runAtOneRevision({ revision: () => revision }, work, new TimeSlice(clock));
}

test('reads one revision only, with pauses', async () => {
  for (const changes of [0, 1, 3, 1_000]) {
    const read = await revisionsRead(changes);
    assert.equal(read.length, STEPS);
    assert.equal(new Set(read).size, 1, `${changes} changes: ${read.join(' ')}`);
  }
});
