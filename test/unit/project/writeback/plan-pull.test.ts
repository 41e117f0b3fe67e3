import { reasonText } from '../../../../src/protocol/reason.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { nodeHasher } from '../../../../src/adapters/node/hasher.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { ModelInstance } from '../../../../src/roblox/instances/model.ts';
import { writeModel } from '../../../../src/roblox/formats/model/model-file.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { type PullPlan, planPull } from '../../../harness/pulls.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

const studio = (
  parts: Partial<StudioInstance> & { readonly name: string; readonly className: string },
): StudioInstance => ({
  id: 'f'.repeat(32),
  properties: {},
  children: [],
  ...parts,
});
const script = (name: string, source: string, parts: Partial<StudioInstance> = {}): StudioInstance =>
  studio({ name, className: 'ModuleScript', source, ...parts });

/** Applies the plan as the engine does, and refreshes the tree. */
async function applyPlan(world: ProjectWorld, plan: PullPlan): Promise<void> {
  assert.ok(plan.ok, plan.ok ? '' : reasonText(plan.reason));
  for (const edit of plan.edits) {
    if (edit.kind === 'write') await world.files.replace(edit.path, edit.bytes, edit.precondition);
    else await world.files.remove(edit.path, edit.precondition);
  }
  await world.refresh();
}

async function edit(world: ProjectWorld, path: string, state: StudioInstance): Promise<PullPlan> {
  return planPull(world, { kind: 'edit', id: world.at(path).id, studio: state });
}
async function create(world: ProjectWorld, parent: string, state: StudioInstance): Promise<PullPlan> {
  return planPull(world, { kind: 'create', parentId: world.at(parent).id, studio: state });
}
async function remove(world: ProjectWorld, path: string): Promise<PullPlan> {
  return planPull(world, { kind: 'delete', id: world.at(path).id });
}
function reason(plan: PullPlan): string {
  assert.ok(!plan.ok, 'the plan should have been refused');
  return reasonText(plan.reason);
}
const R = 'ReplicatedStorage';

test('writes a Source to its file and keeps mark, line ends and unchanged lines', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '\uFEFFone\r\ntwo\nthree\r\nfour' }));
  assert.equal(world.at(`${R}/A`).properties.get('Source')?.value, 'one\ntwo\nthree\nfour');
  await applyPlan(world, await edit(world, `${R}/A`, script('A', 'one\ntwo\nnew\nthree\nfour')));
  assert.equal(world.files.text('src/A.luau'), '\uFEFFone\r\ntwo\nnew\r\nthree\r\nfour');
  assert.equal(world.at(`${R}/A`).properties.get('Source')?.value, 'one\ntwo\nnew\nthree\nfour');
});

test('requires the bytes that were read', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one' }));
  const plan = await edit(world, `${R}/A`, script('A', 'two'));
  assert.ok(plan.ok);
  assert.deepEqual(
    plan.edits.map(({ path, precondition }) => ({ path, precondition })),
    [{ path: 'src/A.luau', precondition: { kind: 'hash', gitBlob: nodeHasher.gitBlob(Buffer.from('one')) } }],
  );
  world.files.set('src/A.luau', 'another edit');
  assert.match(reason(await edit(world, `${R}/A`, script('A', 'two'))), /src\/A\.luau changed on disk in the meantime/);
});

test('writes a folder script to its init file', async () => {
  using world = await openProject(smallProject({ 'src/D/init.lua': 'one', 'src/D/x.luau': '' }));
  assert.equal(world.session.fsPathOf(world.at(`${R}/D`).id), 'src/D/init.lua');
  await applyPlan(world, await edit(world, `${R}/D`, script('D', 'two')));
  assert.equal(world.files.text('src/D/init.lua'), 'two');
});

