import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClock } from '../../../src/adapters/node/clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { MAX_CHANGES, MESSAGE_LIMITS } from '../../../src/protocol/limits.ts';
import type { Applied, StudioCommand } from '../../../src/protocol/studio/stream.ts';
import { createChannelLink } from '../../../src/studio/channel-link.ts';
import { defaultSettings } from '../../harness/default-settings.ts';
import { FakeStudio } from '../../harness/fake-studio.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { sequentialRandom } from '../../harness/sequential-random.ts';
import { settle } from '../../harness/settle.ts';
import { until } from '../../harness/until.ts';

const never = new AbortController().signal;
const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds', 'scriptsByPath', 'explorer', 'live'];

/** A link to a Studio that receives commands; the test sends the replies. */
function world<C extends Clock = ManualClock>(clock = new ManualClock() as Clock as C) {
  const studio = new FakeStudio(() => ({ sessionId: 's', messageCursor: 0, instances: {} }), {});
  for (const type of ['compare', 'read', 'apply', 'getScript', 'children'] as const) studio.stalled.add(type);
  const hello = { capabilities, placeId: 7, placeName: 'Place', placeVersion: 0 };
  const link = createChannelLink(
    studio.channel,
    {
      handle: 'studio-1',
      epoch: 1,
      hello: { type: 'hello', twoWaySync: false, oneShotSync: true, confirmationBehavior: '', ...hello },
    },
    { clock, random: sequentialRandom(), settings: defaultSettings(), log: memoryLog() },
  );
  const send = (message: object): void => {
    const command = studio.commands.at(-1) as Exclude<StudioCommand, { type: 'cancel' }>;
    studio.sendRaw({ requestId: command.requestId, ...message });
  };
  return { clock, link, studio, send };
}
const change = (id: string) => ({ id, patchType: 'Add', path: id, name: id, className: 'Folder', parentId: '' });
const instance = (id: string) => ({ id, name: id, className: 'Folder', properties: {}, children: [] });
const described = (id: string) => ({ id, name: id, className: 'Folder', childCount: 0 });
const compared = { type: 'compared', place: { name: 'Place', placeId: 7 }, messageCursor: 1, overrides: [] };
const apply = { compareId: 'c', runId: 'r', decisions: [] };
const idsOf = (list: readonly { readonly id: string }[]): readonly string[] => list.map(({ id }) => id);

type World = Pick<ReturnType<typeof world>, 'link'>;

/** Each list that arrives in parts: how to request it, its parts, and its reply. */
const lists = {
  changes: {
    request: ({ link }: World) => link.compare([], never, () => {}).then(({ changes }) => idsOf(changes)),
    part: (id: string) => ({ type: 'changes', changes: [change(id)] }),
    reply: (id: string) => ({ ...compared, changes: [change(id)] }),
  },
  children: {
    request: async ({ link }: World) => idsOf((await link.explorer?.children('a', never)) ?? []),
    part: (id: string) => ({ type: 'listedPart', instances: [described(id)] }),
    reply: (id: string) => ({ type: 'listed', instances: [described(id)] }),
  },
  instances: {
    request: ({ link }: World) =>
      link.read('c', ['3'], never).then(({ instances }) => {
        const [top] = instances;
        return top === undefined ? [] : [...idsOf(top.children), top.id];
      }),
    part: (id: string) => ({ type: 'instancesPart', parts: [{ parentId: '3', instance: instance(id) }] }),
    reply: (id: string) => ({ type: 'instances', instances: [instance(id)], missing: [] }),
  },
  results: {
    request: ({ link }: World) =>
      link
        .apply(
          apply,
          never,
          () => {},
          () => {},
        )
        .then(({ results }) => idsOf(results)),
    part: (id: string) => ({ type: 'appliedPart', results: [{ id, ok: true }] }),
    reply: (id: string) => ({ type: 'applied', results: [{ id, ok: true }] }),
  },
} as const;

