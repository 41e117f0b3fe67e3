import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { settle } from '../../../harness/settle.ts';
import { differing, main, mainFile, syncWorld } from '../../../harness/sync-world.ts';

const SCRIPTS = 450;
const at = (index: number): string => `ServerScriptService/S${index}`;
const numbers = Array.from({ length: SCRIPTS }, (_, index) => index);

test('reads many changes from Studio in several messages, and applies all of them', async () => {
  const world = await syncWorld({
    files: Object.fromEntries(numbers.map(index => [`src/S${index}.server.luau`, 'disk'])),
    place: Object.fromEntries(numbers.map(index => [at(index), { className: 'Script', source: `Studio ${index}` }])),
    git: 'none',
  });
  const { changes } = await world.sync({ mode: 'dryrun' });
  assert.equal(changes.length, SCRIPTS);
  const asked: number[] = [];
  world.studio.before = command => void (command.type === 'read' && asked.push(command.ids.length));
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  const result = await world.sync({ overrides });
  assert.equal(result.status, 'success');
  assert.equal(
    asked.reduce((sum, count) => sum + count, 0),
    SCRIPTS,
  );
  assert.ok(asked.length > 1 && Math.max(...asked) <= 200, asked.join());
  for (const index of numbers) assert.equal(world.files.text(`src/S${index}.server.luau`), `Studio ${index}`);
});

test('reads nothing from Studio when every change is new there', async () => {
  const world = await syncWorld({ files: { 'src/Main.server.luau': 'disk' }, git: 'none' });
  world.studio.before = command => assert.notEqual(command.type, 'read');
  const { changes } = await world.sync({ mode: 'dryrun' });
  const result = await world.sync({ overrides: changes.map(({ id }) => ({ id, direction: 'push' })) });
  assert.equal(result.status, 'success');
  assert.equal(world.studio.source(main), 'disk');
});

test('accepts a script without type and isDraft, the first form of that reply', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('getScript');
  const reading = world.engine.readScript({ fsPath: mainFile, fromDraft: false }, new AbortController().signal);
  await settle();
  const { requestId } = world.studio.commands.at(-1) ?? assert.fail();
  const source = 'print(1)';
  const script = { source, studioHash: gitBlob(source), className: 'Script', instancePath: main };
  world.studio.sendRaw({ requestId, status: 'success', ...script });
  await settle();
  // A reply that is not understood leaves the read waiting until its budget is used up.
  world.clock.advance(60_000);
  const { isDraft, ...answer } = await reading;
  assert.deepEqual([answer.source, answer.studioHash, isDraft], [source, gitBlob(source), false]);
});

test('reports the message of a failed reply without type', async () => {
  const world = await syncWorld(differing);
  world.studio.stalled.add('getScript');
  const reading = world.engine.readScript({ fsPath: mainFile, fromDraft: false }, new AbortController().signal);
  await settle();
  const { requestId } = world.studio.commands.at(-1) ?? assert.fail();
  const failing = assert.rejects(reading, /Instance is not a script \(Folder\)/);
  world.studio.sendRaw({ requestId, status: 'error', message: 'Instance is not a script (Folder)' });
  await settle();
  world.clock.advance(60_000);
  await failing;
});

test('waits for a Studio that is busy for 3 s, and allows to repeat a read that timed out', async () => {
  const world = await syncWorld(differing);
  const { studio, clock } = world;
  studio.silent.add('getScript');
  const read = () => world.engine.readScript({ fsPath: mainFile, fromDraft: false }, new AbortController().signal);
  const reading = read();
  await settle();
  clock.advance(3_000);
  const { requestId } = studio.commands.at(-1) ?? assert.fail();
  studio.sendRaw({ type: 'received', requestId });
  clock.advance(3_000);
  const script = { source: '', studioHash: gitBlob(''), className: 'Script', instancePath: main, isDraft: false };
  studio.sendRaw({ type: 'script', requestId, status: 'success', ...script });
  assert.equal((await reading).source, '');
  const failing = read();
  await settle();
  clock.advance(6_000);
  await assert.rejects(failing, { code: 'STUDIO_BUSY', retry: 'same' });
});
