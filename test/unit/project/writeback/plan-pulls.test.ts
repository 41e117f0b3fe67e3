import { reasonText } from '../../../../src/protocol/reason.ts';
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { PullRequest, PullsPlan } from '../../../../src/project/project-session.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import { applyPulls, createIn, editOf, planOf, studioInstance } from '../../../harness/pulls.ts';
import { openProject, type ProjectWorld, smallProject } from '../../../harness/project-world.ts';

const R = 'ReplicatedStorage';
const script = (name: string, source: string, parts: Partial<StudioInstance> = {}): StudioInstance =>
  studioInstance(name, 'ModuleScript', { source, ...parts });

const remove = (world: ProjectWorld, path: string): PullRequest => ({ kind: 'delete', id: world.at(path).id });

const reasons = ({ pulls }: PullsPlan): readonly string[] =>
  pulls.map(pull => (pull.ok ? '' : reasonText(pull.reason)));
const sources = (world: ProjectWorld): readonly string[] =>
  world.files.paths().filter(path => path.startsWith('src/') && !path.endsWith('.keep'));

test('merges several pulls of one file into one edit', async () => {
  const children = ['A', 'B', 'C', 'D'].map(name => ({ className: 'Folder', name }));
  using world = await openProject(
    smallProject({ 'src/M.model.json': JSON.stringify({ className: 'Model', children }, undefined, 2) }),
  );
  const made = await applyPulls(
    world,
    remove(world, `${R}/M/A`),
    editOf(world, `${R}/M/D`, studioInstance('D', 'Folder', { properties: { Archivable: { Bool: false } } })),
    remove(world, `${R}/M/C`),
    createIn(world, `${R}/M/B`, studioInstance('New', 'Folder')),
    createIn(world, `${R}/M`, script('E', 'return 1')),
  );
  assert.equal(made.edits.length, 1);
  assert.equal(world.outline(`${R}/M`), 'M:Model\n  B:Folder\n    New:Folder\n  D:Folder\n  E:ModuleScript');
  assert.equal(world.at(`${R}/M/D`).properties.get('Archivable')?.value, false);
});

test('refuses only the impossible pulls and plans none of their edits', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one', 'src/B.json': '{}', 'src/b/.gitkeep': '' }));
  const made = await planOf(
    world,
    editOf(world, `${R}/B`, script('B', 'return 2')),
    editOf(world, `${R}/A`, script('A', 'two')),
    createIn(world, `${R}/B`, studioInstance('b', 'Folder')),
    createIn(world, R, studioInstance('c', 'ObjectValue', { properties: { Value: { Ref: '1'.repeat(32) } } })),
  );
  assert.deepEqual(
    reasons(made).map(reason => reason.slice(0, 24)),
    ['its Source is generated ', '', 'its parent ReplicatedSto', 'ObjectValue.Value refers'],
  );
  assert.deepEqual(
    made.edits.map(({ path }) => path),
    ['src/A.luau'],
  );
});

test('converts a script file to a folder for a child, with its meta file and later edits', async () => {
  using world = await openProject(
    smallProject({ 'src/A.server.lua': 'old\r\n', 'src/A.meta.json': '{"properties": {"Enabled": false}}' }),
  );
  const before = world.at(`${R}/A`).id;
  await applyPulls(
    world,
    createIn(world, `${R}/A`, script('One', '1')),
    createIn(world, `${R}/A`, script('Two', '2')),
    editOf(world, `${R}/A`, studioInstance('A', 'Script', { source: 'new\n', properties: { Tags: { Tags: ['x'] } } })),
  );
  assert.deepEqual(sources(world), [
    'src/A/One.luau',
    'src/A/Two.luau',
    'src/A/init.meta.json',
    'src/A/init.server.lua',
  ]);
  assert.equal(world.files.text('src/A/init.server.lua'), 'new\r\n');
  assert.equal(world.outline(`${R}/A`), 'A:Script\n  One:ModuleScript\n  Two:ModuleScript');
  assert.equal(world.at(`${R}/A`).properties.get('Enabled')?.value, false);
  assert.deepEqual(world.at(`${R}/A`).properties.get('Tags')?.value, ['x']);
  assert.equal(world.at(`${R}/A`).id, before, 'it is the same instance still');
});

test('converts a text, a table and a node with a file path to folders for a child', async () => {
  using world = await openProject({
    'default.project.json': JSON.stringify({
      tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src', Main: { $path: './lib/Main.luau' } } },
    }),
    'src/T.txt': 'hello',
    'src/W.csv': 'Key,Source\na,b\n',
    'lib/Main.luau': 'return 0',
  });
  for (const name of ['T', 'W', 'Main']) await applyPulls(world, createIn(world, `${R}/${name}`, script('X', name)));
  assert.equal(
    world.outline(R),
    `ReplicatedStorage:ReplicatedStorage
  T:StringValue
    X:ModuleScript
  W:LocalizationTable
    X:ModuleScript
  Main:ModuleScript
    X:ModuleScript`,
  );
  assert.equal(world.at(`${R}/T`).properties.get('Value')?.value, 'hello');
  assert.match(world.files.text('default.project.json') ?? '', /"\.\/lib\/Main"/);
  assert.equal(world.files.text('lib/Main/init.luau'), 'return 0');
});

