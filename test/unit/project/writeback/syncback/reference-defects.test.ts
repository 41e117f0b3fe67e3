/** Known defects of other syncback implementations that Atlas Bridge must not have. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { writeModel } from '../../../../../src/roblox/formats/model/model-file.ts';
import type { ModelInstance } from '../../../../../src/roblox/instances/model.ts';
import type { Variant } from '../../../../../src/roblox/values/variant.ts';
import { writeEdits } from '../../../../../src/project/writeback/write-edits.ts';
import type { MemoryFileSystem } from '../../../../harness/memory-file-system.ts';
import { builtAndRead, modelFormats } from '../../../../harness/built-tree.ts';
import { openProject } from '../../../../harness/project-world.ts';
import { reflection } from '../../../../harness/reflection.ts';
import { flag, instance, linesOf, place, planOf, pointer, syncback, text } from '../../../../harness/syncback.ts';

type Files = Readonly<Record<string, string>>;
const projectFile = { rojo: 'default.project.json', atlas: 'default.project.json5' } as const;
type Dialect = keyof typeof projectFile;
const project = (dialect: Dialect, files: Files): Files => ({
  [projectFile[dialect]]: JSON.stringify({
    name: 'Game',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
  }),
  'src/.keep': '',
  ...files,
});
const storage = (...children: readonly ModelInstance[]) =>
  place(instance('ReplicatedStorage', 'ReplicatedStorage', {}, children));
const script = (name: string, source: string, more: Readonly<Record<string, Variant>> = {}) =>
  instance('ModuleScript', name, { Source: text(source), ...more });
const attributes = (values: Readonly<Record<string, Variant>>): Variant => ({
  type: 'Attributes',
  value: new Map(Object.entries(values)),
});

/** Writes the children of ReplicatedStorage to files and checks that they read back equal, also in a new session. */
async function bring(
  files: Files,
  wanted: readonly ModelInstance[],
  dialect: Dialect = 'rojo',
): Promise<{ readonly files: MemoryFileSystem; readonly lines: readonly string[] }> {
  using world = await openProject(project(dialect, files));
  const lines = linesOf(await syncback(world, storage(...wanted)));
  assert.deepEqual(linesOf(await planOf(world, storage(...wanted))), []);
  using again = await openProject(world.files.copy());
  assert.deepEqual(linesOf(await planOf(again, storage(...wanted))), []);
  assert.deepEqual(
    again.session.diagnostics().filter(({ severity }) => severity === 'error'),
    [],
  );
  return { files: world.files, lines };
}
const named = (files: MemoryFileSystem): readonly string[] =>
  files.paths().filter(path => path.startsWith('src/') && path !== 'src/.keep');

