import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Ref } from '../../../../src/base/brand.ts';
import { Emitter } from '../../../../src/base/emitter.ts';
import { createTreeFeed } from '../../../../src/studio/feed/tree-feed.ts';
import type { TreeSubscriber } from '../../../../src/studio/feed/subscription.ts';
import type { HistoryLimits } from '../../../../src/studio/feed/tree-history.ts';
import type { PatchMessage, ReadInstance, SocketPacket } from '../../../../src/protocol/studio/messages.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { instancesOf, openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

const feedOf = (world: ProjectWorld, historyLimits: Partial<HistoryLimits> = {}, maxPacketChanges?: number) =>
  createTreeFeed({
    session: world.session,
    reflection,
    clock: world.clock,
    log: memoryLog(),
    sessionId: 'session',
    historyLimits,
    ...(maxPacketChanges !== undefined && { maxPacketChanges }),
  });

/** A feed that records its packets, and accepts the next one only when the test releases it. */
function slowFeed() {
  const packets: SocketPacket[] = [];
  /** Whether more packets follow each one. */
  const hasMore: boolean[] = [];
  const closed = new Emitter<{ readonly reason: string }>();
  let release = (): void => {};
  const feed: TreeSubscriber = {
    send: (packet, _known, more) => {
      packets.push(packet);
      hasMore.push(more);
      return new Promise(resolve => (release = resolve));
    },
    onClosed: closed.event,
    close: reason => closed.fire({ reason }),
  };
  const settle = async (): Promise<void> => {
    release();
    await new Promise(resolve => setImmediate(resolve));
  };
  return { feed, packets, hasMore, settle, messages: () => packets.flatMap(packet => packet.body.messages) };
}

test('[S35] merges all changes during a transmission into one packet with the final state', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '0', 'src/B.luau': '0' }));
  using feed = feedOf(world);
  const slow = slowFeed();
  feed.subscribe(slow.feed, world.session.revision(), 'atlas');
  for (const text of ['1', '2', '3']) {
    world.files.set('src/A.luau', text);
    await world.refresh();
  }
  world.files.set('src/New.luau', 'x');
  await world.refresh();
  world.files.delete('src/New.luau');
  world.files.set('src/B.luau', '1');
  await world.refresh();
  world.files.set('src/B.luau', '0');
  await world.refresh();
  assert.equal(slow.packets.length, 1);
  await slow.settle();
  assert.deepEqual(
    slow
      .messages()
      .map(({ removed, added, updated }) => [
        removed.length,
        Object.keys(added).length,
        updated.map(update => update.changedProperties),
      ]),
    [
      [0, 0, [{ Source: { String: '1' } }]],
      [0, 0, [{ Source: { String: '3' } }]],
    ],
  );
  await slow.settle();
  assert.equal(slow.packets.length, 2);
});

for (const limits of [{ changes: 3 }, { patches: 3 }, { bytes: 3 }])
  test(`keeps a limited history, and has an older client read again: ${JSON.stringify(limits)}`, async () => {
    using world = await openProject(smallProject({ 'src/A.luau': '0' }));
    using feed = feedOf(world, limits);
    const [first] = [world.session.revision()];
    for (const text of ['1', '2', '3']) {
      world.files.set('src/A.luau', text);
      await world.refresh();
    }
    assert.equal(feed.canSubscribe(first), 'subscribed');
    world.files.set('src/A.luau', '4');
    await world.refresh();
    assert.equal(feed.canSubscribe(first), 'forgotten');
    assert.equal(feed.canSubscribe(first + 1), 'subscribed');
    const slow = slowFeed();
    const reasons: string[] = [];
    slow.feed.onClosed(({ reason }) => reasons.push(reason));
    assert.equal(feed.subscribe(slow.feed, first, 'atlas'), 'forgotten');
    assert.equal(reasons.length, 1);
    assert.equal(feed.count(), 0);
  });

