import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Variant } from '../../../../../src/roblox/values/variant.ts';
import { never, openProject } from '../../../../harness/project-world.ts';
import { flag, instance, linesOf, place, planOf, pointer, syncback, text } from '../../../../harness/syncback.ts';
import { planSessionSyncback } from '../../../../../src/project/session/plan-session-syncback.ts';

const project = (tree: object, more: object = {}): string =>
  JSON.stringify({ name: 'Game', tree: { $className: 'DataModel', ...tree }, ...more });
const storage = (...children: Parameters<typeof instance>[3] & object) =>
  place(instance('ReplicatedStorage', 'ReplicatedStorage', {}, children));
const module = (name: string, source: string) => instance('ModuleScript', name, { Source: text(source) });
const int = (value: number): Variant => ({ type: 'Int64', value: BigInt(value) });
const files = {
  'default.project.json': project({ ReplicatedStorage: { $path: 'src' } }),
  'src/A.luau': '-- one\r\nreturn 1\r\n',
  'src/D/init.lua': 'old',
  'src/D/init.meta.json': '{\n  // kept\n  "properties": { "Archivable": false, "Tags": ["x"] }\n}\n',
  'src/Score.model.json': '{"className": "IntValue", "properties": {"Value": 3}} // points',
  'src/data.json': '{"a": 1}',
  'src/notes.md': 'not ours',
};
const asItIs = () =>
  storage(
    module('A', '-- one\nreturn 1\n'),
    instance('ModuleScript', 'D', {
      Source: text('old'),
      Archivable: flag(false),
      Tags: { type: 'Tags', value: ['x'] },
    }),
    instance('IntValue', 'Score', { Value: int(3) }),
    module('data', 'return {\n\ta = 1,\n}'),
  );

test('changes no file when the project already matches the place', async () => {
  using world = await openProject(files);
  const plan = await planOf(world, asItIs());
  assert.deepEqual(plan, { edits: [], refused: [], notes: [] });
});

test('writes a difference where the value is set and keeps the rest of the file', async () => {
  using world = await openProject(files);
  const plan = await syncback(
    world,
    storage(
      module('A', '-- one\nreturn 2\n'),
      instance('ModuleScript', 'D', {
        Source: text('new'),
        Archivable: flag(true),
        Tags: { type: 'Tags', value: ['y'] },
      }),
      instance('IntValue', 'Score', { Value: int(0) }),
      module('data', 'return {\n\ta = 1,\n}'),
    ),
  );
  assert.deepEqual(linesOf(plan), [
    'Writing src/A.luau',
    'Writing src/D/init.lua',
    'Writing src/D/init.meta.json',
    'Writing src/Score.model.json',
  ]);
  assert.equal(world.files.text('src/A.luau'), '-- one\r\nreturn 2\r\n');
  assert.equal(world.files.text('src/D/init.lua'), 'new');
  assert.equal(world.files.text('src/D/init.meta.json'), '{\n  // kept\n  "properties": { "Tags": ["y"] }\n}\n');
  assert.equal(world.files.text('src/Score.model.json'), '{"className": "IntValue"} // points');
});

test('removes only files with an instance and reports a folder that must stay', async () => {
  using world = await openProject({ ...files, 'src/E/x.luau': '', 'src/E/README.md': 'mine' });
  const plan = await planOf(world, storage(module('A', '-- one\nreturn 1\n')));
  assert.deepEqual(linesOf(plan), [
    'Removing src/D',
    'Removing src/D/init.lua',
    'Removing src/D/init.meta.json',
    'Removing src/Score.model.json',
    'Removing src/data.json',
  ]);
  assert.deepEqual(
    plan.refused.map(({ path }) => path),
    ['ReplicatedStorage/E'],
  );
  assert.match(plan.refused[0]?.reason ?? '', /src\/E\/README\.md is not part of the project/);
});

test('never writes a data file', async () => {
  using world = await openProject({ ...files });
  const wanted = asItIs();
  const plan = await planOf(
    world,
    storage(...(wanted.roots[0]?.children.slice(0, 3) ?? []), module('data', 'return { a = 2 }')),
  );
  assert.deepEqual(plan.edits, []);
  assert.match(plan.notes[0]?.reason ?? '', /generated from src\/data\.json/);
});

