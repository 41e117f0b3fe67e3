import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainDefault } from '../../../../src/sync/base/explain-default.ts';
import type { SyncChange } from '../../../../src/protocol/sync-result.ts';
import { syncWorld, type SyncWorld, type WorldParts } from '../../../harness/sync-world.ts';

const main = 'ServerScriptService/Main';
const mainFile = 'src/Main.server.luau';
const metaFile = 'src/Main.meta.json';
const meta = (disabled: boolean): string => JSON.stringify({ properties: { Disabled: disabled } });

/** A script that is equal on both sides, recorded by one sync; no git repository. */
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
  ['disk changed: push', disk, 'push', 'base_disk_moved'],
  ['Studio changed: pull', studio, 'pull', 'base_studio_moved'],
  ['both changed: undecided', world => (disk(world), studio(world)), null, 'base_both_moved'],
  ['a property changed on disk: push', world => world.files.set(metaFile, meta(true)), 'push', 'base_disk_moved'],
  ['a property changed in Studio: pull', world => setDisabled(world, true), 'pull', 'base_studio_moved'],
  [
    'the source changed on disk and a property in Studio: merge',
    world => (disk(world), setDisabled(world, true)),
    'merge',
    'base_merged',
  ],
  [
    'disk changed while Studio has an unsaved draft: undecided',
    world => {
      disk(world);
      const script = world.studio.place.get(main);
      if (script !== undefined) script.draft = 'print("typing")\n';
    },
    null,
    'base_both_moved',
  ],
  ['removed from Studio: undecided', world => void world.studio.place.delete(main), null, 'removal'],
  [
    'removed from disk: undecided',
    world => (world.files.delete(mainFile), world.files.delete(metaFile)),
    null,
    'removal',
  ],
];
for (const [name, move, selection, reason] of rows)
  test(`suggests a direction when both sides were equal before: ${name}`, async () => {
    const world = await agreed();
    move(world);
    const change = await only(world);
    assert.deepEqual([change.defaultSelection, change.defaultReason], [selection, reason]);
  });

test('suggests a push by the base before git when only disk changed, even back to the commit', async () => {
  const world = await agreed({ git: {} });
  disk(world);
  assert.equal((await only(world)).defaultReason, 'base_disk_moved');
});

test('knows no base of a property that the files set for the first time', async () => {
  const world = await agreed();
  world.files.set(metaFile, JSON.stringify({ properties: { Disabled: false, LinkedSource: 'x' } }));
  const script = world.studio.place.get(main);
  if (script !== undefined) script.properties = { Disabled: { Bool: false }, LinkedSource: { ContentId: 'y' } };
  assert.deepEqual((await only(world)).defaultReason, 'base_never_compared');
});

