import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variant } from '../../../../../src/roblox/values/variant.ts';
import { openProject } from '../../../../harness/project-world.ts';
import { flag, instance, linesOf, place, planOf, syncback, text } from '../../../../harness/syncback.ts';

const wanted = place(
  instance('ReplicatedStorage', 'ReplicatedStorage', {}, [
    instance('ModuleScript', 'Library', { Source: text('return 1') }, [
      instance('ModuleScript', 'Child', { Source: text('return 2') }),
    ]),
  ]),
);
const projectOf = (node: object): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ReplicatedStorage: { Library: node } } });

for (const node of [{ $path: 'lib' }, { $className: 'Folder', $path: 'lib' }])
  test(`writes an init file when a script of the place is ${JSON.stringify(node)} in the project`, async () => {
    using world = await openProject({ 'default.project.json': projectOf(node), 'lib/Child.luau': 'old' });
    const plan = await syncback(world, wanted);
    assert.deepEqual(plan.notes, []);
    assert.equal(world.files.text('lib/init.luau'), 'return 1');
    assert.equal(world.files.text('lib/Child.luau'), 'return 2');
    assert.deepEqual(linesOf(await planOf(world, wanted)), []);
    using again = await openProject(world.files.copy());
    assert.equal(again.at('ReplicatedStorage/Library').className, 'ModuleScript');
  });

test('keeps a folder that has another class in its meta file', async () => {
  using world = await openProject({
    'default.project.json': projectOf({ $path: 'lib' }),
    'lib/init.meta.json': '{"className": "Configuration"}',
  });
  const { notes, refused } = await planOf(world, wanted);
  assert.equal(notes.length + refused.length, 1);
});

for (const file of ['default.project.json', 'default.project.json5'])
  test(`${file}: splits instances nested deeper than a JSON file allows into folders`, async () => {
    using world = await openProject({
      [file]: JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', StarterGui: { $path: 'gui' } } }),
      'gui/.gitkeep': '',
    });
    let at = instance('Frame', 'Frame', {}, [], 'deepest');
    for (let level = 0; level < 100; level += 1) at = instance('Frame', 'Frame', {}, [at], `level ${level}`);
    const deep = place(instance('StarterGui', 'StarterGui', {}, [instance('ScreenGui', 'Deep', {}, [at])]));
    await syncback(world, deep);
    assert.deepEqual(world.session.diagnostics(), []);
    assert.deepEqual(linesOf(await planOf(world, deep)), []);
  });

test('atlas: pairs many equal instances of one name, so that a second syncback writes nothing', async () => {
  using world = await openProject({
    'default.project.json5': '{ name: "Game", tree: { $className: "DataModel", Workspace: { $path: "ws" } } }',
    'ws/.gitkeep': '',
  });
  const parts = Array.from({ length: 120 }, (_, index) =>
    instance('Part', 'Part', { Transparency: { type: 'Float32', value: (index % 7) / 8 } }, [], `part ${index}`),
  );
  const many = place(instance('Workspace', 'Workspace', {}, parts));
  await syncback(world, many);
  assert.deepEqual(linesOf(await planOf(world, many)), []);
});

const undeclared: Readonly<Record<string, Variant>> = {
  FutureBool: flag(false),
  FutureBytes: { type: 'BinaryString', value: Uint8Array.of(255) },
  FutureEnum: { type: 'Enum', value: 0 },
  FutureFloat: { type: 'Float32', value: 0 },
  FutureFrame: { type: 'OptionalCFrame', value: null },
  FutureInt: { type: 'Int32', value: 0 },
  FutureLong: { type: 'Int64', value: 0n },
  FutureShared: { type: 'SharedString', value: Uint8Array.of(0, 255) },
  FutureText: text(''),
  FutureVector: { type: 'Vector3', value: [0, 0, 0] },
};

for (const file of ['default.project.json', 'default.project.json5'])
  test(`${file}: keeps properties that Roblox does not declare or has no default for, zero or not`, async () => {
    const tree = { $className: 'DataModel', Workspace: { $path: 'ws' } };
    const syncbackRules = { syncUnscriptable: true };
    using world = await openProject({ [file]: JSON.stringify({ name: 'Game', tree, syncbackRules }), 'ws/.keep': '' });
    const bytes = Uint8Array.of(1, 2, 200);
    const mesh = { PhysicalConfigData: { type: 'SharedString', value: bytes } as const, ...undeclared };
    const made = [
      instance('MeshPart', 'Mesh', mesh),
      instance('Future', 'New', undeclared),
      instance('Folder', 'Plain', undeclared, [
        instance('ModuleScript', 'Script', { Source: text(''), ...undeclared }),
      ]),
    ];
    await syncback(world, place(instance('Workspace', 'Workspace', {}, made)));
    using again = await openProject(world.files.copy());
    for (const [path, values] of [
      ['Mesh', mesh],
      ['New', undeclared],
      ['Plain', undeclared],
      ['Plain/Script', undeclared],
    ] as const)
      for (const [name, value] of Object.entries(values))
        assert.deepEqual(again.at(`Workspace/${path}`).properties.get(name), value, `${path} ${name}`);
  });
