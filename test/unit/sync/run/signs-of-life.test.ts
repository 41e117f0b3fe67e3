import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import type { ChannelFrame, StudioChannel } from '../../../../src/ports/studio-channel.ts';
import type { StudioCommand } from '../../../../src/protocol/studio/stream.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { settle } from '../../../harness/settle.ts';
import { differing, main, syncWorld, type SyncWorld } from '../../../harness/sync-world.ts';

const lastCommand = ({ studio }: SyncWorld): string => studio.commands.at(-1)?.requestId ?? assert.fail();
const dryRun = ({ engine }: SyncWorld) => engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' }).result;

/** The signs that Studio still compares. */
const signs: Readonly<Record<string, (world: SyncWorld, requestId: string) => void>> = {
  'reports progress': ({ studio }, requestId) => studio.sendRaw({ type: 'progress', requestId, done: 0, total: 0 }),
  'sends parts of its answer': ({ studio }) => studio.part.fire(),
};

for (const [sign, show] of Object.entries(signs))
  test(`compares as long as Studio ${sign}, however long it takes`, async () => {
    const world = await syncWorld(differing);
    world.studio.stalled.add('compare');
    const result = dryRun(world);
    await settle();
    const requestId = lastCommand(world);
    for (let at = 0; at < 40; at += 1) {
      // Time passes between turns of the event loop, never within one.
      await settle();
      world.clock.advance(20_000);
      show(world, requestId);
    }
    const place = { name: 'Baseplate', placeId: 7 };
    const messageCursor = world.session.revision();
    world.studio.sendRaw({ type: 'compared', requestId, place, messageCursor, changes: [], overrides: [] });
    assert.equal((await result).status, 'empty');
  });

test('ends a comparison after 30 s of silence, and allows to repeat it', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('compare');
  const result = dryRun(world);
  await settle();
  world.clock.advance(30_000);
  const { status, error } = await result;
  assert.deepEqual([status, error?.code, error?.retry], ['error', 'STUDIO_BUSY', 'same']);
});

test('applies in a Studio that was busy for 3 s and then works for minutes', async () => {
  const world = await syncWorld(differing);
  const id = await world.idOf(main);
  world.studio.silent.add('apply');
  const result = world.sync({ overrides: [{ id, direction: 'push' }] });
  await settle();
  const requestId = lastCommand(world);
  world.clock.advance(3_000);
  world.studio.sendRaw({ type: 'received', requestId });
  for (let at = 0; at < 60; at += 1) {
    // Time passes between turns of the event loop, never within one.
    await settle();
    world.clock.advance(4_000);
    world.studio.sendRaw({ type: 'progress', requestId, done: 0, total: 0 });
  }
  const text = 'print("disk")\n';
  world.studio.edit(main, text);
  world.studio.sendRaw({ type: 'applied', requestId, results: [{ id, ok: true, studioHash: gitBlob(text) }] });
  assert.equal((await result).status, 'success');
});

test('takes the changes of a comparison that arrive in parts', async () => {
  const numbers = Array.from({ length: 5 }, (_, index) => index);
  const world = await syncWorld({
    files: Object.fromEntries(numbers.map(index => [`src/S${index}.server.luau`, 'disk'])),
    git: 'none',
  });
  const sendRaw = world.studio.sendRaw.bind(world.studio);
  world.studio.sendRaw = message => {
    const frame = message as { type: string; requestId: string; changes: unknown[] };
    if (frame.type !== 'compared') return sendRaw(message);
    const { requestId, changes } = frame;
    for (const from of [0, 2]) sendRaw({ type: 'changes', requestId, changes: changes.slice(from, from + 2) });
    sendRaw({ ...frame, changes: changes.slice(4) });
  };
  const { changes } = await world.sync({ mode: 'dryrun' });
  assert.deepEqual(
    changes.map(({ path }) => path),
    numbers.map(index => `ServerScriptService/S${index}`),
  );
  const [compare] = world.studio.commands;
  assert.ok(compare?.type === 'compare' && compare.inParts === true);
});

test('asks again for the instances that a large reply left out', async () => {
  const numbers = Array.from({ length: 5 }, (_, index) => index);
  const world = await syncWorld({
    files: Object.fromEntries(numbers.map(index => [`src/S${index}.server.luau`, 'disk'])),
    place: Object.fromEntries(
      numbers.map(index => [`ServerScriptService/S${index}`, { className: 'Script', source: `Studio ${index}` }]),
    ),
    git: 'none',
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const sendRaw = world.studio.sendRaw.bind(world.studio);
  world.studio.sendRaw = message => {
    const frame = message as { type: string; instances: { id: string }[] };
    if (frame.type !== 'instances') return sendRaw(message);
    const left = frame.instances.slice(2).map(({ id }) => id);
    sendRaw({ ...frame, instances: frame.instances.slice(0, 2), left });
  };
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'pull' as const })) });
  assert.equal(result.status, 'success');
  for (const index of numbers) assert.equal(world.files.text(`src/S${index}.server.luau`), `Studio ${index}`);
  const reads = world.studio.commands.flatMap(command => (command.type === 'read' ? [command.ids.length] : []));
  assert.deepEqual(reads, [5, 3, 1]);
});