const turned = {
  position: [1, 2.5, -3],
  orientation: [
    [0, 0, 1],
    [0, 1, 0],
    [-1, 0, 0],
  ],
} as const;
/** Classes with a property of a type that other implementations write incorrectly or skip. */
const values: readonly (readonly [className: string, property: string, value: Variant])[] = [
  ['Part', 'CFrame', { type: 'CFrame', value: turned }],
  ['Part', 'Material', { type: 'Enum', value: 512 }],
  ['Part', 'Color', { type: 'Color3uint8', value: [1, 2, 3] }],
  ['UIPadding', 'PaddingTop', { type: 'UDim', value: [0.25, 7] }],
  [
    'Frame',
    'Size',
    {
      type: 'UDim2',
      value: [
        [0.5, 3],
        [0.125, -4],
      ],
    },
  ],
  [
    'ImageLabel',
    'SliceCenter',
    {
      type: 'Rect',
      value: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  ['ParticleEmitter', 'Lifetime', { type: 'NumberRange', value: [1, 2] }],
  [
    'ParticleEmitter',
    'Size',
    {
      type: 'NumberSequence',
      value: [
        { time: 0, value: 1, envelope: 0 },
        { time: 1, value: 2, envelope: 0.5 },
      ],
    },
  ],
  [
    'ParticleEmitter',
    'Color',
    {
      type: 'ColorSequence',
      value: [
        { time: 0, color: [1, 0, 0] },
        { time: 1, color: [0, 0, 1] },
      ],
    },
  ],
  ['BrickColorValue', 'Value', { type: 'BrickColor', value: 21 }],
  ['Folder', 'Tags', { type: 'Tags', value: ['one', 'two'] }],
  [
    'TextLabel',
    'FontFace',
    { type: 'Font', value: { family: 'rbxasset://fonts/families/Arial.json', weight: 'Bold', style: 'Italic' } },
  ],
  [
    'Part',
    'CustomPhysicalProperties',
    {
      type: 'PhysicalProperties',
      value: {
        density: 1,
        friction: 0.5,
        elasticity: 0.25,
        frictionWeight: 2,
        elasticityWeight: 3,
        acousticAbsorption: 1,
      },
    },
  ],
  ['ImageLabel', 'ImageContent', { type: 'Content', value: { kind: 'uri', uri: 'rbxassetid://1' } }],
  ['Sound', 'AudioContent', { type: 'Content', value: { kind: 'uri', uri: 'rbxassetid://2' } }],
  ['Handles', 'Faces', { type: 'Faces', value: ['Right', 'Top'] }],
  ['ArcHandles', 'Axes', { type: 'Axes', value: ['X', 'Z'] }],
  ['RayValue', 'Value', { type: 'Ray', value: { origin: [1, 2, 3], direction: [0, 1, 0] } }],
];
for (const dialect of ['rojo', 'atlas'] as const)
  for (const [className, property, value] of values)
    test(`${dialect}: ${className}.${property} reads back from new and existing files`, async () => {
      const wanted = instance(className, 'X', { [property]: value });
      await bring({}, [wanted], dialect);
      await bring({ 'src/X.model.json': JSON.stringify({ className }) }, [wanted], dialect);
    });

test('removes a default value and an empty reference from the file', async () => {
  const { files } = await bring(
    {
      'src/N.model.json': '{ "className": "IntValue", "properties": { "Value": 3 } }',
      'src/To.model.json': '{ "className": "Folder", "id": "there" }',
      'src/From.model.json': '{ "className": "ObjectValue", "attributes": { "Rojo_Target_Value": "there" } }',
    },
    [
      instance('IntValue', 'N', { Value: { type: 'Int64', value: 0n } }),
      instance('Folder', 'To'),
      instance('ObjectValue', 'From', { Value: pointer(undefined) }),
    ],
  );
  assert.doesNotMatch(files.text('src/N.model.json') ?? '', /Value":/);
  assert.doesNotMatch(files.text('src/From.model.json') ?? '', /Rojo_Target/);
});

test('removes deleted attributes', async () => {
  const { files } = await bring(
    { 'src/A.luau': 'a', 'src/A.meta.json': '{"attributes": {"Old": true, "Same": "x"}}' },
    [script('A', 'a', { Attributes: attributes({ Same: text('x'), New: flag(false) }) })],
  );
  assert.deepEqual(JSON.parse(files.text('src/A.meta.json') ?? ''), { attributes: { Same: 'x', New: false } });
});

const numbers = { Speed: { type: 'Float64', value: 2 }, Small: { type: 'Float32', value: 3 } } as const;
const backups = {
  RBX_BackupBrightness: { type: 'Float32', value: 1.5 },
  RBX_BackupLevel: { type: 'Int32', value: 7 },
  RBX_BackupWhole: { type: 'Float32', value: 2 },
} as const;
const attributed = (values: Readonly<Record<string, Variant>>) =>
  instance('Folder', 'A', { Attributes: attributes(values) }, [instance('Part', 'B')]);
for (const dialect of ['rojo', 'atlas'] as const)
  test(`${dialect}: keeps the numeric type of attributes, in files and in builds`, async () => {
    const { files } = await bring({}, [attributed(numbers)], dialect);
    const before = writeModel(place(attributed({ ...numbers, ...backups })), 'rbxm', reflection);
    assert.ok(before.ok);
    using world = await openProject({ ...project(dialect, {}), 'src/A.rbxm': before.value });
    for (const Speed of [numbers.Speed, { type: 'Float64', value: 5 } as const]) {
      await syncback(world, storage(attributed({ ...numbers, ...backups, Speed })));
      const expected = attributes({ ...numbers, ...backups, Speed });
      assert.deepEqual(world.at('ReplicatedStorage/A').properties.get('Attributes'), expected);
      for (const format of modelFormats) {
        const all = (one: ModelInstance): readonly ModelInstance[] => [one, ...one.children.flatMap(all)];
        const built = builtAndRead(world.session, format)
          .roots.flatMap(all)
          .find(({ name }) => name === 'A');
        assert.deepEqual(built?.properties.get('Attributes'), expected, format);
      }
    }
    using again = await openProject(files.copy());
    assert.deepEqual(again.at('ReplicatedStorage/A').properties.get('Attributes'), attributes(numbers));
  });

test('edits the existing meta file with any extension', async () => {
  const { files } = await bring(
    { 'src/A.luau': 'a', 'src/A.meta.json': '{"properties": {"Archivable": false}}' },
    [script('A', 'a', { Archivable: flag(false), Tags: { type: 'Tags', value: ['t'] } })],
    'atlas',
  );
  assert.deepEqual(named(files), ['src/A.luau', 'src/A.meta.json']);
});

test('refuses to overwrite an invalid meta file', async () => {
  using world = await openProject(project('rojo', { 'src/A.luau': 'a', 'src/A.meta.json': '{}' }));
  world.files.set('src/A.meta.json', '{ "properties": ');
  await world.refresh();
  const plan = await planOf(world, storage(script('A', 'a', { Archivable: flag(false) })));
  assert.deepEqual(linesOf(plan), []);
  assert.match(plan.refused[0]?.reason ?? '', /A\.meta\.json/);
});

test('writes texts and tables to their files', async () => {
  const table = (value: string) =>
    JSON.stringify([{ key: 'k', source: 's', context: '', examples: '', values: { de: value } }]);
  const { files } = await bring({ 'src/T.txt': 'old', 'src/L.csv': 'Key,Source,Context,Example,de\nk,s,,,alt\n' }, [
    instance('StringValue', 'T', { Value: text('new') }),
    instance('LocalizationTable', 'L', { Contents: text(table('neu')) }),
  ]);
  assert.equal(files.text('src/T.txt'), 'new');
  assert.match(files.text('src/L.csv') ?? '', /neu/);
  assert.deepEqual(named(files), ['src/L.csv', 'src/T.txt']);
});

test('keeps the kind and extension of files', async () => {
  const runs = (context: number): Variant => ({ type: 'Enum', value: context });
  const before = { 'src/P.plugin.lua': 'old', 'src/L.legacy.luau': 'old', 'src/D/init.lua': 'old', 'src/M.lua': 'old' };
  const { files } = await bring(
    before,
    [
      instance('Script', 'P', { Source: text('new'), RunContext: runs(3) }),
      instance('Script', 'L', { Source: text('new'), RunContext: runs(0) }),
      script('D', 'new'),
      script('M', 'new'),
    ],
    'atlas',
  );
  assert.deepEqual(named(files), Object.keys(before).toSorted());
});

test('keeps the tree equal to the files after a failed write', async () => {
  using world = await openProject(project('rojo', { 'src/A.luau': 'a', 'src/B.luau': 'b' }));
  const plan = await planOf(world, storage(script('A', 'new'), script('B', 'new')));
  world.files.set('src/B.luau', 'moved');
  const { problem } = await writeEdits(plan.edits, world.files);
  assert.notEqual(problem, undefined);
  await world.refresh();
  for (const name of ['A', 'B']) {
    const { properties } = world.at(`ReplicatedStorage/${name}`);
    assert.deepEqual(properties.get('Source'), text(world.files.text(`src/${name}.luau`) ?? ''));
  }
  assert.equal(world.files.text('src/B.luau'), 'moved');
});

test('gives unique file names to instances that would share a file or meta file', async () => {
  const tagged = (tag: string) => ({ Tags: { type: 'Tags', value: [tag] } as const });
  await bring(
    {},
    [
      script('A', 'module', tagged('m')),
      instance('Script', 'A', { Source: text('script'), ...tagged('s') }),
      instance('LocalScript', 'a', { Source: text('local'), ...tagged('l') }),
    ],
    'atlas',
  );
});

test('creates the file of an added instance immediately', async () => {
  using world = await openProject(project('rojo', {}));
  await syncback(world, storage(instance('Folder', 'F', {}, [script('New', 'x')])));
  assert.equal(world.session.fsPathOf(world.at('ReplicatedStorage/F/New').id), 'src/F/New.luau' as ProjectPath);
});

test('writes a small change of a number', async () => {
  const number = (value: number): Variant => ({ type: 'Float64', value });
  const { files } = await bring(
    { 'src/N.model.json': '{ "className": "NumberValue", "properties": { "Value": 1 } }' },
    [instance('NumberValue', 'N', { Value: number(1.0000001) })],
  );
  assert.match(files.text('src/N.model.json') ?? '', /1\.0000001/);
});

test('keeps all children and the class of a script file that gets children', async () => {
  const { files } = await bring(
    { 'src/S.client.lua': 's', 'src/S.meta.json': '{"properties": {"Archivable": false}}' },
    [instance('LocalScript', 'S', { Source: text('s'), Archivable: flag(false) }, [script('Child', 'c')])],
  );
  assert.ok(
    named(files).some(path => /^src\/S\/init\.client\.luau?$/.test(path)),
    named(files).join(),
  );
});

test('removes the meta file together with its file', async () => {
  const { files } = await bring(
    { 'src/A.luau': 'a', 'src/A.meta.json': '{"properties": {"Archivable": false}}', 'src/B.luau': 'b' },
    [script('B', 'b')],
  );
  assert.deepEqual(named(files), ['src/B.luau']);
});

const oddNames = 'A/B|CON|foo.server.|x.meta|\u00e9|e\u0301|Case|case|init| ||a~2|v1.0'.split('|');
const oddFolders = () => oddNames.map(name => instance('Folder', name, {}, [script(name, name)], `folder ${name}`));

test('creates a file for every name in the Atlas dialect', async () => {
  await bring({}, [script('Plain', 'p'), ...oddFolders()], 'atlas');
});

test('writes a folder with invalid file names as a model in Rojo, or else as projects', async () => {
  await bring({}, [script('Plain', 'p'), instance('Folder', 'Odd', {}, oddFolders())]);
  await bring({}, [...['Init', 'a.server'].map(name => script(name, name)), instance('Folder', 'init', {}, [])]);
  const { files } = await bring({}, [script('Plain', 'p'), ...oddFolders()]);
  const projects = named(files).map(path => /^src\/([^/]*)\/default.project.json$/.exec(path)?.[1]);
  const folders = projects.filter(folder => folder !== undefined);
  assert.deepEqual(folders, ['A_B~2', 'CON_~2', 'case~2', 'foo_server~2', 'instance~2', 'instance~3', 'é~2']);
});

test('writes other instances as readable files, and a folder by its files', async () => {
  const size: Variant = { type: 'Vector3', value: [1, 2, 3] };
  const { files, lines } = await bring({}, [
    instance('Model', 'Boat', {}, [instance('Part', 'Hull', { Size: size })]),
    instance('Folder', 'Code', {}, [script('A', 'a')]),
  ]);
  assert.deepEqual(lines, ['Writing src/Boat.model.json', 'Writing src/Code/A.luau']);
  assert.match(files.text('src/Boat.model.json') ?? '', /"Size": \[1, 2, 3\][^]*\}\n$/);
});

test('reads back numbers that JSON cannot express', async () => {
  const number = (value: number): Variant => ({ type: 'Float64', value });
  const wanted = [NaN, Infinity, -Infinity].map(value =>
    instance('NumberValue', `N${value}`, { Value: number(value) }),
  );
  for (const dialect of ['rojo', 'atlas'] as const) await bring({}, wanted, dialect);
});

test('creates JSON5 files in the Atlas dialect and JSON files in the Rojo dialect', async () => {
  const size: Variant = { type: 'Vector3', value: [1, 2, 3] };
  const to = instance('Part', 'To', { Size: size, Anchored: flag(true) });
  const wanted = [to, instance('ModuleScript', 'S', { Source: text(''), Archivable: flag(false) })];
  const atlas = await bring({ 'src/S.luau': '' }, wanted, 'atlas');
  assert.equal(
    atlas.files.text('src/To.model.json5'),
    '{\n  className: "Part",\n  properties: {\n    Anchored: true,\n    Size: [ 1, 2, 3 ]\n  }\n}\n',
  );
  assert.equal(atlas.files.text('src/S.meta.json5'), '{\n  properties: {\n    Archivable: false\n  }\n}\n');
  const rojo = await bring({ 'src/S.luau': '' }, wanted, 'rojo');
  assert.equal(rojo.files.text('src/S.meta.json'), '{\n  "properties": {\n    "Archivable": false\n  }\n}\n');
});

test('writes new properties and attributes sorted by name', async () => {
  const own = attributes({ z: flag(true), a: text('x') });
  const more = { Tags: { type: 'Tags', value: ['t'] }, Attributes: own, Archivable: flag(false) } as const;
  const { files } = await bring({ 'src/S.luau': '' }, [script('S', '', more)]);
  const meta = JSON.parse(files.text('src/S.meta.json') ?? '') as Record<string, object>;
  assert.deepEqual(Object.keys(meta['properties'] ?? {}), ['Archivable', 'Tags']);
  assert.deepEqual(Object.keys(meta['attributes'] ?? {}), ['a', 'z']);
});

test('keeps every digit of 64-bit integers in plain JSON numbers', async () => {
  // JavaScript prints the second number with other digits.
  for (const whole of [2n ** 62n + 1n, 127804674623595072n]) {
    const number = instance('IntValue', 'N', { Value: { type: 'Int64', value: whole } });
    const { files } = await bring({}, [number, instance('ObjectValue', 'O', { Value: pointer(number) })]);
    assert.match(files.text('src/N.model.json') ?? '', new RegExp(`": ${whole}\\n`));
  }
});

test('clears an old reference without a target and generates stable ids', async () => {
  const to = instance('Folder', 'To');
  const made = async (): Promise<string> => {
    const { files } = await bring({}, [to, instance('ObjectValue', 'From', { Value: pointer(to) })]);
    return named(files)
      .map(path => files.text(path))
      .join('\n');
  };
  const first = await made();
  assert.match(first, /"id": "/);
  assert.equal(await made(), first);
});

test('keeps an id that a file sets', async () => {
  const { files } = await bring(
    { 'src/A.luau': 'a', 'src/A.meta.json': '{"id": "mine", "properties": {"Archivable": false}}' },
    [script('A', 'a')],
  );
  assert.deepEqual(JSON.parse(files.text('src/A.meta.json') ?? '{}')['id'], 'mine');
});

test('removes a meta file that becomes empty', async () => {
  const { files } = await bring({ 'src/A.luau': 'a', 'src/A.meta.json': '{"properties": {"Archivable": false}}' }, [
    script('A', 'a'),
  ]);
  assert.doesNotMatch(files.text('src/A.meta.json') ?? '', /Archivable/);
});

test('keeps comments and order in a project file', async () => {
  const file = `{
  // the game
  "tree": {
    "$className": "DataModel",
    "Lighting": { "$properties": { "Brightness": 1 /* dim */ } },
    "ReplicatedStorage": { "$path": "src" }
  },
  "name": "Game"
}
`;
  using world = await openProject({ 'default.project.json': file, 'src/.keep': '' });
  const wanted = place(
    instance('Lighting', 'Lighting', { Brightness: { type: 'Float32', value: 2 } }),
    instance('ReplicatedStorage', 'ReplicatedStorage'),
  );
  await syncback(world, wanted);
  assert.equal(world.files.text('default.project.json'), file.replace('"Brightness": 1', '"Brightness": 2'));
});

test('keeps files without an instance and unchanged data files', async () => {
  const kept = { 'src/F/README.md': '# mine', 'src/data.json': '{"a": 1}', 'src/.env': 'x' };
  const { files } = await bring({ ...kept, 'src/F/Gone.luau': 'g' }, [
    script('data', 'return {\n\ta = 1,\n}'),
    instance('Folder', 'F'),
  ]);
  assert.deepEqual(named(files), Object.keys(kept).toSorted());
});

test('sets the class of a folder and keeps the children of a model that becomes one', async () => {
  const { files } = await bring(
    {
      'src/M.model.json': JSON.stringify({
        className: 'Configuration',
        children: [{ name: 'Inner', className: 'IntValue', properties: { Value: 4 } }],
      }),
    },
    [
      instance('Configuration', 'New', {}, [script('Child', 'c')]),
      instance('Configuration', 'M', {}, [
        instance('IntValue', 'Inner', { Value: { type: 'Int64', value: 4n } }),
        script('Added', 'a'),
      ]),
    ],
  );
  assert.match(files.text('src/New/init.meta.json') ?? '', /Configuration/);
});

test('never writes a script file next to a script folder of the same name', async () => {
  const parent = { ...script('Foo', 'return "folder"'), children: [script('Inner', 'return 1')] };
  for (const wanted of [
    [parent, script('Foo', 'return "file"')],
    [script('Foo', 'return "file"'), parent],
  ]) {
    const { files } = await bring({}, wanted, 'atlas');
    const paths = files.paths().filter(path => path.endsWith('.luau'));
    assert.equal(paths.length, 3);
    assert.ok(!(paths.includes('src/Foo.luau') && paths.includes('src/Foo/init.luau')), paths.join(', '));
  }
});
