import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ref } from '../../../../src/base/brand.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { nodeClock } from '../../../../src/adapters/node/clock.ts';
import type { LiveFromPlugin, LiveToPlugin } from '../../../../src/protocol/studio/live.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import { settle } from '../../../harness/settle.ts';
import { readRemoved } from '../../../../src/studio/live/read-removed.ts';
import type { Instance } from '../../../../src/roblox/instances/instance.ts';

const instance = (id: string): StudioInstance => ({ id, name: id, className: 'Folder', properties: {}, children: [] });
const part = (id: string, parentId: string) => ({ parentId, instance: instance(id) });

/** Reads `top` of the change 6. @param childCount of `top` in the project */
function world(childCount = 0) {
  const sent: LiveToPlugin[] = [];
  const message = new Emitter<LiveFromPlugin>();
  const children = Array.from({ length: childCount }, (_, index) => `c${index}` as Ref);
  const known = new Map([['top' as Ref, { name: 'Top', children } as unknown as Instance]]);
  const end = new AbortController();
  let progress = 0;
  const read = readRemoved(
    ['top'],
    {
      channel: { send: async one => void sent.push(one), onMessage: message.event },
      clock: nodeClock,
      cursor: 6,
      known,
      onProgress: () => (progress += 1),
    },
    end.signal,
  );
  const answer = (fields: object = {}): void =>
    message.fire({ type: 'liveInstances', cursor: 6, instances: [instance('top')], left: [], ...fields });
  return { read, sent, message, answer, end, progress: () => progress };
}

test('joins the descendants that arrive in parts, and reports each part as progress', async () => {
  const { read, sent, message, answer, progress } = world();
  message.fire({ type: 'liveInstancesPart', cursor: 6, parts: [part('a', 'top'), part('b', 'a')] });
  message.fire({ type: 'liveInstancesPart', cursor: 5, parts: [part('x', 'top')] });
  message.fire({ type: 'liveInstancesPart', cursor: 6, parts: [part('c', 'top')] });
  assert.equal(progress(), 2);
  answer({ partCount: 2 });
  const top = (await read).get('top');
  assert.deepEqual(
    top?.children.map(({ id, children }) => [id, children.map(child => child.id)]),
    [
      ['a', ['b']],
      ['c', []],
    ],
  );
  assert.equal(sent.length, 1);
});

test('fails when a part is missing', async () => {
  const { read, message, answer } = world();
  message.fire({ type: 'liveInstancesPart', cursor: 6, parts: [part('a', 'top')] });
  answer({ partCount: 2 });
  await assert.rejects(read, { code: 'STUDIO_FAILED' });
});

test('fails when an older plugin leaves out an instance that is too large for it', async () => {
  const { read, answer } = world(5_000);
  answer({ instances: [] });
  await assert.rejects(read, { code: 'STUDIO_FAILED', message: /Top has too many instances/ });
});

test('reads nothing of an instance that Studio does not have', async () => {
  for (const [childCount, partCount] of [
    [10, undefined],
    [5_000, 0],
  ] as const) {
    const { read, answer } = world(childCount);
    answer({ instances: [], partCount });
    assert.equal((await read).size, 0);
  }
});

test('ends when the change is settled first', async () => {
  const { read, end } = world();
  end.abort(new Error('settled'));
  await assert.rejects(read, { message: 'settled' });
});

test('leaves no unhandled rejection when the change ends while the question is sent', async () => {
  const sending = Promise.withResolvers<void>();
  const end = new AbortController();
  const message = new Emitter<LiveFromPlugin>();
  const channel = { send: () => sending.promise, onMessage: message.event };
  const request = { channel, clock: nodeClock, cursor: 6, known: new Map(), onProgress: () => undefined };
  const rejected = assert.rejects(readRemoved(['top'], request, end.signal), /the session ended/);
  end.abort(new Error('the session ended'));
  await settle();
  sending.resolve();
  await rejected;
});