test('sends the whole history for cursor 0, and waits for a cursor beyond the end', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '0' }));
  using feed = feedOf(world);
  world.files.set('src/A.luau', '1');
  await world.refresh();
  const [old, ahead] = [slowFeed(), slowFeed()];
  feed.subscribe(old.feed, 0, 'atlas');
  feed.subscribe(ahead.feed, 1000, 'rojo');
  assert.deepEqual([old.packets.length, ahead.packets.length], [1, 0]);
  world.files.set('src/A.luau', '2');
  await world.refresh();
  assert.equal(ahead.packets.length, 1);
});

test('limits the open feeds, and accepts another one when one closes', async () => {
  using world = await openProject(smallProject({}));
  using feed = feedOf(world);
  const feeds = Array.from({ length: 32 }, slowFeed);
  for (const one of feeds) assert.equal(feed.subscribe(one.feed, 0, 'atlas'), 'subscribed');
  assert.equal(feed.subscribe(slowFeed().feed, 0, 'atlas'), 'full');
  feeds[0]?.feed.close('gone');
  assert.equal(feed.subscribe(slowFeed().feed, 0, 'atlas'), 'subscribed');
});

test('[D27] sends the default of the class for a property that the files no longer set', async () => {
  const lamp = (properties: object) => JSON.stringify({ className: 'Part', properties });
  using world = await openProject(smallProject({ 'src/Lamp.model.json': lamp({ Transparency: 0.5 }) }));
  using feed = feedOf(world);
  const slow = slowFeed();
  feed.subscribe(slow.feed, world.session.revision(), 'atlas');
  world.files.set('src/Lamp.model.json', lamp({}));
  await world.refresh();
  assert.deepEqual(slow.messages()[0]?.updated[0]?.changedProperties, { Transparency: { Float32: 0 } });
});

test('sends every property with a changed class, because the plugin creates a new instance', async () => {
  using world = await openProject(smallProject({ 'src/A.server.luau': 'print(1)' }));
  using feed = feedOf(world);
  const slow = slowFeed();
  feed.subscribe(slow.feed, world.session.revision(), 'atlas');
  world.files.delete('src/A.server.luau');
  world.files.set('src/A.luau', 'print(1)');
  await world.refresh();
  const update = slow.messages()[0]?.updated[0];
  if (update === undefined) assert.equal(Object.values(slow.messages()[0]?.added ?? {})[0]?.ClassName, 'ModuleScript');
  else assert.deepEqual(update.changedProperties['Source'], { String: 'print(1)' });
});

/** A Studio that applies every message as the reference plugin does: removals, additions of what it does not know, updates. */
class Mirror {
  readonly instances: Map<string, ReadInstance>;

  constructor(instances: Readonly<Record<string, ReadInstance>>) {
    this.instances = new Map(Object.entries(instances));
  }

  apply({ removed, added, updated }: PatchMessage): void {
    for (const id of removed) this.#remove(id);
    for (const [id, instance] of Object.entries(added)) {
      assert.ok(added[instance.Parent] !== undefined || this.instances.has(instance.Parent), 'an add without a parent');
      if (!this.instances.has(id)) this.instances.set(id, instance);
    }
    for (const { id, changedName, changedClassName, changedProperties } of updated) {
      const known = this.instances.get(id);
      assert.ok(known, 'an update of something unknown');
      const properties: Record<string, unknown> = changedClassName === null ? { ...known.Properties } : {};
      for (const [name, value] of Object.entries(changedProperties)) properties[name] = value;
      this.instances.set(id, {
        ...known,
        Name: changedName ?? known.Name,
        ClassName: changedClassName ?? known.ClassName,
        Properties: properties as ReadInstance['Properties'],
      });
    }
  }

  #remove(id: string): void {
    for (const [child, instance] of this.instances) if (instance.Parent === id) this.#remove(child);
    this.instances.delete(id);
  }

  /** The compared state: the path, name and Source of each instance. */
  view(): object {
    return viewOf(Object.fromEntries(this.instances));
  }
}

const viewOf = (instances: Readonly<Record<string, ReadInstance>>): object =>
  Object.fromEntries(
    Object.values(instances)
      .toSorted((a, b) => (a.Id < b.Id ? -1 : 1))
      .map(one => [one.Id, [one.Parent, one.Name, one.ClassName, one.Properties['Source']]]),
  );