test('adds a file and a node for a new instance below a node without a path', async () => {
  using world = await openProject({
    'default.project.json': `{
  "tree": {
    "$className": "DataModel",
    "Workspace": { "$properties": { "Gravity": 50 } }, // heavy
    "ReplicatedStorage": { "$path": "src" }
  }
}
`,
    'src/A.luau': '',
  });
  await applyPulls(
    world,
    createIn(world, 'Workspace', studioInstance('Map?', 'Model', { children: [studioInstance('Floor', 'Part')] })),
    createIn(world, '', studioInstance('Lighting', 'Lighting', { properties: { Brightness: { Float32: 5 } } })),
  );
  assert.equal(
    world.outline(),
    `project:DataModel
  Lighting:Lighting
  ReplicatedStorage:ReplicatedStorage
    A:ModuleScript
  Workspace:Workspace
    Map?:Model
      Floor:Part`,
  );
  assert.equal(world.at('Lighting').properties.get('Brightness')?.value, 5);
  assert.deepEqual(sources(world), ['src/A.luau']);
  assert.match(world.files.text('default.project.json') ?? '', /\}, \/\/ heavy/);
});

test('keeps the digits of a color that Studio rounds when another property is pulled', async () => {
  const wall = { className: 'Part', properties: { Color: [0.3, 0.55, 0.1] } };
  using world = await openProject(smallProject({ 'src/Wall.model.json': JSON.stringify(wall) }));
  const properties = { Color: { Color3: [76 / 255, 140 / 255, 26 / 255] }, Anchored: { Bool: true } };
  await applyPulls(world, editOf(world, `${R}/Wall`, studioInstance('Wall', 'Part', { properties })));
  assert.deepEqual(JSON.parse(world.files.text('src/Wall.model.json') ?? ''), {
    className: 'Part',
    properties: { Color: [0.3, 0.55, 0.1], Anchored: true },
  });
});

test('splits a shared meta file before one of its two scripts is changed', async () => {
  using world = await openProject(
    smallProject({
      'src/A.luau': '',
      'src/A.server.luau': 'go()',
      'src/A.meta.json': '{"attributes": {"Shared": true}}',
    }),
  );
  const [id] = world.session.idsAtPath('src/A.server.luau' as never);
  assert.ok(id);
  const state = studioInstance('A', 'Script', { source: 'go()', properties: { Enabled: { Bool: false } } });
  await applyPulls(world, { kind: 'edit', id, studio: state });
  assert.deepEqual(sources(world), ['src/A.luau', 'src/A.meta.json', 'src/A/init.meta.json', 'src/A/init.server.luau']);
  const [module, server] = world.at(R).children.map(child => world.session.get(child));
  const [plain, changed] = module?.className === 'ModuleScript' ? [module, server] : [server, module];
  assert.equal(plain?.properties.has('Enabled'), false);
  assert.equal(changed?.properties.get('Enabled')?.value, false);
  assert.deepEqual(changed?.properties.get('Attributes'), plain?.properties.get('Attributes'));
});

test("writes a folder with invalid file names as a model in Rojo's dialect, but scripts as files", async () => {
  using world = await openProject(smallProject({}));
  const part = (name: string) => studioInstance(name, 'Part');
  const twins = studioInstance('F', 'Folder', { children: [script('T', '1'), script('t', '2'), script('a/b', '3')] });
  await applyPulls(
    world,
    createIn(world, R, studioInstance('Parts', 'Folder', { children: [part('P'), part('p'), part('a/b')] })),
    createIn(world, R, twins),
  );
  assert.deepEqual(sources(world), [
    'src/F/T.luau',
    'src/F/a_b~2/a_b.luau',
    'src/F/a_b~2/default.project.json',
    'src/F/t~2/default.project.json',
    'src/F/t~2/t.luau',
    'src/Parts.model.json',
  ]);
  assert.equal(world.outline(`${R}/F`), 'F:Folder\n  T:ModuleScript\n  a/b:ModuleScript\n  t:ModuleScript');
  assert.equal(world.at(`${R}/F/t`).properties.get('Source')?.value, '2');
});

test('allows a new instance to reuse the name of a removed one', async () => {
  using world = await openProject(smallProject({ 'src/A.luau': 'one', 'src/B/x.luau': '', 'src/C.luau': '' }));
  await applyPulls(
    world,
    createIn(world, R, studioInstance('A', 'ModuleScript', { source: 'two' })),
    createIn(world, R, studioInstance('B', 'Configuration')),
    createIn(world, R, script('c', 'lower')),
    remove(world, `${R}/A`),
    remove(world, `${R}/B`),
    remove(world, `${R}/C`),
  );
  assert.deepEqual(sources(world), ['src/A.luau', 'src/B/init.meta.json', 'src/c.luau']);
  assert.equal(world.files.text('src/A.luau'), 'two');
});

test('adds .gitkeep to a folder that a removal empties', async () => {
  using world = await openProject(smallProject({ 'src/D/A.luau': '' }));
  await applyPulls(world, remove(world, `${R}/D/A`));
  assert.deepEqual(sources(world), ['src/D/.gitkeep']);
});
