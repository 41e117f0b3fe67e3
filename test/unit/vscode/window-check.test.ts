import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BridgeLifecycle } from '../../../src/vscode/bridge-lifecycle.ts';
import { createWindowCheck } from '../../../src/vscode/window-check.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { settle } from '../../harness/settle.ts';

/** A window whose extension host is asked. */
function windowWith(phase?: string) {
  const clock = new ManualClock();
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  let suspended = 0;
  const engine = { current: () => (phase === undefined ? undefined : { phase: () => phase }) };
  const lifecycle = {
    bridges: () => [{ engine }],
    suspend: () => ((suspended += 1), new Promise(() => {})),
  } as unknown as BridgeLifecycle;
  const ask = createWindowCheck(
    () => lifecycle,
    () => ((asked += 1), answer.promise),
    clock,
    memoryLog(),
  );
  return {
    ask,
    answer,
    asked: () => asked,
    suspended: () => suspended,
    clock,
    /** Lets `ms` pass in which the extension host runs. */
    pass: async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 100) {
        clock.advance(100);
        await settle();
      }
    },
  };
}

test('keeps its bridges when the window answers', async () => {
  const { ask, answer, clock, suspended } = windowWith();
  const state = ask();
  answer.resolve();
  assert.deepEqual(await state, { window: 'open' });
  assert.deepEqual([suspended(), clock.pending], [0, 0]);
});

test('suspends its bridges when the window does not answer for 5 s', async () => {
  const { ask, pass, suspended, clock } = windowWith();
  const state = ask();
  await pass(4_900);
  assert.equal(suspended(), 0);
  await pass(100);
  assert.deepEqual(await state, { window: 'lost' });
  assert.deepEqual([suspended(), clock.pending], [1, 0]);
});

test('reads the answer after a pause of the whole extension host, such as the sleep of a laptop', async () => {
  const { ask, answer, clock, suspended } = windowWith();
  const state = ask();
  await settle();
  // The timers are due before the answer is read, which has arrived meanwhile.
  clock.advance(3_600_000);
  await settle();
  answer.resolve();
  assert.deepEqual(await state, { window: 'open' });
  assert.equal(suspended(), 0);
});

test('counts a refusal of the window as an answer', async () => {
  const { ask, answer } = windowWith();
  const state = ask();
  answer.reject(new Error('unknown command'));
  assert.deepEqual(await state, { window: 'open' });
});

test('asks its window once for several programs at the same time', async () => {
  const { ask, answer, asked } = windowWith();
  const states = Promise.all([ask(), ask()]);
  answer.resolve();
  await states;
  assert.equal(asked(), 1);
});

for (const [phase, expected] of [
  ['applying', { window: 'lost', isWriting: true }],
  ['verifying', { window: 'lost', isWriting: true }],
  ['reviewing', { window: 'lost' }],
] as const)
  test(`reports to the other window whether it has to wait for a run that is ${phase}`, async () => {
    const { ask, pass } = windowWith(phase);
    const state = ask();
    await pass(5_000);
    assert.deepEqual(await state, expected);
  });