const paths = ['src/A.luau', 'src/A.server.luau', 'src/D/B.luau', 'src/D/init.luau', 'src/D/E/F.luau', 'src/G.txt'];
const step = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), path: fc.constantFrom(...paths), text: fc.constantFrom('1', '2') }),
  fc.record({ kind: fc.constant('delete' as const), path: fc.constantFrom('src/D', 'src/D/E', ...paths) }),
  fc.record({ kind: fc.constantFrom('settle' as const, 'cut' as const) }),
);

for (const { group, maxPacketChanges } of [
  { group: 'rojo', maxPacketChanges: 2_000 },
  { group: 'own', maxPacketChanges: 2_000 },
  { group: 'own', maxPacketChanges: 2 },
] as const)
  test(`every ${group} subscriber ends with the tree after any changes and cuts, in packets of ${maxPacketChanges}`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        using world = await openProject(smallProject({ 'src/A.luau': '1', 'src/D/B.luau': '1' }));
        using feed = feedOf(world, { patches: 100_000 }, maxPacketChanges);
        const slices = async (): Promise<void> => {
          for (let turn = 0; turn < 5; turn += 1) {
            world.clock.advance(0);
            await new Promise(resolve => setImmediate(resolve));
          }
        };
        const readAll = (): Mirror => new Mirror(instancesOf(world.session, [world.session.rootId]));
        let mirror = readAll();
        let cursor = world.session.revision();
        let slow = slowFeed();
        let taken = 0;
        let isPartlyPatched = false;
        feed.subscribe(slow.feed, cursor, group);
        const take = (): void => {
          for (const [index, packet] of slow.packets.entries()) {
            if (index < taken) continue;
            packet.body.messages.forEach(message => mirror.apply(message));
            isPartlyPatched = slow.hasMore[index] === true;
            cursor = packet.body.messageCursor;
          }
          taken = slow.packets.length;
        };
        for (const one of steps) {
          if (one.kind === 'set') world.files.set(one.path, one.text);
          else if (one.kind === 'delete') world.files.delete(one.path);
          else if (one.kind === 'settle') {
            take();
            await slow.settle();
          } else {
            // Sent packets that were not accepted are lost with the link.
            slow.feed.close('cut');
            slow = slowFeed();
            taken = 0;
            // The plugin does not know which packets of the revision are missing.
            if (isPartlyPatched) [mirror, cursor] = [readAll(), world.session.revision()];
            isPartlyPatched = false;
            feed.subscribe(slow.feed, cursor, group);
          }
          await world.refresh();
          if (group === 'own') await slices();
        }
        for (let before = -1; before !== slow.packets.length;) {
          before = slow.packets.length;
          take();
          await slow.settle();
          if (group === 'own') await slices();
        }
        assert.deepEqual(mirror.view(), viewOf(instancesOf(world.session, [world.session.rootId])));
      }),
      { numRuns: 60 },
    );
  });

