import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { type LiveStep, liveStep, separateStep, takeLiveSteps, takeSeparateSteps } from '../../harness/live-model.ts';

/** `npm run soak` takes more; `ATLAS_SOAK_SEED` repeats a printed seed. */
const SEQUENCES = Number(process.env['ATLAS_LIVE_SEQUENCES'] ?? 6);
const SEED = Number(process.env['ATLAS_SOAK_SEED'] ?? Date.now() % 2 ** 31);
const MAX_LENGTH = 30;
/** The search for a shorter sequence ends then, so that a failure is reported before its file has taken too long. */
const LIMIT_MS = SEQUENCES * 20_000;

async function check(
  t: TestContext,
  step: fc.Arbitrary<LiveStep>,
  take: (steps: readonly LiveStep[]) => Promise<void>,
): Promise<void> {
  t.diagnostic(`seed ${SEED}`);
  const sequence = fc.array(step, { minLength: 1, maxLength: MAX_LENGTH, size: 'max' });
  const found = await fc.check(fc.asyncProperty(sequence, take), {
    seed: SEED,
    numRuns: SEQUENCES,
    interruptAfterTimeLimit: LIMIT_MS,
    markInterruptAsFailure: true,
  });
  if (!found.failed) return;
  const shortest = JSON.stringify(found.counterexample?.[0]);
  assert.fail(`seed ${SEED}. The shortest sequence:\n${shortest}\n${String(found.errorInstance)}`);
}

test(
  `Live Sync replaces no unseen text and still works afterwards, in ${SEQUENCES} random sequences of two people's steps`,
  { timeout: 6 * 3_600_000 },
  t => check(t, liveStep, takeLiveSteps),
);

test(
  `Live Sync makes both sides equal, in ${SEQUENCES} random sequences of steps with different scripts`,
  { timeout: 6 * 3_600_000 },
  t => check(t, separateStep, takeSeparateSteps),
);