test('skips services and children of nodes without a path that the project does not name', async () => {
  using world = await openProject({
    'default.project.json': project({
      ReplicatedStorage: { $path: 'src' },
      Workspace: { $properties: { Gravity: 50 }, Map: { $className: 'Folder' } },
      Chat: {},
    }),
    'src/.keep': '',
  });
  const gravity: Variant = { type: 'Float32', value: 20 };
  const plan = await syncback(
    world,
    place(
      instance('Workspace', 'Workspace', { Gravity: gravity }, [
        instance('Folder', 'Map', {}, [instance('Part', 'Floor')]),
        instance('Part', 'Loose'),
      ]),
      instance('Lighting', 'Lighting'),
      instance('ReplicatedStorage', 'ReplicatedStorage'),
    ),
  );
  assert.deepEqual(linesOf(plan), ['Writing default.project.json']);
  assert.match(world.files.text('default.project.json') ?? '', /"Gravity":20\b|"Gravity": 20\b/);
  assert.deepEqual(
    plan.notes.map(({ path }) => path),
    ['Chat'],
  );
});

test('skips the instance of a node whose optional path is missing', async () => {
  using world = await openProject({
    'default.project.json': project({
      ReplicatedStorage: { $path: 'src', Packages: { $path: { optional: 'packages' } } },
    }),
    'src/.keep': '',
  });
  const packages = instance('Folder', 'Packages', {}, [module('A', 'return 1')]);
  const plan = await planOf(world, storage(packages, module('B', 'return 2')));
  assert.deepEqual(linesOf(plan), ['Writing src/B.luau']);
  assert.deepEqual(
    plan.notes.map(({ path }) => path),
    ['ReplicatedStorage/Packages'],
  );
  world.files.set('packages/A.luau', '');
  await world.refresh();
  assert.deepEqual(linesOf(await planOf(world, storage(packages))), ['Writing packages/A.luau']);
});

test('writes a file of two instances only when both are equal in the place', async () => {
  using world = await openProject({
    'default.project.json': project({ ReplicatedStorage: { A: { $path: 'lib' }, B: { $path: 'lib' } } }),
    'lib/X.luau': 'old',
  });
  const wanted = (one: string, two: string) =>
    storage(instance('Folder', 'A', {}, [module('X', one)]), instance('Folder', 'B', {}, [module('X', two)]));
  assert.deepEqual(linesOf(await planOf(world, wanted('new', 'new'))), ['Writing lib/X.luau']);
  for (const [one, two, paths] of [
    ['one', 'two', ['A/X', 'B/X']],
    ['new', 'old', ['A/X']],
  ] as const) {
    const plan = await planOf(world, wanted(one, two));
    assert.deepEqual(plan.edits, []);
    assert.deepEqual(
      plan.refused.map(({ path }) => path).toSorted(),
      paths.map(path => `ReplicatedStorage/${path}`),
    );
    assert.match(plan.refused[0]?.reason ?? '', /lib\/X\.luau describes several instances/);
  }
});

test('writes a whole place below a root with a folder and sets the class of services', async () => {
  using world = await openProject({
    'default.project.json5': '{tree: {$className: "DataModel", $path: "src"}}',
    'src/.gitkeep': '',
  });
  const hull = instance('Part', 'Hull');
  await syncback(
    world,
    place(
      instance('Workspace', 'Workspace', {}, [
        instance('Camera', 'Camera'),
        instance('Model', 'Boat/1', { PrimaryPart: pointer(hull) }, [hull, instance('Part', 'Hull', {}, [], 'other')]),
      ]),
      instance('Players', 'Players'),
      instance('StringValue', 'Note', { Value: text('hi') }),
      instance('ReplicatedStorage', 'ReplicatedStorage', {}, [
        instance('Script', 'S', { Source: text('go()'), RunContext: { type: 'Enum', value: 2 } }),
        instance('LocalizationTable', 'L', { Contents: text('[{"key":"a","values":{"de":"b"}}]') }),
      ]),
    ),
  );
  assert.deepEqual(
    world.files.paths().filter(path => path.startsWith('src/')),
    [
      'src/.gitkeep',
      'src/Note.txt',
      'src/ReplicatedStorage/L.csv',
      'src/ReplicatedStorage/S.client.luau',
      'src/ReplicatedStorage/init.meta.json5',
      'src/Workspace/Boat_1/Hull.model.json5',
      'src/Workspace/Boat_1/Hull~2.model.json5',
      'src/Workspace/Boat_1/init.meta.json5',
      'src/Workspace/Camera.model.json5',
      'src/Workspace/init.meta.json5',
    ],
    'hidden services stay out',
  );
  assert.equal(world.at('Workspace').className, 'Workspace');
  assert.equal(world.at('Workspace/Boat/1'.split('/')[0] ?? '').children.length, 2);
  assert.match(world.files.text('src/Workspace/Boat_1/init.meta.json5') ?? '', /\n  name: "Boat\/1"\n/);
  assert.match(world.files.text('src/Workspace/Boat_1/init.meta.json5') ?? '', /"@self\/Hull\.model\.json5"/);
});

