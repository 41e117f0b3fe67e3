import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { createIdleScheduler } from '../../../src/vscode/idle-scheduler.ts';
import { memoryLog } from '../../harness/memory-log.ts';

/** The turns of the event loop, without its time: a slice that another process uses up would cost one more turn. */
const clock = { ...nodeClock, now: () => 0 };
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('runs each scheduled piece in its own turn, in order, after the caller', async () => {
  using later = createIdleScheduler(clock, memoryLog());
  const seen: string[] = [];
  later.schedule(() => seen.push('first'));
  later.schedule(() => {
    seen.push('second');
    later.schedule(() => seen.push('asked for by the second'));
  });
  assert.deepEqual(seen, []);
  await turn();
  assert.deepEqual(seen, ['first']);
  await turn();
  assert.deepEqual(seen, ['first', 'second']);
  await turn();
  assert.deepEqual(seen, ['first', 'second', 'asked for by the second']);
});

test('logs a failed piece and runs the next one', async () => {
  const log = memoryLog();
  using later = createIdleScheduler(clock, log);
  let isDone = false;
  later.schedule(() => {
    throw new Error('broken');
  });
  later.schedule(() => (isDone = true));
  await turn();
  await turn();
  assert.ok(isDone);
  assert.deepEqual(log.lines, ['error scheduled work failed: broken']);
});

test('resumes a waiting caller before all scheduled pieces, in a separate turn', async () => {
  using turns = createIdleScheduler(clock, memoryLog());
  const seen: string[] = [];
  turns.schedule(() => seen.push('piece'));
  setImmediate(() => seen.push('others'));
  await turns.waitForNextTurn();
  seen.push('second part');
  setImmediate(() => seen.push('others'));
  await turns.waitForNextTurn();
  seen.push('third part');
  assert.deepEqual(seen, ['others', 'second part', 'others', 'third part']);
  await turn();
  await turn();
  assert.equal(seen.at(-1), 'piece');
});

test('starts nothing after disposal', async () => {
  let count = 0;
  const turns = createIdleScheduler(clock, memoryLog());
  turns.schedule(() => (count += 1));
  turns[Symbol.dispose]();
  turns.schedule(() => (count += 1));
  await turns.waitForNextTurn();
  await turn();
  assert.equal(count, 0);
});
