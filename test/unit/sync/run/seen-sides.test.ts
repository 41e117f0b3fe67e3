import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SyncOverride } from '../../../../src/protocol/sync-request.ts';
import type { SyncChange, SyncResult } from '../../../../src/protocol/sync-result.ts';
import { gitBlob } from '../../../harness/fake-studio.ts';
import { differing, main, mainFile, syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const folder = 'ServerScriptService/Notes';
const withFolder: WorldParts = {
  git: 'none',
  place: {
    [folder]: { className: 'Folder' },
    [`${folder}/One`]: { className: 'Script', source: 'print(1)\n' },
    [`${folder}/Two`]: { className: 'Script', source: 'print(2)\n' },
  },
};

/** A dry run; the client receives the whole list. */
async function look(world: SyncWorld, client?: object): Promise<SyncResult> {
  const result = await world.sync({ mode: 'dryrun', client });
  world.engine.markSeen(result.runId, new Set(result.changes.map(({ id }) => id)), client);
  return result;
}

async function only(world: SyncWorld): Promise<SyncChange> {
  const [change, ...rest] = (await look(world)).changes;
  assert.ok(change);
  assert.deepEqual(rest, []);
  return change;
}

const decide = (world: SyncWorld, override: SyncOverride, client?: object): Promise<SyncResult> =>
  world.sync({ mode: 'fastfail', overrides: [override], client });

test('lists count, classes and hash of the descendants of a removal', async () => {
  const world = await syncWorld(withFolder);
  const { patchType, subtree } = await only(world);
  assert.equal(patchType, 'Remove');
  assert.deepEqual([subtree?.count, subtree?.classes], [3, { Folder: 1, Script: 2 }]);
  world.studio.edit(`${folder}/Two`, 'print("two")\n');
  assert.notEqual((await only(world)).subtree?.hash, subtree?.hash);
});

test('keeps a removal undecided when a script was added below it since the list was seen', async () => {
  const world = await syncWorld(withFolder);
  const { id } = await only(world);
  world.studio.place.set(`${folder}/Colleague`, { className: 'Script', source: 'print("new")\n' });
  const result = await decide(world, { id, direction: 'push' });
  assert.deepEqual([result.status, result.overrides[0]?.verdict], ['fastfail_unresolved', 'hash_mismatch']);
  assert.ok(world.studio.place.has(`${folder}/Colleague`));
  const again = await only(world);
  assert.equal((await decide(world, { id: again.id, direction: 'push' })).status, 'success');
  assert.ok(!world.studio.place.has(folder));
});

test('checks a quoted subtreeHash', async () => {
  const world = await syncWorld(withFolder);
  const { id, subtree } = await only(world);
  const wrong = await decide(world, { id, direction: 'push', subtreeHash: gitBlob('another') });
  assert.deepEqual(
    wrong.overrides.map(({ verdict, reason }) => [verdict, reason?.includes(subtree?.hash ?? '?')]),
    [['hash_mismatch', true]],
  );
  assert.equal((await decide(world, { id, direction: 'push', subtreeHash: subtree?.hash })).status, 'success');
});

test('requires subtreeHash for a removal of several instances when preconditions are required', async () => {
  const world = await syncWorld({ ...withFolder, settings: { overridesRequirePrecondition: () => true } });
  const { id, subtree } = await only(world);
  const bare = await decide(world, { id, direction: 'push', expectedProperties: { Name: 'Notes' } });
  assert.deepEqual([bare.status, bare.overrides[0]?.verdict], ['fastfail_unresolved', 'precondition_missing']);
  assert.equal((await decide(world, { id, direction: 'push', subtreeHash: subtree?.hash })).status, 'success');
});

test('requires diskHash for a removal of files when preconditions are required', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { [mainFile]: 'print(1)\n' },
    settings: { overridesRequirePrecondition: () => true },
  });
  const { id, diskHash } = await only(world);
  assert.equal(diskHash, gitBlob('print(1)\n'));
  const bare = await decide(world, { id, direction: 'pull' });
  assert.deepEqual([bare.status, bare.overrides[0]?.verdict], ['fastfail_unresolved', 'precondition_missing']);
  assert.equal((await decide(world, { id, direction: 'pull', diskHash })).status, 'success');
  assert.equal(world.files.text(mainFile), undefined);
});