test('skips the editor camera unless the project includes it', async () => {
  const camera = instance('Camera', 'Camera', { FieldOfView: { type: 'Float32', value: 30 } });
  const wanted = place(instance('Workspace', 'Workspace', { CurrentCamera: pointer(camera) }, [camera]));
  const tree = { Workspace: { $path: 'world' } };
  using world = await openProject({ 'default.project.json': project(tree), 'world/.keep': '' });
  assert.deepEqual(linesOf(await planOf(world, wanted)), []);
  using with_ = await openProject({
    'default.project.json': project(tree, { syncbackRules: { syncCurrentCamera: true } }),
    'world/.keep': '',
  });
  assert.ok(linesOf(await planOf(with_, wanted)).includes('Writing world/Camera.model.json'));
});

test('neither writes nor removes what the syncback rules exclude', async () => {
  const rules = {
    ignoreTrees: ['ReplicatedStorage/Kept'],
    ignorePaths: ['src/gen/**', 'src/*.txt'],
    ignoreProperties: { Instance: ['Archivable'] },
    ignoreClasses: ['Sound'],
  };
  using world = await openProject({
    'default.project.json': project({ ReplicatedStorage: { $path: 'src' } }, { syncbackRules: rules }),
    'src/Kept/x.luau': '',
    'src/gen/y.luau': '',
    'src/A.luau': '',
  });
  const plan = await planOf(
    world,
    storage(
      instance('ModuleScript', 'A', { Source: text(''), Archivable: flag(false) }),
      instance('Sound', 'Beep'),
      instance('StringValue', 'Note', { Value: text('hi') }),
      instance('Folder', 'Kept', {}, [module('z', '')]),
    ),
  );
  assert.deepEqual(plan, { edits: [], refused: [], notes: [] });
});

test('skips excluded instances and the camera below a new instance', async () => {
  const rules = { ignoreTrees: ['Workspace/Map/Draft'], ignoreClasses: ['Sound'], ignorePaths: ['world/**/*.txt'] };
  using world = await openProject({
    'default.project.json': project({ $path: 'world' }, { syncbackRules: rules }),
    'world/.keep': '',
  });
  const camera = instance('Camera', 'Camera');
  const map = instance('Folder', 'Map', {}, [
    instance('Folder', 'Draft', {}, [module('Secret', '')]),
    instance('Sound', 'Beep'),
    instance('StringValue', 'Note', { Value: text('hi') }),
    instance('Model', 'Band', {}, [instance('Sound', 'Loud'), instance('Part', 'Stage')]),
    module('Kept', 'x'),
  ]);
  const wanted = place(instance('Workspace', 'Workspace', { CurrentCamera: pointer(camera) }, [camera, map]));
  await syncback(world, wanted);
  assert.deepEqual(
    world.files.paths().filter(path => path !== 'default.project.json' && path !== 'world/.keep'),
    ['world/Workspace/Map/Band.model.json', 'world/Workspace/Map/Kept.luau', 'world/Workspace/init.meta.json'],
  );
  assert.doesNotMatch(world.files.text('world/Workspace/Map/Band.model.json') ?? '', /Loud/);
  assert.doesNotMatch(world.files.text('world/Workspace/init.meta.json') ?? '', /Camera/);
});

