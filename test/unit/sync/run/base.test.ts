import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainDefault } from '../../../../src/sync/base/explain-default.ts';
import type { SyncChange } from '../../../../src/protocol/sync.ts';
import { syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const main = 'ServerScriptService/Main';
const mainFile = 'src/Main.server.luau';
const metaFile = 'src/Main.meta.json';
const meta = (disabled: boolean): string => JSON.stringify({ properties: { Disabled: disabled } });

/** A script that both sides hold alike, seen so by one sync; git says nothing. */
async function agreed(parts: WorldParts = {}): Promise<SyncWorld> {
  const world = await syncWorld({
    git: 'none',
    ...parts,
    files: { [mainFile]: 'print(1)\n', [metaFile]: meta(false), ...parts.files },
    place: {
      [main]: { className: 'Script', source: 'print(1)\n', properties: { Disabled: { Bool: false } } },
      ...parts.place,
    },
  });
  assert.equal((await world.sync()).status, 'empty');
  return world;
}
const only = async (world: SyncWorld): Promise<SyncChange> => {
  const { changes } = await world.sync({ mode: 'dryrun' });
  assert.equal(changes.length, 1);
  return changes[0] as SyncChange;
};
const setDisabled = (world: SyncWorld, value: boolean): void => {
  const script = world.studio.place.get(main);
  if (script !== undefined) script.properties = { Disabled: { Bool: value } };
};
const disk = (world: SyncWorld): void => world.files.set(mainFile, 'print("disk")\n');
const studio = (world: SyncWorld): void => world.studio.edit(main, 'print("Studio")\n');

const rows: readonly [name: string, move: (world: SyncWorld) => void, selection: string | null, reason: string][] = [
  ['disk moved: push', disk, 'push', 'base_disk_moved'],
  ['Studio moved: pull', studio, 'pull', 'base_studio_moved'],
  ['both moved: undecided', world => (disk(world), studio(world)), null, 'base_both_moved'],
  ['a property moved on disk: push', world => world.files.set(metaFile, meta(true)), 'push', 'base_disk_moved'],
  ['a property moved in Studio: pull', world => setDisabled(world, true), 'pull', 'base_studio_moved'],
  [
    'the source moved on disk and a property in Studio: merge',
    world => (disk(world), setDisabled(world, true)),
    'merge',
    'base_merged',
  ],
  [
    'disk moved while somebody types in Studio: undecided',
    world => {
      disk(world);
      const script = world.studio.place.get(main);
      if (script !== undefined) script.draft = 'print("typing")\n';
    },
    null,
    'base_both_moved',
  ],
  ['gone from Studio: undecided', world => void world.studio.place.delete(main), null, 'removal'],
  ['gone from disk: undecided', world => (world.files.delete(mainFile), world.files.delete(metaFile)), null, 'removal'],
];
for (const [name, move, selection, reason] of rows)
  test(`after both sides agreed, ${name}`, async () => {
    const world = await agreed();
    move(world);
    const change = await only(world);
    assert.deepEqual([change.defaultSelection, change.defaultReason], [selection, reason]);
  });

test('the base comes before git: a file as committed is pushed when Studio holds what both agreed on', async () => {
  const world = await agreed({ git: {} });
  disk(world);
  assert.equal((await only(world)).defaultReason, 'base_disk_moved');
});

test('a property that disk names for the first time was compared by nobody', async () => {
  const world = await agreed();
  world.files.set(metaFile, JSON.stringify({ properties: { Disabled: false, LinkedSource: 'x' } }));
  const script = world.studio.place.get(main);
  if (script !== undefined) script.properties = { Disabled: { Bool: false }, LinkedSource: { ContentId: 'y' } };
  assert.deepEqual((await only(world)).defaultReason, 'base_both_moved');
});

test('what a run has verified is what both sides agree on from then on', async () => {
  for (const direction of ['push', 'pull'] as const) {
    const world = await agreed();
    disk(world);
    studio(world);
    const id = await world.idOf(main);
    assert.equal((await world.sync({ overrides: [{ id, direction }] })).status, 'success');
    disk(world);
    world.files.set(mainFile, 'print("later")\n');
    assert.equal((await only(world)).defaultReason, 'base_disk_moved', direction);
  }
});

test('what a run could not do is agreed on by nobody, also when one side goes back to what both had', async () => {
  const world = await agreed();
  disk(world);
  world.files.fault = () => {
    throw new Error('no space left on device');
  };
  studio(world);
  const id = await world.idOf(main);
  assert.equal((await world.sync({ overrides: [{ id, direction: 'pull' }] })).status, 'partial');
  world.files.set(mainFile, 'print(1)\n');
  assert.equal((await only(world)).defaultReason, 'no_git');
});

test('what a run removes is forgotten with everything below it, and nothing beside it', async () => {
  const world = await agreed({
    files: { 'src/lib/A.luau': 'return 1\n', 'src/library/B.luau': 'return 2\n' },
    place: {
      'ServerScriptService/lib': { className: 'Folder' },
      'ServerScriptService/lib/A': { className: 'ModuleScript', source: 'return 1\n' },
      'ServerScriptService/library': { className: 'Folder' },
      'ServerScriptService/library/B': { className: 'ModuleScript', source: 'return 2\n' },
    },
  });
  world.files.delete('src/lib');
  const id = await world.idOf('ServerScriptService/lib');
  assert.equal((await world.sync({ overrides: [{ id, direction: 'push' }] })).status, 'success');
  const known = await world.bases.load(JSON.stringify(['default.project.json', 7]));
  assert.deepEqual(
    [...known.keys()].filter(key => key.includes('lib')),
    ['ServerScriptService/library', 'ServerScriptService/library/B'],
  );
});

test('a dry run teaches nothing, and another place knows nothing of this one', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { [mainFile]: 'print(1)\n' },
    place: { [main]: { className: 'Script', source: 'print(1)\n' } },
  });
  assert.equal((await world.sync({ mode: 'dryrun' })).status, 'empty');
  disk(world);
  assert.equal((await only(world)).defaultReason, 'no_git');
  assert.deepEqual(await world.bases.load(JSON.stringify(['default.project.json', 7])), new Map());
});