test('writes properties where they are set: meta, model or project file', async () => {
  using world = await openProject({
    'default.project.json': `{
  "tree": {
    "$className": "DataModel",
    // the ground
    "Workspace": { "$properties": { "Gravity": 50 }, "Lobby": { "$path": "Lobby.model.json" } },
    "ServerScriptService": { "$path": "src" }
  }
}
`,
    'Lobby.model.json':
      '{"className": "Model", "children": [{"className": "Part", "name": "Floor", "properties": {"Anchored": false}}]}',
    'src/Boot.server.luau': '',
    'src/Boot.meta.json': '{\n  "properties": { "Enabled": false } // off for now\n}\n',
  });
  await applyPlan(
    world,
    await edit(
      world,
      'Workspace',
      studio({ name: 'Workspace', className: 'Workspace', properties: { Gravity: { Float32: 196.2 } } }),
    ),
  );
  await applyPlan(
    world,
    await edit(
      world,
      'Workspace/Lobby/Floor',
      studio({ name: 'Floor', className: 'Part', properties: { Anchored: { Bool: true } } }),
    ),
  );
  await applyPlan(
    world,
    await edit(
      world,
      'ServerScriptService/Boot',
      studio({ name: 'Boot', className: 'Script', source: '', properties: { Enabled: { Bool: true } } }),
    ),
  );
  assert.match(
    world.files.text('default.project.json') ?? '',
    /\/\/ the ground\n {4}"Workspace": \{ "\$properties": \{ "Gravity": 196\.2 \}/,
  );
  assert.equal(
    world.files.text('Lobby.model.json'),
    '{"className": "Model", "children": [{"className": "Part", "name": "Floor", "properties": {"Anchored": true}}]}',
  );
  assert.equal(world.files.text('src/Boot.meta.json'), '{\n  "properties": { "Enabled": true } // off for now\n}\n');
  assert.equal(world.at('Workspace').properties.get('Gravity')?.value, Math.fround(196.2));
});

test('creates a missing meta file and removes deleted attributes', async () => {
  using world = await openProject(
    smallProject({ 'src/A.luau': '', 'src/B.luau': '', 'src/B.meta.json': '{"attributes": {"Old": 1, "Same": 2}}' }),
  );
  await applyPlan(world, await edit(world, `${R}/A`, script('A', '', { properties: { Tags: { Tags: ['Door'] } } })));
  assert.equal(world.files.text('src/A.meta.json'), '{\n  "properties": {\n    "Tags": ["Door"]\n  }\n}\n');
  const attributes = { Attributes: { Same: { Float64: 3 }, New: { Bool: true } } };
  await applyPlan(world, await edit(world, `${R}/B`, script('B', '', { properties: { Attributes: attributes } })));
  assert.equal(world.files.text('src/B.meta.json'), '{"attributes": {"Same": 3, "New": true}}');
});

/** Values that a file can have beside the attributes of the game; Studio reports none of them. */
const fileOnly = { RBX_Level: 7, Rojo_Id: 'here' };
const studioAttributes = (values: Readonly<Record<string, object>>) => ({ Attributes: { Attributes: values } });

test('keeps attributes that Studio does not report when others change', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': '',
      'src/A.meta.json': JSON.stringify({ attributes: { ...fileOnly, Old: true, Speed: 1 } }),
      'src/B.luau': '',
      'src/B.meta.json': JSON.stringify({
        properties: { Attributes: { RBX_Level: { Float64: 7 }, Rojo_Id: { String: 'here' }, Old: { Bool: true } } },
      }),
    }),
  );
  const properties = studioAttributes({ Speed: { Float64: 2 } });
  for (const name of ['A', 'B'])
    await applyPlan(world, await edit(world, `${R}/${name}`, script(name, '', { properties })));
  const read = (name: string): unknown => JSON.parse(world.files.text(`src/${name}.meta.json`) ?? '');
  assert.deepEqual(read('A'), { attributes: { ...fileOnly, Speed: 2 } });
  const kept = { RBX_Level: { Float64: 7 }, Rojo_Id: { String: 'here' } };
  assert.deepEqual(read('B'), { properties: { Attributes: { ...kept, Speed: { Float64: 2 } } } });
});

test('keeps attributes in a model file that Studio does not report when others change', async () => {
  const model = (attributes: Readonly<Record<string, Variant>>): ModelInstance => ({
    referent: '1',
    name: 'Boat',
    className: 'Folder',
    properties: new Map([['Attributes', { type: 'Attributes', value: new Map(Object.entries(attributes)) }]]),
    children: [{ referent: '2', name: 'Hull', className: 'Part', properties: new Map(), children: [] }],
  });
  const level = { type: 'Float64', value: 7 } as const;
  const id = { type: 'String', value: 'here' } as const;
  const roots = [model({ RBX_Level: level, Rojo_Id: id, Old: { type: 'Bool', value: true } })];
  for (const format of ['rbxm', 'rbxmx'] as const) {
    const written = writeModel({ roots, metadata: new Map() }, format, reflection);
    assert.ok(written.ok);
    using world = await openProject({ ...smallProject({}), [`src/Boat.${format}`]: written.value });
    const properties = studioAttributes({ Speed: { Float64: 2 } });
    await applyPlan(world, await edit(world, `${R}/Boat`, studio({ name: 'Boat', className: 'Folder', properties })));
    const speed = { type: 'Float64', value: 2 } as const;
    assert.deepEqual(world.at(`${R}/Boat`).properties.get('Attributes'), {
      type: 'Attributes',
      value: new Map(Object.entries({ RBX_Level: level, Rojo_Id: id, Speed: speed })),
    });
  }
});

