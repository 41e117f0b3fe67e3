import { test } from 'node:test';
import assert from 'node:assert/strict';
import { openProject, projectPath, type ProjectWorld } from '../../../harness/project-world.ts';

// The load rules of the project format.

const R = 'ReplicatedStorage';
type Files = Readonly<Record<string, string>>;

function project(dialect: 'rojo' | 'atlas', files: Files, more: object = {}): Promise<ProjectWorld> {
  const text = JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
    ...more,
  });
  return openProject({
    [dialect === 'rojo' ? 'default.project.json' : 'default.project.json5']: text,
    'src/.keep': '',
    ...files,
  });
}
const names = (world: ProjectWorld, path = R): readonly string[] =>
  world
    .outline(path)
    .split('\n')
    .slice(1)
    .map(line => line.trim());

const kinds: readonly (readonly ['rojo' | 'atlas', string, string, number | undefined, object?])[] = [
  ['rojo', 'x.server.luau', 'x:Script', 0],
  ['rojo', 'x.server.lua', 'x:Script', 0],
  ['rojo', 'x.server.luau', 'x:Script', 1, { emitLegacyScripts: false }],
  ['rojo', 'x.client.luau', 'x:LocalScript', undefined],
  ['rojo', 'x.client.luau', 'x:Script', 2, { emitLegacyScripts: false }],
  ['rojo', 'x.plugin.lua', 'x:Script', 3],
  ['rojo', 'x.local.luau', 'x.local:ModuleScript', undefined],
  ['rojo', 'Foo~2.luau', 'Foo~2:ModuleScript', undefined],
  ['atlas', 'x.server.luau', 'x:Script', 1],
  ['atlas', 'x.client.luau', 'x:Script', 2],
  ['atlas', 'x.plugin.luau', 'x:Script', 3],
  ['atlas', 'x.legacy.luau', 'x:Script', 0],
  ['atlas', 'x.local.luau', 'x:LocalScript', undefined],
  ['atlas', 'x.server.lua', 'x:Script', 0],
  ['atlas', 'x.client.lua', 'x:LocalScript', undefined],
  ['atlas', 'Foo~2.luau', 'Foo:ModuleScript', undefined],
  ['atlas', 'Foo~0.luau', 'Foo~0:ModuleScript', undefined],
  ['atlas', 'Foo~02.luau', 'Foo:ModuleScript', undefined],
  ['atlas', 'Foo~4294967296.luau', 'Foo~4294967296:ModuleScript', undefined],
  ['rojo', '.luau', '.luau:ModuleScript', undefined],
  ['rojo', 'a.b.lua', 'a.b:ModuleScript', undefined],
];
for (const [dialect, file, expected, runContext, more] of kinds)
  test(`${dialect}: ${file}${more ? ` with ${JSON.stringify(more)}` : ''} is ${expected}`, async () => {
    using world = await project(dialect, { [`src/${file}`]: '' }, more);
    assert.deepEqual(names(world), [expected]);
    assert.equal(world.at(`${R}/${expected.split(':')[0]}`).properties.get('RunContext')?.value, runContext);
  });

test('sorts children by file name in byte order', async () => {
  using world = await project('rojo', {
    'src/B.luau': '',
    'src/a.luau': '',
    'src/_c.luau': '',
    'src/é.luau': '',
    'src/𝄞.luau': '',
    'src/\uffee.luau': '',
  });
  assert.deepEqual(
    names(world),
    ['B', '_c', 'a', 'é', '\uffee', '𝄞'].map(name => `${name}:ModuleScript`),
  );
});

test('chooses among init files by dialect', async () => {
  const files = { 'src/d/init.lua': '', 'src/d/init.server.luau': '' };
  using rojo = await project('rojo', files);
  assert.deepEqual(names(rojo), ['d:ModuleScript']);
  using atlas = await project('atlas', files);
  assert.deepEqual(names(atlas), ['d:Script']);
  using plugin = await project('atlas', { 'src/d/init.plugin.lua': '' });
  assert.deepEqual(names(plugin), ['d:Folder', 'init:Script']);
});

