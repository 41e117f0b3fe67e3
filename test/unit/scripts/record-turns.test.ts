import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { recordTurns } from '../../host/turns/record-turns.ts';

const BUSY_MS = 60;
/** Keeps the thread busy with CPU work. Compiled under another name, it is the work of another extension. */
const busySource = `(ms => {
  const usage = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  for (const end = usage() + ms; usage() < end; ) Math.sqrt(ms);
})`;
const busyIn = (filename: string): ((ms: number) => void) =>
  runInThisContext(`process => ${busySource}`, { filename })(process) as (ms: number) => void;

test('divides the turns of the event loop between the recorded code and other code', async () => {
  const own = busyIn('/extensions/recorded/extension.js');
  const other = busyIn('/extensions/other/extension.js');
  const recording = await recordTurns(url => url.includes('/recorded/'));
  setImmediate(() => other(BUSY_MS));
  await delay(20);
  setImmediate(() => {
    other(BUSY_MS);
    own(BUSY_MS);
  });
  await delay(20);
  const [longest, next] = await recording.end();
  assert.ok(longest && longest.ownMs > BUSY_MS * 0.7 && longest.ownMs < BUSY_MS * 1.4, JSON.stringify(longest));
  assert.ok(longest.cpuMs > BUSY_MS * 1.8, JSON.stringify(longest));
  assert.match(longest.functions.join(), /extension\.js:/);
  assert.ok(next === undefined || next.ownMs < BUSY_MS / 3, JSON.stringify(next));
});