test('ignores differences in attributes that Studio does not report', async () => {
  const files = { 'src/A.luau': '', 'src/A.meta.json': JSON.stringify({ attributes: { ...fileOnly, Speed: 1 } }) };
  using world = await openProject(smallProject(files));
  const properties = studioAttributes({ Speed: { Float64: 1 } });
  assert.match(reason(await edit(world, `${R}/A`, script('A', '', { properties }))), /no value that differs/);
});

test('refuses values that a file cannot store, with a reason and no edits', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': '',
      'src/data.json': '{}',
      'src/O.model.json': '{"className": "ObjectValue", "properties": {"Name": "x"}}',
    }),
  );
  assert.match(reason(await edit(world, `${R}/data`, script('data', 'return 1'))), /generated from src\/data\.json/);
  const pointing = studio({ name: 'O', className: 'ObjectValue', properties: { Value: { Ref: '1'.repeat(32) } } });
  assert.match(reason(await edit(world, `${R}/O`, pointing)), /refers to an instance that is in no file/);
  assert.match(
    reason(await edit(world, `${R}/O`, studio({ name: 'O', className: 'ObjectValue' }))),
    /no value that differs from the file/,
  );
  const unreadable = studio({ name: 'data', className: 'ModuleScript', studioHash: '0'.repeat(40) });
  assert.match(reason(await edit(world, `${R}/data`, unreadable)), /not valid UTF-8/);
});

test('creates files for a script, folder and model that read back as in Studio', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one' }));
  await applyPlan(world, await create(world, R, script('New', 'return 1')));
  await applyPlan(world, await create(world, R, studio({ name: 'Empty', className: 'Folder' })));
  await applyPlan(
    world,
    await create(
      world,
      R,
      studio({
        name: 'Ship',
        className: 'Folder',
        properties: { Attributes: { Attributes: { Seats: { Float64: 4 } } } },
        children: [
          studio({
            name: 'Engine',
            className: 'Script',
            source: 'go()',
            properties: { RunContext: { Enum: 1 } },
            children: [script('Part', '')],
          }),
          studio({
            name: 'Hull',
            className: 'Part',
            properties: { Anchored: { Bool: true }, Size: { Vector3: [4, 1.2, 2] } },
          }),
        ],
      }),
    ),
  );
  assert.equal(
    world.outline(R),
    `ReplicatedStorage:ReplicatedStorage
  A:ModuleScript
  Empty:Folder
  New:ModuleScript
  Ship:Folder
    Engine:Script
      Part:ModuleScript
    Hull:Part`,
  );
  assert.deepEqual(world.at(`${R}/Ship/Engine`).properties.get('RunContext'), { type: 'Enum', value: 1 });
  assert.deepEqual(world.at(`${R}/Ship/Hull`).properties.get('Anchored'), { type: 'Bool', value: true });
  assert.deepEqual(
    world.files.paths().filter(path => path.startsWith('src/')),
    [
      'src/.keep',
      'src/A.luau',
      'src/Empty/.gitkeep',
      'src/New.luau',
      'src/Ship/Engine/Part.luau',
      'src/Ship/Engine/init.meta.json',
      'src/Ship/Engine/init.server.luau',
      'src/Ship/Hull.model.json',
      'src/Ship/init.meta.json',
    ],
  );
});

test('keeps a name that is an invalid file name in the Atlas dialect', async () => {
  using world = await openProject({
    'default.project.json5': '{name: "Game", tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}',
    'src/foo.luau': '',
  });
  await applyPlan(world, await create(world, R, script('a/b', 'x')));
  await applyPlan(world, await create(world, R, script('Foo', 'y')));
  await applyPlan(world, await create(world, R, studio({ name: 'L', className: 'LocalScript', source: '' })));
  assert.deepEqual(
    world.files.paths().filter(path => path.startsWith('src/')),
    ['src/Foo~2.luau', 'src/L.local.luau', 'src/a_b.luau', 'src/a_b.meta.json5', 'src/foo.luau'],
  );
  assert.equal(world.at(`${R}`).children.length, 4);
  assert.deepEqual(
    world.at(R).children.map(id => world.session.get(id)?.name),
    ['Foo', 'L', 'a/b', 'foo'],
  );
});