test('reads meta files by the names and fields of each dialect', async () => {
  using rojo = await project('rojo', {
    'src/Door.server.luau': '',
    'src/Door.meta.json':
      '{"name": "Bar", "properties": {"Tags": ["t"]}, "ignoreUnknownInstances": true, "className": "Part", "surplus": 1}',
    'src/m.model.json': '{"Name": "Q", "ClassName": "Folder"}',
    'src/d/init.meta.json': '{"className": "Configuration"}',
    'src/e/init.meta.json': '{"className": "Model"}',
    'src/e/init.luau': '',
  });
  assert.deepEqual(names(rojo), ['Door:Script', 'd:Configuration', 'e:ModuleScript', 'm:Folder']);
  assert.deepEqual(rojo.at(`${R}/Door`).properties.get('Tags')?.value, ['t']);
  assert.equal(rojo.at(`${R}/Door`).metadata.ignoreUnknownInstances, true);
  assert.match(rojo.session.diagnostics()[0]?.message ?? '', /the init script already makes the folder a ModuleScript/);
  using atlas = await project('atlas', {
    'src/Door.server.luau': '',
    'src/Door.meta.json5': '{name: "Bar"}',
    'src/Door.meta.json': '{"name": "not this one"}',
    'src/m.model.json5': '{Name: "Q", ClassName: "Folder"}',
  });
  assert.deepEqual(names(atlas), ['Bar:Script', 'Q:Folder']);
});

test('reads a nested project as an instance with separate settings', async () => {
  using world = await project(
    'rojo',
    {
      'src/lib/default.project.json': '{"name": "Library", "tree": {"$path": "code"}}',
      'src/lib/code/x.server.luau': '',
      'src/lib/ignored.luau': '',
      'src/tool.project.json': '{"tree": {"$className": "Tool"}}',
    },
    { emitLegacyScripts: false },
  );
  assert.deepEqual(names(world), ['Library:Folder', 'x:Script', 'tool:Tool']);
  assert.equal(world.at(`${R}/Library/x`).properties.get('RunContext')?.value, 0);
  assert.equal(world.at(`${R}/tool`).metadata.ignoreUnknownInstances, true);
});

test('merges class, path and children of a node', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      name: 'Game',
      tree: {
        $className: 'DataModel',
        Lighting: { $path: 'gone' },
        ReplicatedStorage: {
          M: { $className: 'Model', $path: 'dir' },
          A: { $path: 'dir', A: { $className: 'Folder' }, $properties: { Archivable: false }, $attributes: { x: 1 } },
          Missing: { $path: { optional: 'gone' } },
        },
        StarterPlayer: { StarterCharacterScripts: {} },
        Workspace: { Terrain: {} },
      },
    }),
    'dir/A.luau': '',
  });
  assert.equal(
    world.outline(),
    `Game:DataModel
  Lighting:Lighting
  ReplicatedStorage:ReplicatedStorage
    A:Folder
      A:ModuleScript
      A:Folder
    M:Model
      A:ModuleScript
  StarterPlayer:StarterPlayer
    StarterCharacterScripts:StarterCharacterScripts
  Workspace:Workspace
    Terrain:Terrain`,
  );
  assert.equal(world.at('ReplicatedStorage').metadata.ignoreUnknownInstances, true);
  assert.equal(world.at('ReplicatedStorage/M').metadata.ignoreUnknownInstances, false);
  assert.deepEqual(world.session.fsPathOf(world.at('ReplicatedStorage/M').id), null);
  assert.deepEqual(world.session.fsPathOf(world.at('ReplicatedStorage/M/A').id), 'dir/A.luau');
});

const refused: readonly (readonly [string, object, RegExp])[] = [
  [
    'a class beside a path to a script',
    { X: { $className: 'ModuleScript', $path: 'x.luau' } },
    /no "\$className" next to a "\$path" that produces a ModuleScript/,
  ],
  ['a required path that is not there', { Foo: { $path: 'gone' } }, /a file or folder at "gone"/],
  ['a node without any class', { Foo: {} }, /a "\$className", a "\$path" or the name of a service for "Foo"/],
  ['a path to an init file', { Foo: { $path: 'd/init.luau' } }, /a file or folder at "d\/init\.luau"/],
  ['a node that is not an object', { Foo: 1 }, /the node "Foo" to be an object/],
];
for (const [what, tree, message] of refused)
  test(`reports ${what} with its position`, async () => {
    const files = { 'x.luau': '', 'd/init.luau': '' };
    await assert.rejects(
      openProject({ 'default.project.json': JSON.stringify({ tree: { $className: 'DataModel', ...tree } }), ...files }),
      message,
    );
  });