test('makes a removal undecided when a script is added below it after the comparison', async () => {
  const world = await syncWorld({ ...withFolder });
  const { id } = await only(world);
  world.studio.before = command => {
    if (command.type === 'read')
      world.studio.place.set(`${folder}/Late`, { className: 'Script', source: 'print("late")\n' });
  };
  const { subtree } = await only(world);
  const result = await decide(world, { id, direction: 'push' });
  assert.deepEqual([result.status, result.changes[0]?.direction], ['fastfail_unresolved', 'unresolved']);
  assert.match(result.changes[0]?.reason ?? '', /instances below it changed in Studio/);
  assert.equal(result.changes[0]?.subtree?.count, (subtree?.count ?? 0) + 1);
  assert.ok(world.studio.place.has(`${folder}/Late`));
});

test('keeps a pull undecided when the file changed since the list, despite a right studioHash', async () => {
  const world = await syncWorld(differing);
  const { id, studioHash } = await only(world);
  world.files.set(mainFile, 'print("edited later")\n');
  const result = await decide(world, { id, direction: 'pull', studioHash });
  assert.deepEqual([result.status, result.overrides[0]?.verdict], ['fastfail_unresolved', 'disk_mismatch']);
  assert.equal(world.files.text(mainFile), 'print("edited later")\n');
  await only(world);
  assert.equal((await decide(world, { id, direction: 'pull', studioHash })).status, 'success');
});

test('keeps a pull undecided when only another client has seen the new text', async () => {
  const world = await syncWorld(differing);
  const [first, second] = [{}, {}];
  const { changes } = await look(world, first);
  const id = changes[0]?.id ?? '';
  world.files.set(mainFile, 'print("edited later")\n');
  await look(world, second);
  const result = await decide(world, { id, direction: 'pull' }, first);
  assert.equal(result.overrides[0]?.verdict, 'disk_mismatch');
  assert.equal((await decide(world, { id, direction: 'pull' }, second)).status, 'success');
});

test('allows a push of a file that changed since the list was seen, because a push keeps disk', async () => {
  const world = await syncWorld(differing);
  const { id, studioHash } = await only(world);
  world.files.set(mainFile, 'print("merged")\n');
  assert.equal((await decide(world, { id, direction: 'push', studioHash })).status, 'success');
  assert.equal(world.studio.source(main), 'print("merged")\n');
});

test('checks a quoted diskHash in either direction', async () => {
  for (const direction of ['push', 'pull'] as const) {
    const world = await syncWorld(differing);
    const { id, diskHash } = await only(world);
    assert.equal(diskHash, gitBlob('print("disk")\n'));
    const wrong = await decide(world, { id, direction, diskHash: gitBlob('another') });
    assert.equal(wrong.overrides[0]?.verdict, 'disk_mismatch', direction);
    assert.equal((await decide(world, { id, direction, diskHash })).status, 'success', direction);
  }
});

test('identifies an instance without text by its class and properties', async () => {
  const file = 'src/Lamp.model.json';
  const model = (brightness: number): string =>
    JSON.stringify({ className: 'PointLight', properties: { Brightness: brightness } });
  const lamp = (brightness: number): WorldParts => ({
    git: 'none',
    files: { [file]: model(brightness) },
    place: { 'ServerScriptService/Lamp': { className: 'PointLight', properties: { Brightness: { Float32: 9 } } } },
  });
  const world = await syncWorld(lamp(1));
  const { id, diskHash } = await only(world);
  world.files.set(file, model(2));
  assert.equal((await decide(world, { id, direction: 'pull', diskHash })).overrides[0]?.verdict, 'disk_mismatch');
  assert.notEqual((await only(world)).diskHash, diskHash);
});

test('reports unsaved changes of an editor in Studio', async () => {
  const place = { [main]: { className: 'Script', source: 'print("Studio")\n', draft: 'print("typing")\n' } };
  const world = await syncWorld({ ...differing, place });
  assert.equal((await only(world)).hasDraft, true);
  assert.ok(!('hasDraft' in (await only(await syncWorld(differing)))));
});