for (const [name, { request, part, reply }] of Object.entries(lists)) {
  test(`joins the parts of a list of ${name} in their order`, async () => {
    const it = world();
    const ids = request(it);
    it.send(part('1'));
    it.send(part('2'));
    it.send({ ...reply('3'), partCount: 2 });
    assert.deepEqual(await ids, ['1', '2', '3']);
  });

  for (const [problem, sent] of [
    ['missing', ['1']],
    ['repeated', ['1', '2', '2']],
  ] as const)
    test(`fails when a part of a list of ${name} is ${problem}`, async () => {
      const it = world();
      const ids = request(it);
      for (const id of sent) it.send(part(id));
      it.send({ ...reply('3'), partCount: 2 });
      await assert.rejects(ids, { code: 'STUDIO_FAILED', message: /[13] of 2 parts of the reply arrived/ });
    });

  test(`accepts a list of ${name} from a plugin without part numbers`, async () => {
    const it = world();
    const ids = request(it);
    it.send(part('1'));
    it.send(reply('3'));
    assert.deepEqual(await ids, ['1', '3']);
  });
}

test('ignores a part that belongs to another kind of reply', async () => {
  const it = world();
  const ids = lists.changes.request(it);
  it.send(lists.results.part('1'));
  it.send(lists.changes.reply('3'));
  assert.deepEqual(await ids, ['3']);
});

test('completes an apply with the parts that arrive before and after the time limit', async () => {
  const { clock, link, send } = world();
  const late: Applied[] = [];
  const applied = link.apply(
    apply,
    never,
    one => late.push(one),
    () => {},
  );
  send(lists.results.part('1'));
  clock.advance(30_000);
  await assert.rejects(applied, { code: 'STUDIO_NOT_RESPONDING' });
  send(lists.results.part('2'));
  send({ ...lists.results.reply('3'), partCount: 2 });
  await settle();
  assert.deepEqual(
    late.map(({ results }) => idsOf(results)),
    [['1', '2', '3']],
  );
});

test('stays connected when a late reply has too many results', async () => {
  const { clock, link, send } = world();
  const late: Applied[] = [];
  const applied = link.apply(
    apply,
    never,
    one => late.push(one),
    () => {},
  );
  clock.advance(30_000);
  await assert.rejects(applied, { code: 'STUDIO_NOT_RESPONDING' });
  const result = { id: '1', ok: true };
  const many = { ...lists.results.part('1'), results: Array.from({ length: MAX_CHANGES / 2 + 1 }, () => result) };
  send(many);
  send(many);
  send(lists.results.reply('2'));
  await settle();
  assert.deepEqual([late, link.isOpen()], [[], true]);
});

test('ends only the command whose reply has a text above the limit', async () => {
  const it = world(nodeClock);
  const changes = lists.changes.request(it);
  const comparing = it.studio.commands.at(-1);
  const script = it.link.getScript('a', false, never, undefined);
  it.send({ type: 'script', status: 'success', source: 'x'.repeat(MESSAGE_LIMITS.text + 65_536) });
  await assert.rejects(script, { code: 'STUDIO_FAILED', message: /at most 4194304 bytes in one text/ });
  it.studio.sendRaw({
    ...compared,
    changes: [],
    requestId: comparing && 'requestId' in comparing && comparing.requestId,
  });
  assert.deepEqual(await changes, []);
});

for (const [type, expected] of [
  ['liveEdit', { type: 'liveEdit', seq: 7, isOversized: true }],
  ['liveStructure', { type: 'liveStructure', seq: 7, isOversized: true }],
] as const)
  test(`reports the number of a change with a text above the limit in a message ${type}`, async () => {
    const { link, studio } = world(nodeClock);
    const unreadable: unknown[] = [];
    link.live?.onUnreadable(one => unreadable.push(one));
    // A plugin writes the members of an object in any order.
    studio.sendRaw({ edits: ['"}'.repeat(MESSAGE_LIMITS.text)], type, seq: 7 });
    await until(() => unreadable.length > 0);
    assert.deepEqual(unreadable, [expected]);
  });

test('reports a change that the plugin could not send to the live session', () => {
  const { link, studio } = world();
  const unreadable: unknown[] = [];
  link.live?.onUnreadable(one => unreadable.push(one));
  const failed = { type: 'failed', code: 'too_large', message: 'the reply is 80 MB' };
  studio.sendRaw(failed);
  studio.sendRaw({ ...failed, seq: 3 });
  assert.deepEqual(unreadable, [
    { type: 'failed', isOversized: false },
    { type: 'failed', seq: 3, isOversized: false },
  ]);
});
