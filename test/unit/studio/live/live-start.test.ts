import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { BUDGET_MS, FEED_LIMITS } from '../../../../src/protocol/limits.ts';
import { reasonOf } from '../../../../src/protocol/reason.ts';
import type { LiveToPlugin } from '../../../../src/protocol/studio/live.ts';
import { liveSessionWorld as world } from '../../../harness/live-session-world.ts';

const types = (sent: readonly LiveToPlugin[]): readonly string[] => sent.map(one => one.type);

test('fails instead of showing that it is on when an earlier change cannot be rendered', async () => {
  const { served, sent, message, states, save, session } = await world();
  await save('1');
  const read = mock.method(served.session, 'get', () => {
    throw new Error('broken tree');
  });
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  read.mock.restore();
  assert.deepEqual(states, ['starting', 'failed']);
  assert.deepEqual(types(sent), ['live', 'live']);
  assert.equal(served.feed.count(), 0);
  session[Symbol.dispose]();
});

test('starts again without failing when too much changed since Studio was connected', async () => {
  const project = await world();
  const { sent, message, states, session, lines, files } = project;
  for (let text = 1; text <= FEED_LIMITS.history.patches + 1; text += 1) {
    files.set('src/A.luau', `${text}`);
    await project.refresh();
  }
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  assert.deepEqual(states, ['starting', 'starting']);
  assert.deepEqual(
    sent.map(one => one.type === 'live' && [one.mode, one.isFresh]),
    [
      ['twoWay', false],
      ['twoWay', true],
    ],
  );
  assert.deepEqual(
    lines.filter(line => line.startsWith('error')),
    [],
  );
  session[Symbol.dispose]();
});

test('fails once, and ends the session in Studio, when too many Studios are connected', async () => {
  const { sent, message, states, session, lines, served } = await world();
  const closed = new Emitter<{ readonly reason: string }>();
  const feed = { onClosed: closed.event, close: () => undefined, send: () => Promise.resolve() };
  while (served.feed.subscribe(feed, 1, 'rojo') !== 'full') assert.ok(served.feed.count() <= FEED_LIMITS.feeds);
  message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
  assert.deepEqual(states, ['starting', 'failed']);
  assert.deepEqual(sent.at(-1), { type: 'live', mode: 'off', isFresh: false, start: 2 });
  assert.deepEqual(
    lines.filter(line => line.startsWith('error')),
    [],
  );
  session[Symbol.dispose]();
});

for (const [what, fail] of [
  [
    'Studio could not start it',
    async ({ message }) => message.fire({ type: 'liveFailed', message: reasonOf('no_reply') }),
  ],
  ['its start could not be read', async ({ unreadable }) => unreadable.fire({ type: 'liveReady' })],
  ['the reason could not be read', async ({ unreadable }) => unreadable.fire({ type: 'liveFailed' })],
  [
    'a change could not be sent',
    async ({ served, message, save }) => {
      message.fire({ type: 'liveReady', cursor: 1, undecided: 0 });
      const read = mock.method(served.session, 'get', () => {
        throw new Error('broken tree');
      });
      await save('1');
      read.mock.restore();
    },
  ],
] satisfies readonly (readonly [string, (project: Awaited<ReturnType<typeof world>>) => unknown])[])
  test(`starts a failed session again after a sync: ${what}`, async () => {
    const project = await world();
    const { session, states, sent } = project;
    await fail(project);
    assert.equal(states.at(-1), 'failed');
    session.compareAgain({ left: 0, isMoved: false }, false);
    assert.equal(states.at(-1), 'starting');
    const last = sent.at(-1);
    assert.deepEqual([last?.type, last?.type === 'live' && last.mode], ['live', 'twoWay']);
    session[Symbol.dispose]();
  });

test('names the missing answer when Studio does not answer the start, and starts when the answer is late', async () => {
  const { message, states, session, clock, sent, served } = await world();
  clock.advance(BUDGET_MS.compare);
  assert.deepEqual(states, ['starting']);
  clock.advance(BUDGET_MS.comparePerInstance * 100);
  assert.deepEqual(states, ['starting', 'failed']);
  assert.deepEqual(types(sent), ['live']);
  message.fire({ type: 'liveReady', cursor: served.session.revision(), undecided: 0 });
  assert.deepEqual(states, ['starting', 'failed', 'on']);
  clock.advance(10 * BUDGET_MS.compare);
  assert.deepEqual(states, ['starting', 'failed', 'on']);
  session[Symbol.dispose]();
});
