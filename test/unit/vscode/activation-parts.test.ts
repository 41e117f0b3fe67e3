import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginActivation } from '../../../src/vscode/activation-parts.ts';

test('measures the total time, the blocked time and the longest block of activation', async () => {
  let now = 1000;
  const works = (ms: number): number => (now += ms);
  const others = (ms: number) => async (): Promise<void> => void works(ms);
  const activation = beginActivation(() => now);
  works(3);
  await activation.yieldTo(others(10));
  works(5.04);
  await activation.yieldTo(others(20));
  works(2);
  assert.deepEqual(activation.end(), { ms: 40, heldMs: 10, longestMs: 5 });
});
