import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { runsToCompletion } from '../../../../src/headless-studio/vscode/running-chunk.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';

/** A user who cancels every notification and answers each question from a list. */
function cancelling(...answers: readonly (() => boolean)[]) {
  const seen: string[] = [];
  const next = [...answers];
  return {
    seen,
    show: async (over: Promise<unknown>) => {
      seen.push('shown');
      if (next.length === 0) await over;
    },
    confirmEnd: async () => {
      seen.push('asked');
      return next.shift()?.() ?? assert.fail('asked once too often');
    },
  };
}

test('shows nothing for a chunk that ends soon, with or without an error', async () => {
  const clock = new ManualClock();
  const person = cancelling();
  assert.equal(await runsToCompletion(Promise.resolve(), person, clock), true);
  assert.equal(await runsToCompletion(Promise.reject(new Error('Studio has closed')), person, clock), true);
  assert.deepEqual([person.seen, clock.pending], [[], 0]);
});

test('shows a long-running chunk until it ends', async () => {
  const clock = new ManualClock();
  const person = cancelling();
  const chunk = Promise.withResolvers<void>();
  const ended = runsToCompletion(chunk.promise, person, clock);
  clock.advance(1_000);
  await setImmediate();
  assert.deepEqual(person.seen, ['shown']);
  chunk.resolve();
  assert.equal(await ended, true);
});

test('asks before it closes Studio on cancel, and shows the chunk again if declined', async () => {
  const clock = new ManualClock();
  const person = cancelling(
    () => false,
    () => true,
  );
  const ended = runsToCompletion(new Promise(() => undefined), person, clock);
  clock.advance(1_000);
  assert.equal(await ended, false);
  assert.deepEqual(person.seen, ['shown', 'asked', 'shown', 'asked']);
});

test('completes when the chunk ends while the question is open', async () => {
  const clock = new ManualClock();
  const chunk = Promise.withResolvers<void>();
  const person = cancelling(() => {
    chunk.resolve();
    return true;
  });
  const slow = { ...person, confirmEnd: async () => (await person.confirmEnd()) && (await setImmediate(true)) };
  const ended = runsToCompletion(chunk.promise, slow, clock);
  clock.advance(1_000);
  assert.equal(await ended, true);
});