test('refuses new files that would be ignored or have no folder, with a reason', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      globIgnorePaths: ['**/*.spec.luau'],
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' }, Workspace: {} },
    }),
    'src/A.luau': '',
    'src/data.json': '{}',
  });
  assert.match(reason(await create(world, R, script('b.spec', ''))), /it matches "globIgnorePaths"/);
  assert.match(
    reason(await create(world, 'Workspace', script('$B', ''))),
    /a node in default\.project\.json cannot be named "\$B"/,
  );
  assert.match(reason(await create(world, `${R}/data`, script('B', ''))), /read from src\/data\.json/);
});

test('refuses a new file that a rule of the project gives another meaning', async () => {
  for (const rule of [
    { pattern: '*.luau', use: 'ignore' },
    { pattern: '*.luau', use: 'text' },
    { pattern: '*.server.luau', use: 'serverScript' },
  ]) {
    const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
    using world = await openProject({
      'default.project.json': JSON.stringify({ syncRules: [rule], tree }),
      'src/data.json': '{}',
    });
    const boot = studio({ name: 'Boot', className: 'Script', source: '' });
    assert.match(
      reason(await create(world, R, boot)),
      /^src\/Boot\.server\.luau would be read as something else: one of/,
    );
    await applyPlan(world, await create(world, R, studio({ name: 'Lamp', className: 'PointLight' })));
  }
});

test('puts new files that collide into a folder with a project of that name in the Rojo dialect', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '' }));
  // With a meta file next to it, an `A.server.luau` would also set the tags of `A.luau`.
  const tagged = studio({ name: 'A', className: 'Script', source: '', properties: { Tags: { Tags: ['x'] } } });
  for (const instance of [script('a', ''), script('x/y', ''), tagged])
    await applyPlan(world, await create(world, R, instance));
  assert.deepEqual(
    world.at(R).children.map(id => world.session.get(id)?.name),
    ['A', 'A', 'a', 'x/y'],
  );
});

test('removes the files of an instance with its meta file and folder', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': '',
      'src/A.meta.json': '{}',
      'src/D/init.luau': '',
      'src/D/init.meta.json': '{}',
      'src/D/deep/B.luau': '',
      'src/E/.gitkeep': '',
      'src/M.model.json':
        '{"className": "Model", "children": [{"className": "Part", "name": "P"}, {"className": "Part", "name": "Q"}]}',
    }),
  );
  for (const path of ['A', 'D', 'E', 'M/P']) await applyPlan(world, await remove(world, `${R}/${path}`));
  assert.equal(world.outline(R), 'ReplicatedStorage:ReplicatedStorage\n  M:Model\n    Q:Part');
  assert.deepEqual(world.files.paths(), ['default.project.json', 'src/.keep', 'src/M.model.json']);
});

test('never removes a file without an instance, nor its folder', async () => {
  using world = await openProject(smallProject({ 'src/D/A.luau': '', 'src/D/README.md': 'keep me' }));
  assert.match(reason(await remove(world, `${R}/D`)), /src\/D\/README\.md is not part of the project/);
  assert.match(reason(await remove(world, R)), /it is a node in default\.project\.json/);
});

test('refuses a new instance with the name of a node whose optional path is missing', async () => {
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src', Opt: { $path: { optional: 'opt' } } } };
  using world = await openProject({ 'default.project.json': JSON.stringify({ name: 'G', tree }), 'src/.keep': '' });
  assert.match(reason(await create(world, R, script('Opt', ''))), /a node with this name whose optional "\$path"/);
});

test('keeps a shared meta file for the other script', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': '', 'src/A.server.luau': '', 'src/A.meta.json': '{}' }));
  const [id] = world.session.idsAtPath('src/A.luau' as never);
  assert.ok(id);
  await applyPlan(world, await planPull(world, { kind: 'delete', id }));
  assert.deepEqual(world.files.paths(), ['default.project.json', 'src/.keep', 'src/A.meta.json', 'src/A.server.luau']);
});

test('refuses to edit the Source of a node when its path is a data file', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: { $className: 'DataModel', ReplicatedStorage: { Config: { $path: 'config.json' } } },
    }),
    'config.json': '{}',
  });
  const plan = await edit(world, `${R}/Config`, script('Config', 'return 1'));
  assert.match(reason(plan), /generated from .*; change the values there/);
});

test('writes LinkedSource and no ScriptGuid when a script is created', async () => {
  using world = await openProject(smallProject({}));
  const properties = { LinkedSource: { ContentId: 'rbxassetid://1' }, ScriptGuid: { String: '{1}' } };
  await applyPlan(world, await create(world, R, script('Linked', 'return 1', { properties })));
  assert.deepEqual(JSON.parse(world.files.text('src/Linked.meta.json') ?? ''), {
    properties: { LinkedSource: 'rbxassetid://1' },
  });
});