test('globIgnorePaths hide entries of folders and mark the folder', async () => {
  using world = await project(
    'rojo',
    { 'src/d/e/x.spec.luau': '', 'src/d/e/x.luau': '', 'src/out/y.luau': '', 'src/keep.spec.luau': '' },
    { globIgnorePaths: ['*.spec.luau', 'src/out/**', '!src/keep.spec.luau'] },
  );
  assert.deepEqual(names(world), ['d:Folder', 'e:Folder', 'x:ModuleScript', 'keep.spec:ModuleScript', 'out:Folder']);
  assert.equal(world.at(`${R}/d/e`).metadata.globIgnoredChildren, true);
  assert.equal(world.at(`${R}/d`).metadata.globIgnoredChildren, false);
});

test('reports invalid values with their position', async () => {
  const values: readonly (readonly [string, string, RegExp])[] = [
    ['Material', '256', /Enum\.Material/],
    ['Color', '[0, 0, 0, 0]', /Part\.Color/],
    ['Anchored', 'null', /Part\.Anchored/],
    ['Nonsense', '1', /Part\.Nonsense/],
  ];
  for (const [name, value, message] of values) {
    using world = await project('rojo', {
      'src/P.model.json': `{\n  "className": "Part",\n  "properties": { "${name}": ${value} }\n}`,
    });
    const [diagnostic] = world.session.diagnostics();
    assert.match(diagnostic?.message ?? '', message);
    assert.deepEqual([diagnostic?.line, diagnostic?.column], [3, 23 + name.length]);
    assert.equal(world.at(`${R}/P`).properties.size, 0);
  }
  using world = await project('rojo', { 'src/A.luau': '', 'src/A.meta.json': '{"attributes": {"A": [1, 2, 3]}}' });
  assert.match(world.session.diagnostics()[0]?.message ?? '', /the attribute "A" to be/);
});

test('edits the script or model at the path of a node, and no file for a service', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: {
        $className: 'DataModel',
        ReplicatedStorage: { $path: 'src', S: { $path: 'boot' }, M: { $path: 'm.model.json' } },
        Workspace: {},
      },
    }),
    'src/d/x.luau': '',
    'boot/init.luau': '',
    'm.model.json': '{"className": "Model", "children": [{"className": "Part"}]}',
  });
  const fsPath = (path: string): string | null => world.session.fsPathOf(world.at(path).id);
  assert.deepEqual(['Workspace', R, `${R}/S`, `${R}/M`, `${R}/M/Part`, `${R}/d`, `${R}/d/x`].map(fsPath), [
    null,
    null,
    'boot/init.luau',
    'm.model.json',
    'm.model.json',
    'src/d',
    'src/d/x.luau',
  ]);
  assert.deepEqual(world.session.idsAtPath(projectPath('boot/init.luau')), [world.at(`${R}/S`).id]);
  assert.deepEqual(world.session.idsAtPath(projectPath('boot')), [world.at(`${R}/S`).id]);
  assert.equal(world.session.fsPathOf('0'.repeat(32) as never), null);
});

test('reads only scripts when the project syncs scripts only', async () => {
  using world = await project(
    'atlas',
    {
      'src/a.luau': '',
      'src/b.json': '{}',
      'src/d/c.txt': '',
      'src/e/init.csv': '',
      'src/e/f.luau': '',
      'src/g.project.json': '{"tree": {"$className": "Folder"}}',
    },
    { syncScriptsOnly: true },
  );
  assert.deepEqual(names(world), ['a:ModuleScript', 'd:Folder', 'g:Folder']);
});

test('reports unknown and mistyped project fields with their position', async () => {
  const cases: readonly (readonly [string, string])[] = [
    [
      '{"tree": {}, "globIgnorePath": []}',
      `1:14: expected a known field of a project, not "globIgnorePath" (did you mean 'globIgnorePaths'?)`,
    ],
    ['{"tree": {}, "servePlaceIds": [-1]}', '1:32: expected each of "servePlaceIds" to be a whole number from 0'],
    ['{"tree": {}, "globIgnorePaths": ["a["]}', '1:34: expected a "]" for every "[" in the glob'],
    ['[]', '1:1: expected the project to be an object'],
  ];
  for (const [text, message] of cases)
    await assert.rejects(openProject({ 'default.project.json': text }), {
      message: `default.project.json:${message}.`,
    });
});