test('a base that cannot be read or written costs the default, not the run', async () => {
  const world = await agreed();
  world.bases.failing = true;
  disk(world);
  const change = await only(world);
  assert.equal(change.defaultReason, 'no_git');
  const result = await world.sync({ overrides: [{ id: change.id, direction: 'push' }] });
  assert.equal(result.status, 'success');
});

test('namesakes have no base: nobody could say which of them is meant', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/Twin.server.luau': 'print(1)\n', 'src/Twin.luau': 'return 1\n' },
    place: { 'ServerScriptService/Twin': { className: 'ModuleScript', source: 'return 1\n' } },
  });
  await world.sync({ mode: 'fastfail' });
  const known = await world.bases.load(JSON.stringify(['default.project.json', 7]));
  assert.deepEqual([...known.keys()].toSorted(), ['ReplicatedStorage', 'ServerScriptService']);
});

test('a run explains the default of each of its changes, and knows nothing of others', async () => {
  const world = await agreed();
  disk(world);
  const run = world.engine.start({ mode: 'dryrun', overrides: [], requestedBy: 'test' });
  const { changes } = await run.result;
  assert.match(run.explain(changes[0]?.id ?? '') ?? '', /Only disk has changed since/);
  assert.equal(run.explain('unknown'), undefined);
});

test('explains the default from the base and both sides', () => {
  const base = { hasBase: true, hasDraft: false, isOlderInStudio: false };
  const source = { name: 'Source', isKnown: true, onDisk: true, inStudio: false };
  assert.equal(
    explainDefault({
      patchType: 'Edit',
      defaultReason: 'base_disk_moved',
      sides: { ...base, things: [source] },
    }),
    'Both sides matched before. Disk: changed since (Source). Studio: unchanged since. Only disk has changed since, so push is suggested.',
  );
  assert.match(
    explainDefault({
      patchType: 'Edit',
      defaultReason: 'base_both_moved',
      sides: { ...base, hasDraft: true, things: [{ ...source, isKnown: false, inStudio: true }] },
    }),
    /unsaved edits.*Never compared before: Source/,
  );
  assert.match(
    explainDefault({ patchType: 'Add', defaultReason: 'removal', sides: { ...base, things: [] } }),
    /^Both sides had it when they last matched\. Only on disk\. /,
  );
  assert.match(
    explainDefault({ patchType: 'Edit', defaultReason: 'no_git', sides: { ...base, hasBase: false, things: [] } }),
    /^No common version is known\. Different on disk and in Studio\. /,
  );
  assert.equal(
    explainDefault({ patchType: 'Edit', defaultReason: 'restored', sides: { ...base, things: [source] } }),
    'Restores the recorded version.',
  );
});
