import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { runToEnd } from '../../../src/base/time-slice.ts';
import type { ChannelFrame, StudioChannel } from '../../../src/ports/studio-channel.ts';
import { OversizedMessage } from '../../../src/protocol/studio/read-items.ts';
import { readMessage } from '../../../src/protocol/studio/read-message.ts';
import { onJsonFrame } from '../../../src/studio/json-frames.ts';
import { until } from '../../harness/until.ts';

function start(listener: (value: unknown) => void) {
  const message = new Emitter<ChannelFrame>();
  const log: string[] = [];
  const channel: StudioChannel = {
    send: () => undefined,
    onMessage: message.event,
    onClosed: new Emitter<{ readonly reason: string }>().event,
    pause: () => log.push('pause'),
    resume: () => log.push('resume'),
    liftLimit: () => undefined,
    close: reason => log.push(`close: ${reason}`),
  };
  // oxlint-disable-next-line require-yield -- nothing to validate
  const read = function* (value: unknown) {
    return value;
  };
  onJsonFrame(channel, nodeClock, read, listener, () => undefined);
  return { message, log };
}
const inPieces = (text: string): Uint8Array[] => [Buffer.from(text.slice(0, 3)), Buffer.from(text.slice(3))];

test('keeps the order of frames when a large one is parsed in slices', async () => {
  const values: unknown[] = [];
  const { message, log } = start(value => values.push(value));
  const large = Array.from({ length: 200_000 }, (_, index) => index);
  message.fire('"first"');
  assert.deepEqual(values, ['first']);
  message.fire(inPieces(JSON.stringify(large)));
  message.fire('"last"');
  message.fire('{');
  await until(() => log.includes('resume'));
  assert.deepEqual(values, ['first', large, 'last', undefined]);
  assert.deepEqual(log, ['pause', 'resume']);
});

test('says what is too much in a frame that is nested too deeply', () => {
  const values: unknown[] = [];
  const { message } = start(value => values.push(value));
  message.fire('['.repeat(2_000) + ']'.repeat(2_000));
  assert.deepEqual(values, [new OversizedMessage('at most 128 levels of nesting')]);
});

test('closes the channel when a listener throws while a large frame is processed', async () => {
  const { message, log } = start(() => {
    throw new Error('failed');
  });
  message.fire(inPieces('[1, 2]'));
  await until(() => log.includes('resume'));
  assert.deepEqual(log, ['pause', 'close: failed', 'resume']);
});

test('stops at the first invalid item of a list of a million', () => {
  const changes = Array.from({ length: 1_000_000 }, () => ({}));
  const work = readMessage({ type: 'compared', requestId: '1', changes });
  assert.match(JSON.stringify(runToEnd(work)), /^\{"problem":"changes\[0\]: /);
});

test('validates the items of every list as the schema of the message does', () => {
  const verdict = { id: 'a', direction: 'push', verdict: 'accepted' };
  const message = { type: 'compared', requestId: '1', place: { name: 'Place', placeId: 1 }, messageCursor: 1 };
  assert.deepEqual(runToEnd(readMessage({ ...message, changes: [], overrides: [verdict] })), {
    message: { ...message, changes: [], overrides: [verdict] },
  });
  assert.deepEqual(runToEnd(readMessage({ type: 'liveEdit', seq: 1, edits: [{ id: 'a', base: [] }] })), {
    live: { type: 'liveEdit', seq: 1, edits: [{ id: 'a', base: {}, properties: {} }] },
  });
});

const folder = { id: 'a', name: 'a', className: 'Folder', properties: {}, children: [] };
const many = <T>(one: T): readonly T[] => Array.from({ length: 20_000 }, () => one);
for (const message of [
  { type: 'liveReady', cursor: 1, undecided: 0, missed: many({ id: 'a', source: '' }), applied: many('a') },
  { type: 'liveApplied', cursor: 1, results: many({ id: 'a', ok: true }) },
  { type: 'liveInstances', cursor: 1, instances: many(folder), left: many('a') },
  { type: 'liveEdit', seq: 1, edits: many({ id: 'a', properties: {}, base: {} }) },
  {
    type: 'liveStructure',
    seq: 1,
    changes: [
      { kind: 'created', parentId: 'b', instance: { ...folder, children: many(folder) } },
      ...many({ kind: 'renamed', id: 'a', name: 'b', base: 'a' }),
    ],
  },
])
  test(`reads a message of the type ${message.type} with long lists`, () => {
    const read = runToEnd(readMessage(message));
    // A difference of two such messages would take minutes to print.
    assert.ok('live' in read && isDeepStrictEqual(read.live, message), JSON.stringify(read).slice(0, 200));
  });

test('names the message that it cannot read', () => {
  const created = { kind: 'created', parentId: 'b', instance: { ...folder, children: [{ ...folder, name: 1 }] } };
  assert.deepEqual(runToEnd(readMessage({ type: 'liveStructure', seq: 7, changes: [created] })), {
    problem: 'changes[0].instance.children[0]: name Invalid input: expected string, received number',
    of: { type: 'liveStructure', seq: 7 },
  });
});

test('takes a pause between many small frames that arrive in one turn', async () => {
  const values: unknown[] = [];
  const { message, log } = start(value => {
    values.push(value);
    const until = performance.now() + 1;
    while (performance.now() < until);
  });
  for (let index = 0; index < 50; index += 1) message.fire(String(index));
  const inFirstTurn = values.length;
  assert.ok(inFirstTurn > 0 && inFirstTurn < 20, String(inFirstTurn));
  await until(() => log.includes('resume'));
  assert.deepEqual(
    values,
    Array.from({ length: 50 }, (_, index) => index),
  );
  assert.deepEqual(log, ['pause', 'resume']);
});

test('validates instances below an instance one by one', () => {
  const message = (children: readonly object[]) => ({
    type: 'instances',
    requestId: '1',
    missing: [],
    instances: [{ ...folder, children }],
  });
  const work = readMessage(message(Array.from({ length: 1000 }, () => folder)));
  let pauses = 0;
  for (let step = work.next(); step.done !== true; step = work.next()) pauses += 1;
  assert.ok(pauses >= 1000);
  assert.deepEqual(runToEnd(readMessage(message([folder, { ...folder, name: 1 }]))), {
    problem: 'instances[0].children[1]: name Invalid input: expected string, received number',
    of: { type: 'instances', requestId: '1' },
  });
});

test('refuses an item with more values than one step can validate', () => {
  const change = { properties: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`p${index}`, 1])) };
  const read = runToEnd(readMessage({ type: 'changes', requestId: '1', changes: [change] }));
  assert.ok(
    'problem' in read && read.isOversized === true && read.problem.includes('at most 10000 values in one item'),
  );
});
