import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { threadCpuTime } from '../../../scripts/bench/cpu-time.ts';
import { longestTurn, watchTurns } from '../../../scripts/bench/project/longest-turn.ts';

function work(ms: number): void {
  const end = threadCpuTime() + ms;
  while (threadCpuTime() < end);
}

test('measures the longest of several turns, without the time in which the loop waits', async () => {
  const { longest } = await longestTurn(async () => {
    for (const ms of [5, 60, 10]) {
      await delay(20);
      work(ms);
    }
  });
  assert.ok(longest.cpuMs >= 60 && longest.cpuMs < 150, JSON.stringify(longest));
  assert.ok(longest.wallMs >= longest.cpuMs - 5, JSON.stringify(longest));
  const { longest: waited } = await longestTurn(async () => await delay(300));
  assert.ok(waited.wallMs < 150, JSON.stringify(waited));
});

test('uses no CPU time while it watches an idle loop', async () => {
  const watched = watchTurns();
  const before = threadCpuTime();
  await delay(300);
  const used = threadCpuTime() - before;
  watched.end();
  assert.ok(used < 30, `${used} ms`);
});
