import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSoon } from '../../../../src/adapters/vscode/soon.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('each piece has a turn of its own, in order, after whoever asked is done', async () => {
  using later = createSoon(memoryLog());
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
  using later = createSoon(log);
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

test('nothing starts after the end', async () => {
  let isDone = false;
  {
    using later = createSoon(memoryLog());
    later.soon(() => (isDone = true));
  }
  await turn();
  assert.equal(isDone, false);
});