/** A pull of a folder whose descendants arrive before it, with the parts that `parts` makes of their ids. */
async function pullInParts(parts: (top: string) => readonly { readonly parentId: string; readonly id: string }[]) {
  const world = await syncWorld({
    files: {},
    place: { 'ServerScriptService/Kit': { className: 'Folder' } },
    git: 'none',
  });
  const [change] = (await world.sync({ mode: 'dryrun' })).changes;
  const sendRaw = world.studio.sendRaw.bind(world.studio);
  world.studio.sendRaw = message => {
    const frame = message as { type: string; requestId: string };
    const { requestId } = frame;
    if (frame.type === 'instances')
      for (const { parentId, id } of parts(change?.id ?? '')) {
        const instance = { id, name: id, className: 'Folder', properties: {}, children: [] };
        sendRaw({ type: 'instancesPart', requestId, parts: [{ parentId, instance }] });
      }
    sendRaw(message);
  };
  const result = await world.sync({ overrides: [{ id: change?.id ?? '', direction: 'pull' }] });
  const [read] = world.studio.commands.filter(command => command.type === 'read');
  assert.ok(read?.type === 'read' && read.inParts === true);
  return { result, paths: world.files.paths().filter(path => path.includes('Kit')) };
}

test('reads an instance whose descendants arrive before it in parts', async () => {
  const { paths } = await pullInParts(top => [
    { parentId: top, id: 'A' },
    { parentId: 'A', id: 'Deep' },
    { parentId: top, id: 'B' },
  ]);
  assert.deepEqual(paths, ['src/Kit/A/Deep/.gitkeep', 'src/Kit/B/.gitkeep']);
});

test('fails a read in which an instance has no parent', async () => {
  const { result, paths } = await pullInParts(() => [{ parentId: 'unknown', id: 'A' }]);
  assert.deepEqual([result.error?.code, paths], ['STUDIO_FAILED', []]);
});

test('names the size as the reason when a reply is too large for one message', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('compare');
  const result = dryRun(world);
  await settle();
  world.studio.sendRaw(Array.from({ length: 1_000_001 }, () => 0));
  const { error } = await result;
  assert.equal(error?.code, 'STUDIO_FAILED');
  assert.match(error.message, /too large: one message can have at most 1000000 values/);
});

/** An unmodified plugin, whose frames the test sends. */
async function unmodified() {
  const world = await syncWorld({ ...differing, connected: false });
  const message = new Emitter<ChannelFrame>();
  const part = new Emitter<void>();
  const sent: (StudioCommand | { readonly type: 'sync'; readonly requestId: string })[] = [];
  const channel: StudioChannel = {
    send: text => void sent.push(JSON.parse(text) as StudioCommand),
    onMessage: message.event,
    onPart: part.event,
    onClosed: new Emitter<{ readonly reason: string }>().event,
    liftLimit: () => undefined,
    close: () => undefined,
  };
  world.studios.accept(channel);
  message.fire(JSON.stringify({ type: 'hello', placeId: 7 }));
  const result = dryRun(world);
  await settle();
  const command = sent.find(({ type }) => type === 'sync') ?? assert.fail();
  const answer = (): void => {
    const { requestId } = command as { readonly requestId: string };
    message.fire(JSON.stringify({ requestId, type: 'result', status: 'empty', changes: [], message: '' }));
  };
  return { ...world, part, result, answer };
}

for (const sign of ['pluginRequest', 'part'] as const)
  test(`compares with an unmodified plugin as long as there is a sign of life: ${sign}`, async () => {
    const world = await unmodified();
    for (let at = 0; at < 20; at += 1) {
      world.clock.advance(25_000);
      world[sign].fire();
    }
    world.answer();
    assert.equal((await world.result).status, 'empty');
  });

test('gives an unmodified plugin that is silent more time for a larger project', async () => {
  const world = await unmodified();
  world.clock.advance(30_000);
  await settle();
  world.clock.advance(1_000);
  const { error } = await world.result;
  assert.deepEqual([error?.code, error?.retry], ['STUDIO_BUSY', 'same']);
  assert.match(error?.message ?? '', /after 300\d\d ms/);
});
