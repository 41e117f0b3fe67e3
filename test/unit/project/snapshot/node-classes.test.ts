import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectName } from '../../../../src/project/project-file/project-names.ts';
import { openProject, projectPath } from '../../../harness/project-world.ts';
import { reflection } from '../../../harness/reflection.ts';

// Classes, children and names of project nodes.

const files = {
  'dir/a.luau': '',
  'tool/init.meta.json': '{"className": "Tool"}',
  'script.luau': '',
  'lib/default.project.json': '{"name": "Other", "tree": {"$className": "Model"}}',
};
const open = (tree: object) =>
  openProject({ ...files, 'default.project.json': JSON.stringify({ name: 'Game', tree }) });

// $className, $path, the position of the node, then its class, `none` (no instance), or the error.
const table: readonly (readonly [
  className: string | undefined,
  path: unknown,
  at: 'Lighting' | 'Foo',
  outcome: string | RegExp,
])[] = [
  ['Model', undefined, 'Foo', 'Model'],
  ['Model', 'gone', 'Foo', 'Model'],
  ['Model', undefined, 'Lighting', 'Model'],
  ['Model', 'dir', 'Foo', 'Model'],
  ['Model', 'tool', 'Foo', /no "\$className" next to a "\$path" that produces a Tool/],
  ['Folder', 'script.luau', 'Foo', /no "\$className" next to a "\$path" that produces a ModuleScript/],
  ['ModuleScript', 'script.luau', 'Foo', /no "\$className" next to a "\$path" that produces a ModuleScript/],
  [undefined, 'script.luau', 'Foo', 'ModuleScript'],
  [undefined, 'dir', 'Foo', 'Folder'],
  [undefined, 'tool', 'Foo', 'Tool'],
  [undefined, 'lib', 'Foo', 'Model'],
  [undefined, 'lib/default.project.json', 'Foo', 'Model'],
  [undefined, undefined, 'Lighting', 'Lighting'],
  [undefined, 'gone', 'Lighting', 'Lighting'],
  [undefined, 'dir', 'Lighting', 'Lighting'],
  [undefined, 'tool', 'Lighting', 'Tool'],
  [undefined, { optional: 'gone' }, 'Lighting', 'Lighting'],
  [undefined, { optional: 'gone', surplus: 1 }, 'Foo', 'none'],
  [undefined, { optional: 'dir' }, 'Foo', 'Folder'],
  ['Model', { optional: 'gone' }, 'Foo', 'Model'],
  [undefined, 'gone', 'Foo', /a file or folder at "gone"/],
  [undefined, undefined, 'Foo', /a "\$className", a "\$path" or the name of a service for "Foo"/],
];
for (const [className, path, at, outcome] of table) {
  const node = {
    ...(className !== undefined && { $className: className }),
    ...(path !== undefined && { $path: path }),
  };
  test(`${at}: ${JSON.stringify(node)} ${typeof outcome === 'string' ? `is ${outcome}` : 'is an error'}`, async () => {
    const opening = open({ $className: 'DataModel', [at]: node });
    if (typeof outcome !== 'string') return assert.rejects(opening, outcome);
    using world = await opening;
    if (outcome === 'none') assert.equal(world.outline(), 'Game:DataModel');
    // The key of the node names the instance, even when the nested project has a name.
    else assert.equal(world.at(at).className, outcome);
  });
}

test('infers every service from its name directly in the DataModel', async () => {
  const services = reflection.classNames().filter(name => reflection.isService(name));
  assert.equal(services.length, 322);
  using world = await open({
    $className: 'DataModel',
    ...Object.fromEntries(services.map(name => [name, {}])),
  });
  for (const name of services) assert.equal(world.at(name).className, name);
});

test('infers other classes from name and parent, but not elsewhere', async () => {
  using world = await open({
    $className: 'DataModel',
    StarterPlayer: { StarterPlayerScripts: {}, StarterCharacterScripts: { $path: 'dir' } },
    Workspace: { Terrain: {} },
  });
  assert.equal(world.at('StarterPlayer/StarterPlayerScripts').className, 'StarterPlayerScripts');
  assert.equal(world.at('StarterPlayer/StarterCharacterScripts').className, 'StarterCharacterScripts');
  assert.equal(world.at('Workspace/Terrain').className, 'Terrain');
  for (const tree of [
    { $className: 'DataModel', Terrain: {} },
    { $className: 'DataModel', StarterPlayerScripts: {} },
    { $className: 'DataModel', Lighting: { Players: {} } },
    { $className: 'Folder', Lighting: {} },
    {},
  ])
    await assert.rejects(open(tree), /the name of a service/, JSON.stringify(tree));
});

