import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { threadCpuTime } from '../../../scripts/bench/cpu-time.ts';
import { longestTurn, watchTurns } from '../../../scripts/bench/project/longest-turn.ts';

/** Each reading of the clock allocates, so it is read rarely: the work itself causes no garbage collection. */
function work(ms: number): void {
  const end = threadCpuTime() + ms;
  let sum = 0;
  while (threadCpuTime() < end) for (let i = 0; i < 100_000; i += 1) sum = (sum + i) % 7;
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
  // On a busy machine, a turn without work may wait for a processor.
  let waitedMs = Infinity;
  for (let time = 0; time < 3; time++) {
    const { longest: waited } = await longestTurn(async () => await delay(300));
    waitedMs = Math.min(waitedMs, waited.wallMs);
  }
  assert.ok(waitedMs < 150, `${waitedMs} ms`);
});

test('uses no CPU time while it watches an idle loop', async () => {
  const watched = watchTurns();
  let least = Infinity;
  // V8 collects the garbage of other tests in this process at any time.
  for (let time = 0; time < 3; time++) {
    const before = threadCpuTime();
    await delay(200);
    least = Math.min(least, threadCpuTime() - before);
  }
  watched.end();
  assert.ok(least < 20, `${least} ms`);
});

test('measures the longest turn without its garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const watched = watchTurns();
  await delay(20);
  work(40);
  await delay(20);
  for (const end = threadCpuTime() + 90; threadCpuTime() < end;) collect();
  await delay(20);
  const { longest, ownMs } = watched.end();
  assert.ok(longest.cpuMs >= 90 && longest.gcMs > 60, JSON.stringify(longest));
  // The garbage of other tests in this process may be collected during the work, and is not in its time either.
  assert.ok(ownMs > 20 && ownMs < 70, `${ownMs} ms`);
});