test('writes only scripts and their ancestors when the project syncs scripts only', async () => {
  using world = await openProject({
    'default.project.json5': project({ ReplicatedStorage: { $path: 'src' } }, { syncScriptsOnly: true }),
    'src/.keep': '',
  });
  const part = instance('Part', 'Part');
  const wanted = storage(
    instance('ModuleScript', 'A', { Source: text('a') }, [part]),
    instance('Model', 'Car', {}, [part, instance('StringValue', 'Plate'), module('Engine', 'e')]),
    instance('Model', 'Tree', {}, [part]),
    instance('Sound', 'Beep'),
  );
  await syncback(world, wanted);
  assert.deepEqual(
    world.files.paths().filter(path => path.startsWith('src/')),
    ['src/.keep', 'src/A/init.luau', 'src/Car/Engine.luau', 'src/Car/init.meta.json5'],
  );
  assert.equal(world.at('ReplicatedStorage/Car').className, 'Model');
  assert.deepEqual(linesOf(await planOf(world, wanted)), []);
  const table = instance('LocalizationTable', 'Words', { Contents: text('[]') }, [module('In', '')]);
  assert.equal((await planOf(world, storage(table))).refused.length, 1);
});

test('numbers new instances with colliding names by name, not by order', async () => {
  const linesIn = async (...names: readonly string[]): Promise<readonly string[]> => {
    using world = await openProject({
      'default.project.json5': project({ ReplicatedStorage: { $path: 'src' } }),
      'src/.keep': '',
    });
    return linesOf(await planOf(world, storage(...names.map(name => module(name, '')))));
  };
  const expected = ['Writing src/A.luau', 'Writing src/a~2.luau', 'Writing src/b.luau'];
  assert.deepEqual(await linesIn('a', 'b', 'A'), expected);
  assert.deepEqual(await linesIn('A', 'b', 'a'), expected);
});

test('clears a reference that the place does not set', async () => {
  using world = await openProject({
    'default.project.json': project({ ReplicatedStorage: { $path: 'src' } }),
    'src/To.model.json': '{"className": "Folder", "id": "to"}',
    'src/From.model.json': '{"className": "ObjectValue", "attributes": {"Rojo_Target_Value": "to", "Kept": 1}}',
  });
  const kept: Variant = { type: 'Attributes', value: new Map([['Kept', { type: 'Float64', value: 1 }]]) };
  await syncback(world, storage(instance('Folder', 'To'), instance('ObjectValue', 'From', { Attributes: kept })));
  assert.equal(world.files.text('src/From.model.json'), '{"className": "ObjectValue", "attributes": {"Kept": 1}}');
});

test('plans no edit for a file that another instance reuses unchanged', async () => {
  using world = await openProject({
    'default.project.json': project({ ReplicatedStorage: { $path: 'src' } }),
    'src/D/init.luau': 'code',
    'src/D/Part.luau': 'same',
  });
  const plan = await syncback(world, storage(instance('Folder', 'D', {}, [module('Part', 'same')])));
  assert.deepEqual(linesOf(plan), ['Removing src/D/init.luau']);
  assert.equal(
    world.outline('ReplicatedStorage'),
    'ReplicatedStorage:ReplicatedStorage\n  D:Folder\n    Part:ModuleScript',
  );
});

test('replaces the file after a change of class or name', async () => {
  using world = await openProject({
    'default.project.json': project({ ReplicatedStorage: { $path: 'src' } }),
    'src/A.luau': 'x',
    'src/A.meta.json': '{"properties": {"Archivable": false}}',
    'src/B.luau': 'same',
  });
  await syncback(world, storage(instance('Script', 'A', { Source: text('x') }), module('C', 'same')));
  assert.deepEqual(
    world.files.paths().filter(path => path.startsWith('src/')),
    ['src/A.server.luau', 'src/C.luau'],
  );
});

test('reports a file that does not match the project', async () => {
  using world = await openProject(files);
  const model = place(instance('Folder', 'A'));
  assert.equal(
    await planSessionSyncback(world.session, { model, kind: 'model' }, never),
    'the root of the project is a DataModel, but the file contains a Folder',
  );
  using small = await openProject({ 'default.project.json': '{"tree": {"$path": "src"}}', 'src/A.luau': '' });
  await syncback(small, place(instance('Folder', 'any', {}, [module('A', 'new'), module('B', '')])), 'model');
  assert.equal(small.files.text('src/A.luau'), 'new');
  assert.equal(small.files.text('src/B.luau'), '');
});
