import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Step, step, takeAll } from '../../harness/sync-model.ts';

/** `npm run soak` takes 1,000,000 steps; `ATLAS_SOAK_SEED` repeats a printed seed. */
const STEPS = Number(process.env['ATLAS_SOAK_STEPS'] ?? 20_000);
const SEED = Number(process.env['ATLAS_SOAK_SEED'] ?? Date.now() % 2 ** 31);
const MAX_LENGTH = 24;
/** Sequences of one seed. */
const BATCH = 100;

test(
  `loses no text in ${STEPS} random edits, syncs, kills, corruptions and faults`,
  { timeout: 6 * 3_600_000 },
  async () => {
    let taken = 0;
    for (let seed = SEED; taken < STEPS; seed += 1) {
      const property = fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: MAX_LENGTH, size: 'max' }),
        async (steps: readonly Step[]) => {
          taken += steps.length;
          await takeAll(steps);
        },
      );
      const found = await fc.check(property, { seed, numRuns: BATCH });
      if (!found.failed) continue;
      const sequence = JSON.stringify(found.counterexample?.[0]);
      assert.fail(
        `seed ${seed}, after ${taken} steps. The shortest sequence:\n${sequence}\n${String(found.errorInstance)}`,
      );
    }
  },
);
