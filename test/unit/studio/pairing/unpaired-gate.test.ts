import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StudioPrompts, UnpairedStudio } from '../../../../src/ports/studio-prompts.ts';
import { UNPAIRED_LIMITS } from '../../../../src/protocol/limits.ts';
import { UnpairedGate } from '../../../../src/studio/pairing/unpaired-gate.ts';
import { defaultSettings } from '../../../harness/default-settings.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

type Answer = Awaited<ReturnType<StudioPrompts['allowUnpaired']>>;

const harbor: UnpairedStudio = { dialect: 'atlas', place: 'Harbor (7)' };
const lobby: UnpairedStudio = { dialect: 'atlas', place: 'Lobby (8)' };
const request: UnpairedStudio = { dialect: 'atlas', place: undefined };

/** A gate whose questions the test answers in order. */
function world(always: readonly UnpairedStudio[] = []) {
  const clock = new ManualClock();
  const questions: { readonly studio: UnpairedStudio; answer(answer: Answer): Promise<void> }[] = [];
  const gate = new UnpairedGate({
    clock,
    log: memoryLog(),
    settings: defaultSettings(),
    prompts: {
      isAlwaysAllowed: studio => always.some(one => one.place === studio.place),
      allowUnpaired(studio) {
        const { promise, resolve } = Promise.withResolvers<Answer>();
        questions.push({
          studio,
          async answer(answer) {
            resolve(answer);
            await promise;
            await Promise.resolve();
          },
        });
        return promise;
      },
    },
  });
  return { clock, gate, questions };
}

test('admits a place after Allow Once, with its requests, but no other place and no other port', async () => {
  const { gate, questions } = world();
  assert.equal(gate.admits(harbor), false);
  assert.equal(gate.admits(harbor), false);
  assert.equal(questions.length, 1);
  await questions[0]?.answer('once');
  assert.equal(gate.admits(harbor), true);
  assert.equal(gate.admits(request), true);
  assert.equal(gate.admits(lobby), false);
  assert.equal(gate.admits({ ...request, dialect: 'rojo' }), false);
});

test('ends Allow Once after five minutes without a request and a connection', async () => {
  const { clock, gate, questions } = world();
  gate.admits(harbor);
  await questions[0]?.answer('once');
  clock.advance(UNPAIRED_LIMITS.idleMs);
  assert.equal(gate.admits(harbor), true);
  const held = gate.hold('atlas');
  clock.advance(2 * UNPAIRED_LIMITS.idleMs);
  assert.equal(gate.admits(harbor), true);
  clock.advance(2 * UNPAIRED_LIMITS.idleMs);
  held[Symbol.dispose]();
  clock.advance(UNPAIRED_LIMITS.idleMs);
  assert.equal(gate.admits(harbor), true);
  clock.advance(UNPAIRED_LIMITS.idleMs + 1);
  assert.equal(gate.admits(harbor), false);
});

test('admits a remembered place without a question', () => {
  const { gate, questions } = world([harbor]);
  assert.equal(gate.admits(request), false);
  assert.equal(gate.admits(harbor), true);
  assert.equal(gate.admits(request), true);
  assert.deepEqual(
    questions.map(({ studio }) => studio),
    [request],
  );
});

test('asks again a minute after the question was dismissed, and never after Block', async () => {
  const { clock, gate, questions } = world();
  gate.admits(harbor);
  await questions[0]?.answer(undefined);
  gate.admits(harbor);
  assert.equal(questions.length, 1);
  clock.advance(UNPAIRED_LIMITS.askAgainMs);
  gate.admits(harbor);
  assert.equal(questions.length, 2);
  await questions[1]?.answer('block');
  clock.advance(10 * UNPAIRED_LIMITS.askAgainMs);
  assert.equal(gate.admits(harbor), false);
  assert.equal(questions.length, 2);
});

test('asks one question at a time, and the next place a minute after a refusal', async () => {
  const { clock, gate, questions } = world();
  const invent = (first: number): void => {
    for (let index = first; index < first + 50; index += 1) gate.admits({ dialect: 'atlas', place: `Place ${index}` });
  };
  invent(0);
  assert.equal(questions.length, 1);
  for (const [index, answer] of ([undefined, 'block'] as const).entries()) {
    await questions[index]?.answer(answer);
    invent(100 * (index + 1));
    assert.equal(questions.length, index + 1, 'no dialog follows at once');
    clock.advance(UNPAIRED_LIMITS.askAgainMs);
    invent(100 * (index + 1));
    assert.equal(questions.length, index + 2);
  }
});

test('asks about another place at once after one was allowed', async () => {
  const { gate, questions } = world();
  gate.admits(harbor);
  gate.admits(lobby);
  assert.equal(questions.length, 1);
  await questions[0]?.answer('once');
  gate.admits(lobby);
  assert.deepEqual(
    questions.map(({ studio }) => studio),
    [harbor, lobby],
  );
});
