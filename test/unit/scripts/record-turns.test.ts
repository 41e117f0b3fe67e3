import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { type OwnTurn, recordTurns } from '../../../scripts/bench/extension-host/record-turns.ts';

const BUSY_MS = 60;
/** Keeps the thread busy with CPU work. Compiled under another name, it is the work of another extension. */
const busySource = `(ms => {
  const usage = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
  for (const end = usage() + ms; usage() < end; ) Math.sqrt(ms);
})`;
const busyIn = (filename: string): ((ms: number) => void) =>
  runInThisContext(`process => ${busySource}`, { filename })(process) as (ms: number) => void;

const own = busyIn('/extensions/recorded/extension.js');
const other = busyIn('/extensions/other/extension.js');

/** Records a turn of other work, and one of which half is own work. */
async function recordedTurns(): Promise<readonly OwnTurn[]> {
  const recording = await recordTurns(url => url.includes('/recorded/'));
  setImmediate(() => other(BUSY_MS));
  await delay(20);
  setImmediate(() => {
    other(BUSY_MS);
    own(BUSY_MS);
  });
  await delay(20);
  return await recording.end();
}

function isDivided([longest, next]: readonly OwnTurn[]): boolean {
  if (longest === undefined || longest.cpuMs <= BUSY_MS * 1.8) return false;
  const isHalf = longest.ownMs > BUSY_MS * 0.7 && longest.ownMs < BUSY_MS * 1.4;
  return isHalf && /extension\.js:/.test(longest.functions.join()) && (next?.ownMs ?? 0) < BUSY_MS / 3;
}

test('divides the turns of the event loop between the recorded code and other code', async () => {
  // Samples are taken by the clock, so a program that interrupts one of the halves makes it look longer.
  for (let attempts = 1; ; attempts += 1) {
    const turns = await recordedTurns();
    if (isDivided(turns)) return;
    assert.ok(attempts < 5, JSON.stringify(turns));
  }
});

test('reports how much of a turn was garbage collection', async () => {
  const recording = await recordTurns(() => false);
  const kept: object[] = [];
  setImmediate(() => {
    // Objects that stay alive are copied by a collection of new ones.
    for (let index = 0; index < 1e6; index += 1) kept.push({ index });
  });
  await delay(20);
  const gcMs = (await recording.end()).map(turn => turn.gcMs);
  assert.ok(Math.max(...gcMs) > 0, JSON.stringify(gcMs));
  assert.equal(kept.length, 1e6);
});
