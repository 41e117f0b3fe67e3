import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const said = (world: ProjectWorld): readonly string[] =>
  world.session
    .diagnostics()
    .map(({ file, line, column, severity, message }) => `${file}:${line}:${column} ${severity}: ${message}`);

test('loads a script file and a script folder of the same name, with a warning', async () => {
  using world = await openProject(smallProject({ 'src/Foo.luau': '', 'src/Foo/init.luau': '', 'src/Bar.luau': '' }));
  assert.equal(
    world.outline('ReplicatedStorage'),
    'ReplicatedStorage:ReplicatedStorage\n  Bar:ModuleScript\n  Foo:ModuleScript\n  Foo:ModuleScript',
  );
  assert.deepEqual(said(world), [
    'src/Foo.luau:1:1 warning: expected only one script named "Foo" here: src/Foo/init.luau describes another one',
  ]);
  world.files.delete('src/Foo/init.luau');
  await world.refresh();
  assert.deepEqual(said(world), []);
  world.files.set('src/Foo/init.server.luau', '');
  await world.refresh();
  assert.equal(said(world).length, 1);
  world.files.delete('src/Foo.luau');
  await world.refresh();
  assert.deepEqual(said(world), []);
});

test('names the current file of a script folder after its init file was renamed', async () => {
  using world = await openProject(smallProject({ 'src/Foo.luau': '', 'src/Foo/init.lua': '' }));
  world.files.delete('src/Foo/init.lua');
  world.files.set('src/Foo/init.luau', '');
  await world.refresh();
  assert.deepEqual(said(world), [
    'src/Foo.luau:1:1 warning: expected only one script named "Foo" here: src/Foo/init.luau describes another one',
  ]);
});

test('names the ignored one of two init files', async () => {
  using world = await openProject(smallProject({ 'src/d/init.luau': '', 'src/d/init.server.luau': '' }));
  assert.equal(world.at('ReplicatedStorage/d').className, 'ModuleScript');
  assert.deepEqual(said(world), [
    'src/d/init.server.luau:1:1 warning: expected one init file per folder: init.luau is used, this file is ignored',
  ]);
  world.files.delete('src/d/init.luau');
  await world.refresh();
  assert.equal(world.at('ReplicatedStorage/d').className, 'Script');
  assert.deepEqual(said(world), []);
});

test('warns about misplaced or duplicate services and classes that cannot be created', async () => {
  using world = await openProject({
    'default.project.json': `{
      "tree": {
        "$className": "DataModel",
        "Lighting": {},
        "Other": { "$className": "Lighting" },
        "ReplicatedStorage": { "$path": "src" },
        "StarterPlayer": { "StarterPlayerScripts": {} },
        "Workspace": { "Terrain": {}, "Camera": { "$className": "Camera" }, "Base": { "$className": "BasePart" } }
      }
    }`,
    'src/Players/init.meta.json': '{"className": "Players"}',
    'src/Unknown.model.json': '{"className": "NewerThanWeAre"}',
  });
  assert.deepEqual(said(world), [
    'default.project.json:5:18 warning: expected only one Lighting in the DataModel: Studio cannot create a second one',
    'default.project.json:8:85 warning: expected a creatable class: Studio cannot create BasePart instances',
    'src/Players/init.meta.json:1:1 warning: expected Players directly in the DataModel, where Studio keeps its services, not in ReplicatedStorage',
  ]);
});

test('warns about a reference with no target or several targets until it has one', async () => {
  const model = (attributes: object): string => JSON.stringify({ className: 'Model', attributes });
  using world = await openProject(smallProject({ 'src/Door.model.json': model({ Rojo_Target_PrimaryPart: 'panel' }) }));
  assert.deepEqual(said(world), [
    'src/Door.model.json:1:1 warning: expected a reference with a target: PrimaryPart refers to "panel", which matches no instance',
  ]);
  world.files.set('src/Panel.model.json', '{"className": "Part", "id": "panel"}');
  await world.refresh();
  assert.deepEqual(said(world), []);
  assert.equal(
    world.at('ReplicatedStorage/Door').properties.get('PrimaryPart')?.value,
    world.at('ReplicatedStorage/Panel').id,
  );
  world.files.set('src/Copy.model.json', '{"className": "Part", "id": "panel"}');
  await world.refresh();
  assert.match(said(world).join('\n'), /^src\/Door.model.json:1:1 .*which matches more than one instance$/);
  world.files.delete('src/Door.model.json');
  await world.refresh();
  assert.deepEqual(said(world), []);
});

test('skips an invalid file name with a warning at the folder', async () => {
  using world = await openProject(smallProject({ 'src/a.luau': '' }));
  const list = world.files.list.bind(world.files);
  world.files.list = async path => [
    ...(await list(path)),
    ...(path === 'src' ? [{ name: 'b\uFFFD.luau', kind: 'other' as const }] : []),
  ];
  world.files.set('src/c.luau', '');
  await world.refresh();
  assert.deepEqual(said(world), [
    'src:1:1 warning: expected file names in UTF-8 without "\\": "b\uFFFD.luau" is skipped',
  ]);
  assert.equal(world.at('ReplicatedStorage').children.length, 2);
});