test('lists children of the path before those of the node and merges none by name', async () => {
  using world = await open({
    $className: 'Folder',
    Top: {
      $path: 'dir',
      a: { $className: 'Folder' },
      _b: { $className: 'Folder' },
      B: { $className: 'Folder' },
      '': { $className: 'Folder' },
      'x/y.z~2': { $className: 'Folder' },
    },
  });
  assert.deepEqual(
    world
      .outline('Top')
      .split('\n')
      .slice(1)
      .map(line => line.slice(2)),
    ['a:ModuleScript', ':Folder', 'B:Folder', '_b:Folder', 'a:Folder', 'x/y.z~2:Folder'],
  );
});

test('prefers the settings of a node over those of its path', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: {
        $path: 'x.luau',
        $properties: { Tags: ['node'] },
        $attributes: { node: 1 },
        $ignoreUnknownInstances: true,
        $id: 'node',
        Same: { $path: 'x.luau', $attributes: {} },
      },
    }),
    'x.luau': '',
    'x.meta.json':
      '{"properties": {"Tags": ["meta"]}, "attributes": {"meta": 1}, "id": "meta", "ignoreUnknownInstances": false}',
  });
  const root = world.at('');
  assert.deepEqual(root.properties.get('Tags')?.value, ['node']);
  assert.deepEqual(root.properties.get('Attributes')?.value, new Map([['node', { type: 'Float64', value: 1 }]]));
  assert.deepEqual([root.metadata.ignoreUnknownInstances, root.specifiedId], [true, 'node']);
  const kept = world.at('Same');
  assert.deepEqual(kept.properties.get('Attributes')?.value, new Map([['meta', { type: 'Float64', value: 1 }]]));
  assert.deepEqual([kept.metadata.ignoreUnknownInstances, kept.specifiedId], [false, 'meta']);
});

test('ignores unknown instances below a node without a path by default', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: {
        $className: 'Folder',
        Plain: { $className: 'Folder' },
        Path: { $path: 'dir' },
        Meta: { $path: 'open' },
        Nested: { $path: 'lib' },
        Closed: { $className: 'Folder', $ignoreUnknownInstances: false },
        Open: { $path: 'dir', $ignoreUnknownInstances: true },
        Gone: { $className: 'Folder', $path: 'gone' },
      },
    }),
    ...files,
    'open/init.meta.json': '{"ignoreUnknownInstances": true}',
  });
  assert.deepEqual(
    ['', 'Plain', 'Path', 'Path/a', 'Meta', 'Nested', 'Closed', 'Open', 'Gone'].map(
      path => world.at(path).metadata.ignoreUnknownInstances,
    ),
    [true, true, false, false, true, true, false, true, false],
  );
});

for (const [file, name, expected] of [
  ['default.project.json', 'Given', 'Given'],
  ['default.project.json', '', ''],
  ['default.project.json', undefined, 'workspace'],
  ['tools/default.project.json', undefined, 'tools'],
  ['tools/default.project.jsonc', undefined, 'tools'],
  ['tools/default.project.json5', undefined, 'tools'],
  ['ui.project.json', undefined, 'ui'],
  ['a/ui.v2.project.jsonc', undefined, 'ui.v2'],
] as const)
  test(`names project ${file} with name ${JSON.stringify(name)} ${JSON.stringify(expected)}`, () => {
    assert.equal(projectName(projectPath(file), name, 'workspace'), expected);
  });

for (const [dialect, ending] of [
  ['rojo', 'json'],
  ['atlas', 'json5'],
] as const)
  test(`${dialect}: names a nested project by its sync rule unless it has a name`, async () => {
    using world = await openProject({
      [`default.project.${ending}`]: JSON.stringify({
        tree: { $path: 'src' },
        syncRules: [{ pattern: '**/*.place', use: 'project', suffix: '.place' }],
      }),
      [`src/tool~2.project.${ending}`]: '{"tree": {"$className": "Tool"}}',
      [`src/named.project.${ending}`]: '{"name": "Called", "tree": {"$className": "Tool"}}',
      'src/town.place': '{"tree": {"$className": "Model"}}',
      [`src/inn~2/default.project.${ending}`]: '{"tree": {"$className": "Part"}}',
    });
    assert.deepEqual(
      world
        .outline()
        .split('\n')
        .slice(1)
        .map(line => line.trim()),
      ['inn~2:Part', 'Called:Tool', dialect === 'rojo' ? 'tool~2:Tool' : 'tool:Tool', 'town:Model'],
    );
  });