test('uses the verified result of a run as the new base', async () => {
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

test('learns instances that a run created on disk', async () => {
  const world = await agreed();
  for (const [path, className] of [
    ['Kit', 'Folder'],
    ['Kit/A', 'ModuleScript'],
    ['Kit/B', 'ModuleScript'],
    ['C', 'ModuleScript'],
  ] as const)
    world.studio.place.set(`ServerScriptService/${path}`, {
      className,
      ...(className === 'ModuleScript' ? { source: `return '${path}'\n` } : {}),
    });
  const { changes } = await world.sync({ mode: 'dryrun' });
  const pull = changes.map(({ id }) => ({ id, direction: 'pull' as const }));
  assert.equal((await world.sync({ overrides: pull })).status, 'success');
  world.files.set('src/Kit/A.luau', 'return "disk"\n');
  world.studio.edit('ServerScriptService/C', 'return "Studio"\n');
  const later = await world.sync({ mode: 'dryrun' });
  assert.deepEqual(
    later.changes.map(({ path, defaultReason }) => [path, defaultReason]),
    [
      ['ServerScriptService/C', 'base_studio_moved'],
      ['ServerScriptService/Kit/A', 'base_disk_moved'],
    ],
  );
});

test('learns instances that a run created in Studio', async () => {
  const world = await agreed();
  world.files.set('src/A.luau', 'return 1\n');
  const { changes } = await world.sync({ mode: 'dryrun' });
  const push = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  assert.equal((await world.sync({ overrides: push })).status, 'success');
  world.files.set('src/A.luau', 'return 2\n');
  assert.equal((await only(world)).defaultReason, 'base_disk_moved');
});

test('knows no base after a failed change, even when one side is changed back', async () => {
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

test('removes the base of a removed instance and its descendants, and no others', async () => {
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

test('removes the base of an instance that was removed from both sides', async () => {
  const world = await agreed();
  world.files.delete(mainFile);
  world.files.delete(metaFile);
  world.studio.place.delete(main);
  assert.equal((await world.sync()).status, 'empty');
  const known = await world.bases.load(JSON.stringify(['default.project.json', 7]));
  assert.deepEqual([...known.keys()].toSorted(), ['ReplicatedStorage', 'ServerScriptService']);
});

for (const [what, service, fields] of [
  ['in a project of scripts, where not all is compared', 'ServerScriptService', { syncScriptsOnly: true }],
  ['of hidden services, which are not compared', 'CoreGui', { ignoreHiddenServices: true }],
] as const)
  test(`learns no base from a comparison ${what}`, async () => {
    const tree = { $className: 'DataModel', [service]: { $className: service, Kit: { $path: 'kit.luau' } } };
    const project = JSON.stringify({ name: 'harbor', tree, ...fields });
    const world = await syncWorld({
      git: 'none',
      files: { 'default.project.json': project, 'kit.luau': 'return 1\n' },
    });
    world.studio.place.set(service, { className: service });
    world.studio.place.set(`${service}/Kit`, { className: 'ModuleScript', source: 'return 1\n' });
    await world.sync({ mode: 'dryrun' });
    await world.sync();
    assert.deepEqual(Array.from(await world.bases.load(JSON.stringify(['default.project.json', 7]))), []);
  });

test('records no base in a dry run, or for another place', async () => {
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

test('runs without a suggestion when the base cannot be read or written', async () => {
  const world = await agreed();
  world.bases.failing = true;
  disk(world);
  const change = await only(world);
  assert.equal(change.defaultReason, 'no_git');
  const result = await world.sync({ overrides: [{ id: change.id, direction: 'push' }] });
  assert.equal(result.status, 'success');
});

test('records no base for instances with the same name', async () => {
  const world = await syncWorld({
    git: 'none',
    files: { 'src/Twin.server.luau': 'print(1)\n', 'src/Twin.luau': 'return 1\n' },
    place: { 'ServerScriptService/Twin': { className: 'ModuleScript', source: 'return 1\n' } },
  });
  await world.sync({ mode: 'fastfail' });
  const known = await world.bases.load(JSON.stringify(['default.project.json', 7]));
  assert.deepEqual([...known.keys()].toSorted(), ['ReplicatedStorage', 'ServerScriptService']);
});

test('explains the default of each change of the run, and of no other id', async () => {
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
      sides: { ...base, parts: [source] },
    }),
    'Both sides matched before. Disk: changed since (Source). Studio: unchanged since. Only disk has changed since, so push is suggested.',
  );
  assert.match(
    explainDefault({
      patchType: 'Edit',
      defaultReason: 'base_both_moved',
      sides: { ...base, hasDraft: true, parts: [{ ...source, isKnown: false, inStudio: true }] },
    }),
    /unsaved edits.*Never compared before: Source/,
  );
  const addition = { patchType: 'Add', sides: { ...base, parts: [] } } as const;
  assert.equal(
    explainDefault({ ...addition, defaultReason: 'removal' }),
    'Both sides had it when they last matched. Studio: removed since. Deletions are never suggested, so you need to choose.',
  );
  assert.equal(
    explainDefault({ ...addition, patchType: 'Remove', defaultReason: 'removal' }),
    'Both sides had it when they last matched. Disk: removed since. Deletions are never suggested, so you need to choose.',
  );
  assert.equal(
    explainDefault({ patchType: 'Edit', defaultReason: 'no_git', sides: { ...base, hasBase: false, parts: [] } }),
    'The last synced version is unknown. The project is not in git, so its history is unknown: you need to choose.',
  );
  assert.equal(
    explainDefault({ patchType: 'Edit', defaultReason: 'restored', sides: { ...base, parts: [source] } }),
    'A restore is recorded in History, so it can be undone.',
  );
});

test('explains a default without repeating what the kind of the change says', () => {
  const sides = { hasBase: false, hasDraft: false, isOlderInStudio: false, parts: [] };
  for (const hasBase of [true, false])
    for (const patchType of ['Add', 'Remove', 'Edit'] as const)
      for (const defaultReason of ['removal', 'no_git', 'git_new_file'] as const)
        assert.doesNotMatch(
          explainDefault({ patchType, defaultReason, sides: { ...sides, hasBase } }),
          /only on disk|only in Studio|on one side|different/i,
        );
});

test('pulls an attribute, and keeps and verifies those of the file that Studio does not report', async () => {
  const attributes = { Attributes: { Attributes: { Speed: { Float64: 2 } } } };
  const world = await syncWorld({
    git: 'none',
    files: { [mainFile]: 'print(1)\n', [metaFile]: JSON.stringify({ attributes: { RBX_Level: 7, Speed: 1 } }) },
    place: { [main]: { className: 'Script', source: 'print(1)\n', properties: attributes } },
  });
  const { id, diskHash } = await only(world);
  const { status, changes } = await world.sync({ mode: 'fastfail', overrides: [{ id, direction: 'pull', diskHash }] });
  assert.deepEqual([status, changes[0]?.outcome], ['success', 'written']);
  assert.deepEqual(JSON.parse(world.files.text(metaFile) ?? ''), { attributes: { RBX_Level: 7, Speed: 2 } });
});

test('knows that only disk changed when a script of a model file has CRLF', async () => {
  const box = (source: string): string =>
    JSON.stringify({
      className: 'Folder',
      children: [{ name: 'A', className: 'ModuleScript', properties: { Source: source } }],
    });
  const path = 'ServerScriptService/Box/A';
  const world = await agreed({
    files: { 'src/Box.model.json': box('return 1\r\n') },
    place: {
      'ServerScriptService/Box': { className: 'Folder' },
      [path]: { className: 'ModuleScript', source: 'return 1\n' },
    },
  });
  world.files.set('src/Box.model.json', box('return 2\r\n'));
  const { defaultSelection, defaultReason } = await only(world);
  assert.deepEqual([defaultSelection, defaultReason], ['push', 'base_disk_moved']);
});
