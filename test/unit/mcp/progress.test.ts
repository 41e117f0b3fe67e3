import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from '../../../src/mcp/progress.ts';
import { BUDGET_MS } from '../../../src/protocol/limits.ts';
import { ManualClock } from '../../harness/manual-clock.ts';

function start() {
  const clock = new ManualClock();
  const sent: [number, string][] = [];
  const progress = createProgress(clock, (step, message) => sent.push([step, message]));
  return { clock, sent, progress };
}

test('sends nothing before the first progress message', () => {
  const { clock, sent, progress } = start();
  clock.advance(60_000);
  assert.deepEqual(sent, []);
  progress[Symbol.dispose]();
});

test('repeats the last message until the end, with increasing numbers', () => {
  const { clock, sent, progress } = start();
  progress.report('A person is deciding.');
  clock.advance(2 * BUDGET_MS.progressEvery);
  assert.deepEqual(sent, [
    [1, 'A person is deciding.'],
    [2, 'A person is deciding.'],
    [3, 'A person is deciding.'],
  ]);
  progress[Symbol.dispose]();
  progress.report('too late');
  clock.advance(60_000);
  assert.equal(sent.length, 3);
  assert.equal(clock.pending, 0);
});

test('sends only the first and last message of a burst', () => {
  const { clock, sent, progress } = start();
  for (let done = 1; done <= 1000; done += 1) progress.report(`${done} of 1000`);
  clock.advance(1000);
  assert.deepEqual(sent, [
    [1, '1 of 1000'],
    [2, '1000 of 1000'],
  ]);
  progress[Symbol.dispose]();
});