/** Changes files while our plugin has a feed with packets of 20 instances, and returns what it gets. */
async function packetsOf(files: Readonly<Record<string, string>>, change: (world: ProjectWorld) => void) {
  using world = await openProject(smallProject(files));
  let lookups = 0;
  const session = new Proxy(world.session, {
    get(target, name) {
      if (name === 'get') lookups += 1;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  using feed = feedOf({ ...world, session }, {}, 20);
  const slow = slowFeed();
  const before = world.session.revision();
  feed.subscribe(slow.feed, before, 'own');
  change(world);
  await world.refresh();
  for (let sent = -1; sent !== slow.packets.length;) {
    sent = slow.packets.length;
    for (let turn = 0; turn < 5; turn += 1) {
      world.clock.advance(0);
      await slow.settle();
    }
  }
  const cursors = slow.packets.map(({ body }) => body.messageCursor - before);
  return { cursors, messages: slow.messages(), lookups };
}
const numbered = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/S${index}.luau`, text]));
const setAll =
  (files: Readonly<Record<string, string>>) =>
  (world: ProjectWorld): void => {
    for (const [path, text] of Object.entries(files)) world.files.set(path, text);
  };

test('divides the changes of a checkout, and reports the new revision with the last packet', async () => {
  const { cursors, messages } = await packetsOf(numbered(45, '0'), setAll(numbered(45, '1')));
  assert.deepEqual(cursors, [0, 0, 1]);
  assert.deepEqual(
    messages.map(({ updated }) => updated.length),
    [20, 20, 5],
  );
  assert.equal(new Set(messages.flatMap(({ updated }) => updated.map(({ id }) => id))).size, 45);
});

test('reports a revision only with its last packet when a second checkout follows at once', async () => {
  // Instances with references are sent at once, so that nothing of the first checkout is left.
  const pointers = (Archivable: boolean): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [
        `src/Pointer${index}.model.json`,
        JSON.stringify({
          className: 'ObjectValue',
          properties: { Archivable },
          attributes: { Rojo_Target_Value: 'target' },
        }),
      ]),
    );
  const target = JSON.stringify({ className: 'Folder', id: 'target' });
  using world = await openProject(
    smallProject({ ...numbered(25, '0'), ...pointers(true), 'src/Target.model.json': target }),
  );
  using feed = feedOf(world, {}, 20);
  const slow = slowFeed();
  const before = world.session.revision();
  feed.subscribe(slow.feed, before, 'own');
  setAll(pointers(false))(world);
  await world.refresh();
  // The first packet waits for a turn of the event loop.
  setAll(numbered(25, '1'))(world);
  await world.refresh();
  for (let sent = -1; sent !== slow.packets.length;) {
    sent = slow.packets.length;
    for (let turn = 0; turn < 5; turn += 1) {
      world.clock.advance(0);
      await slow.settle();
    }
  }
  assert.deepEqual(
    slow.packets.map(({ body: { messageCursor, messages } }, index) => [
      messageCursor - before,
      slow.hasMore[index],
      messages.flatMap(({ updated }) => updated).length,
    ]),
    [
      [0, true, 25],
      [0, true, 20],
      [2, false, 5],
    ],
  );
});

test('sends what a checkout removes first, then new instances, then the others', async () => {
  const { messages } = await packetsOf({ ...numbered(25, '0'), 'src/Old/A.luau': '0' }, world => {
    setAll(numbered(25, '1'))(world);
    for (let index = 0; index < 12; index += 1) world.files.set(`src/New/Deep${index % 3}/N${index}.luau`, '0');
    world.files.delete('src/Old');
  });
  assert.deepEqual(
    messages.map(({ removed, added, updated }) => [removed.length, Object.keys(added).length, updated.length > 0]),
    [
      [1, 0, false],
      [0, 16, false],
      [0, 0, true],
      [0, 0, true],
    ],
  );
});

test('looks at each new instance of a checkout equally often, whatever their number', async () => {
  const lookupsFor = async (count: number): Promise<number> =>
    (await packetsOf({ 'src/A.luau': '0' }, setAll(numbered(count, '1')))).lookups / count;
  const [few, many] = [await lookupsFor(100), await lookupsFor(800)];
  assert.ok(many < 1.5 * few, `${many} instead of ${few} for each instance`);
});

test('sends instances with references together with everything new', async () => {
  const model = { className: 'ObjectValue', id: 'self', attributes: { Rojo_Target_Value: 'target' } };
  const { messages } = await packetsOf(numbered(25, '0'), world => {
    setAll(numbered(25, '1'))(world);
    world.files.set('src/Pointer.model.json', JSON.stringify(model));
    world.files.set('src/Target.model.json', JSON.stringify({ className: 'Folder', id: 'target' }));
  });
  assert.deepEqual(
    Object.values(messages[0]?.added ?? {})
      .map(({ Name }) => Name)
      .toSorted(),
    ['Pointer', 'Target'],
  );
});

test('sends a large change whole when an edit of Studio is written before it could be sent', async () => {
  const part = (Transparency: number, Reflectance: number): string =>
    JSON.stringify({ className: 'Part', properties: { Transparency, Reflectance } });
  using world = await openProject(smallProject({ ...numbered(25, '0'), 'src/A.model.json': part(0, 0) }));
  using feed = feedOf(world, {}, 20);
  const slow = slowFeed();
  feed.subscribe(slow.feed, world.session.revision(), 'own');
  const refresh = async (files: Readonly<Record<string, string>>): Promise<void> => {
    setAll(files)(world);
    await world.refresh();
  };
  // Is sent until `settle`, so what follows waits.
  await refresh({ 'src/S0.luau': '1' });
  await refresh({ ...numbered(25, '2'), 'src/A.model.json': part(1, 0) });
  const edited = world.at('ReplicatedStorage/S1');
  using _ = feed.assume('own', edited.id as Ref, world.session.get(edited.id as Ref));
  await refresh({ 'src/A.model.json': part(1, 1) });
  for (let sent = -1; sent !== slow.packets.length;) {
    sent = slow.packets.length;
    for (let turn = 0; turn < 5; turn += 1) {
      world.clock.advance(0);
      await slow.settle();
    }
  }
  const id = world.at('ReplicatedStorage/A').id;
  const updates = slow.messages().flatMap(({ updated }) => updated.filter(update => update.id === id));
  assert.deepEqual(
    updates.map(({ changedProperties }) => changedProperties),
    [{ Transparency: { Float32: 1 }, Reflectance: { Float32: 1 } }],
  );
});

test('treats a change as seen only after it was sent', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '0' }));
  using feed = feedOf(world);
  const id = world.at('ReplicatedStorage/A').id as Ref;
  feed.noteRead('atlas');
  assert.equal(feed.isUnseen('atlas', id), false);
  world.files.set('src/A.luau', '1');
  await world.refresh();
  assert.equal(feed.isUnseen('atlas', id), true);
  const slow = slowFeed();
  feed.subscribe(slow.feed, world.session.revision() - 1, 'atlas');
  assert.equal(feed.isUnseen('atlas', id), true);
  await slow.settle();
  // It may have edited before it received the change.
  assert.equal(feed.isUnseen('atlas', id), true);
  world.clock.advance(1_000);
  assert.equal(feed.isUnseen('atlas', id), false);
});

for (const { edit, isSeen, because } of [
  { edit: 'local a = 1\nlocal b = 2\nprint(a)', isSeen: false, because: 'it has the old lines' },
  { edit: 'print("other")', isSeen: false, because: 'it shows neither state' },
  { edit: 'local a = 9\nlocal b = 2\nprint(a)', isSeen: true, because: 'it has a new line' },
])
  test(`${isSeen ? 'accepts' : 'refuses'} an edit of a busy Studio after 5 s, because ${because}`, async () => {
    using world = await openProject(smallProject({ 'src/A.luau': 'local a = 1\nlocal b = 2' }));
    using feed = feedOf(world);
    const id = world.at('ReplicatedStorage/A').id as Ref;
    const slow = slowFeed();
    feed.subscribe(slow.feed, world.session.revision(), 'atlas');
    world.files.set('src/A.luau', 'local a = 9\nlocal b = 2');
    await world.refresh();
    assert.equal(feed.isUnseen('atlas', id, edit), true, 'not sent yet');
    await slow.settle();
    world.clock.advance(5_000);
    assert.equal(feed.isUnseen('atlas', id, edit), !isSeen);
    world.clock.advance(25_000);
    assert.equal(feed.isUnseen('atlas', id, edit), false);
  });

test('closes the feed when a packet cannot be sent', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '0' }));
  using feed = feedOf(world);
  const slow = slowFeed();
  const reasons: string[] = [];
  slow.feed.onClosed(({ reason }) => reasons.push(reason));
  const failing: TreeSubscriber = { ...slow.feed, send: () => Promise.reject(new Error('too long')) };
  feed.subscribe(failing, world.session.revision(), 'atlas');
  world.files.set('src/A.luau', '1');
  await world.refresh();
  await slow.settle();
  assert.deepEqual(reasons, ['the changes could not be sent: Error: too long']);
});
