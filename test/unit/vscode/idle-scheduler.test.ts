import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdleScheduler } from '../../../src/vscode/idle-scheduler.ts';
import { memoryLog } from '../../harness/memory-log.ts';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('each piece has a turn of its own, in order, after whoever asked is done', async () => {
  using later = createIdleScheduler(memoryLog());
  const seen: string[] = [];
  later.soon(() => seen.push('first'));
  later.soon(() => {
    seen.push('second');
    later.soon(() => seen.push('asked for by the second'));
  });
  assert.deepEqual(seen, []);
  await turn();
  assert.deepEqual(seen, ['first']);
  await turn();
  assert.deepEqual(seen, ['first', 'second']);
  await turn();
  assert.deepEqual(seen, ['first', 'second', 'asked for by the second']);
});

test('a piece that fails is in the log, and the next one still has its turn', async () => {
  const log = memoryLog();
  using later = createIdleScheduler(log);
  let isDone = false;
  later.soon(() => {
    throw new Error('broken');
  });
  later.soon(() => (isDone = true));
  await turn();
  await turn();
  assert.ok(isDone);
  assert.deepEqual(log.lines, ['error a part did not start: broken']);
});

test('whoever waits for turns goes on before all pieces, each time in another turn', async () => {
  using turns = createIdleScheduler(memoryLog());
  const seen: string[] = [];
  turns.soon(() => seen.push('piece'));
  setImmediate(() => seen.push('others'));
  await turns.nextTurn();
  seen.push('second part');
  setImmediate(() => seen.push('others'));
  await turns.nextTurn();
  seen.push('third part');
  assert.deepEqual(seen, ['others', 'second part', 'others', 'third part']);
  await turn();
  await turn();
  assert.equal(seen.at(-1), 'piece');
});

test('nothing starts after the end, not even what comes then', async () => {
  let count = 0;
  const turns = createIdleScheduler(memoryLog());
  turns.soon(() => (count += 1));
  turns[Symbol.dispose]();
  turns.soon(() => (count += 1));
  await turns.nextTurn();
  await turn();
  assert.equal(count, 0);
});
