import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../src/base/errors.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';

// Every error and warning of a project, with file, line and column.

type Files = Readonly<Record<string, string | Uint8Array>>;
/** The problem and the files of a project, then the position (`file:line:column`) and the expected message. */
type Row = readonly [what: string, files: Files, place: string, expected: RegExp];

const project = (tree: string): Files => ({ 'default.project.json': `{\n  "tree": ${tree}\n}` });
const below = (node: string): Files => project(`{ "$className": "DataModel", "Foo": ${node} }`);
const notUtf8 = new Uint8Array([0x61, 0x0a, 0x62, 0xff]);
const utf16 = new Uint8Array([0xff, 0xfe, 0x70, 0]);

// Problems in the project file: without a valid one there is no tree.
const fatal: readonly Row[] = [
  [
    'a class next to a path with a class',
    { ...below('{ "$className": "Part", "$path": "x.luau" }'), 'x.luau': '' },
    'default.project.json:2:80',
    /no "\$className" next to a "\$path" that produces a ModuleScript: only a Folder can be given another class/,
  ],
  [
    'a path without an instance',
    below('{ "$path": "gone" }'),
    'default.project.json:2:58',
    /a file or folder at "gone" that produces an instance/,
  ],
  ...(
    [
      ['Packages', 'wally install'],
      ['lib/ServerPackages/', 'wally install'],
      ['DevPackages', 'wally install'],
      ['node_modules/@rbxts', 'npm install'],
      ['include', 'npx rbxtsc'],
    ] as const
  ).map(([path, command]): Row => [
    `a missing ${path}`,
    below(`{ "$path": "${path}" }`),
    'default.project.json:2:58',
    new RegExp(`that produces an instance; run "${command}"`),
  ]),
  [
    'a path to an init file',
    { ...below('{ "$path": "d/init.luau" }'), 'd/init.luau': '' },
    'default.project.json:2:58',
    /at "d\/init.luau" that produces an instance; .*set "\$path" to its folder/,
  ],
  [
    'a path to a meta file',
    { ...below('{ "$path": "a.meta.json" }'), 'a.meta.json': '{}' },
    'default.project.json:2:58',
    /a file or folder at "a.meta.json" that produces an instance/,
  ],
  [
    'an empty node',
    below('{}'),
    'default.project.json:2:47',
    /a "\$className", a "\$path" or the name of a service for "Foo"/,
  ],
  [
    'text that is not JSON',
    { 'default.project.json': '{\n "tree" 1}' },
    'default.project.json:2:9',
    /":" after the key "tree"/,
  ],
  ['an empty file', { 'default.project.json': '' }, 'default.project.json:1:1', /a JSON value/],
  ['a file with only comments', { 'default.project.json': '// later\n' }, 'default.project.json:2:1', /a JSON value/],
  [
    'text after the end',
    { 'default.project.json': '{"tree": {}}\n}' },
    'default.project.json:2:1',
    /the end of the file/,
  ],
  ['a file in another encoding', { 'default.project.json': utf16 }, 'default.project.json:1:1', /UTF-8 text/],
  [
    'an unknown field',
    { 'default.project.json': '{"tree": {},\n"servePorts": 1}' },
    'default.project.json:2:1',
    /a known field of a project, not "servePorts"/,
  ],
  ['a missing tree', { 'default.project.json': '\n{}' }, 'default.project.json:2:1', /a "tree" field in the project/],
  [
    'a host name as address',
    { 'default.project.json': '{"tree": {}, "serveAddress": "localhost"}' },
    'default.project.json:1:30',
    /an IPv4 or IPv6 address/,
  ],
  [
    'an unclosed glob',
    { 'default.project.json': '{"tree": {}, "globIgnorePaths": ["{a"]}' },
    'default.project.json:1:34',
    /a "}" for every "{" in the glob/,
  ],
  [
    'an unknown kind in a rule',
    { 'default.project.json': '{"tree": {}, "syncRules": [{"pattern": "*", "use": "dir"}]}' },
    'default.project.json:1:52',
    /"use" to be one of/,
  ],
];
for (const [what, files, place, expected] of fatal)
  test(`reports ${what} at ${place} and does not open the project`, async () => {
    const error = await openProject(files).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(AppError.is(error, 'PROJECT_INVALID'), String(error));
    const { file, line, column } = error.details;
    assert.equal(`${file}:${line}:${column}`, place);
    assert.match(error.details.expected, expected);
  });

const inSource = (files: Files): Files => ({ ...smallProject({}), ...files });
const meta = (text: string): Files => inSource({ 'src/A.luau': '', 'src/A.meta.json': text });
const model = (text: string): Files => inSource({ 'src/M.model.json': text });
const atlas = (files: Files): Files => ({
  'default.project.json5': '{tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}}',
  'src/.keep': '',
  ...files,
});

// Everything else: the project opens, and the file is reported.
const reported: readonly (readonly ['error' | 'warning', ...Row])[] = [
  [
    'error',
    'a property of a node',
    below('{\n"$className": "Part", "$properties": {"Anchored": 1} }'),
    'default.project.json:3:51',
    /^expected Part.Anchored to be true or false, not 1/,
  ],
  [
    'error',
    'an attribute of a node',
    below('{\n"$className": "Part", "$attributes": {"a": [1]} }'),
    'default.project.json:3:44',
    /^expected the attribute "a" to be true, false, a number, a string/,
  ],
  [
    'error',
    'a nested project',
    inSource({ 'src/lib/default.project.json': '{"tree": {"$path": "gone"}}' }),
    'src/lib/default.project.json:1:20',
    /a file or folder at "gone"/,
  ],
  [
    'error',
    'a nested project that is not JSON',
    inSource({ 'src/x.project.json': '{"tree": ' }),
    'src/x.project.json:1:10',
    /^expected a value/,
  ],
  [
    'warning',
    'a name with $',
    project('{ "$className": "DataModel", "$new": { "$className": "Part" } }'),
    'default.project.json:2:40',
    /^expected a name that does not start with "\$"/,
  ],
  [
    'warning',
    'a Name in $properties',
    project('{ "$className": "Part", "$properties": { "Name": "x" } }'),
    'default.project.json:2:52',
    /^expected no "Name" in "\$properties"/,
  ],
  [
    'warning',
    'a Parent in $properties',
    project('{ "$className": "Part", "$properties": { "Parent": "x" } }'),
    'default.project.json:2:52',
    /^expected no "Parent" in "\$properties"/,
  ],
  ['error', 'a meta file that is not JSON', meta('{"properties": {'), 'src/A.meta.json:1:17', /^expected a key or "}"/],
  [
    'error',
    'a meta file that is not an object',
    meta('\n[]'),
    'src/A.meta.json:2:1',
    /^expected the meta file to be an object/,
  ],
  ['error', 'an empty meta file', meta(''), 'src/A.meta.json:1:1', /^expected a JSON value/],
  [
    'error',
    'a class for a folder that is a script',
    inSource({ 'src/d/init.luau': '', 'src/d/init.meta.json': '{"className": "Model"}' }),
    'src/d/init.meta.json:1:15',
    /^expected no "className" here: the init script already makes the folder a ModuleScript/,
  ],
  [
    'error',
    'a second id',
    inSource({ 'src/A.luau': '', 'src/A.meta.json': '{"id": "a"}', 'src/A.meta.jsonc': '{"id": "b"}' }),
    'src/A.meta.jsonc:1:8',
    /^expected no "id" here/,
  ],
  [
    'error',
    'an invalid property',
    meta('{"properties": {"Disabled": 1}}'),
    'src/A.meta.json:1:29',
    /^expected a property that Roblox knows/,
  ],
  [
    'error',
    'an invalid attribute',
    meta('{"attributes": {"a": null}}'),
    'src/A.meta.json:1:22',
    /^expected the attribute "a" to be/,
  ],
  [
    'error',
    'a script that is not UTF-8',
    inSource({ 'src/a.luau': notUtf8 }),
    'src/a.luau:2:2',
    /^expected UTF-8 text/,
  ],
  ['error', 'a script in UTF-16', inSource({ 'src/a.luau': utf16 }), 'src/a.luau:1:1', /^expected UTF-8 text/],
  ['error', 'a text that is not UTF-8', inSource({ 'src/a.txt': notUtf8 }), 'src/a.txt:2:2', /^expected UTF-8 text/],
  ['error', 'YAML that is not UTF-8', inSource({ 'src/a.yaml': notUtf8 }), 'src/a.yaml:2:2', /^expected UTF-8 text/],
  [
    'error',
    'a model that is not UTF-8',
    inSource({ 'src/a.model.json': notUtf8 }),
    'src/a.model.json:2:2',
    /^expected UTF-8 text/,
  ],
  [
    'error',
    'a meta file that is not UTF-8',
    inSource({ 'src/a.luau': '', 'src/a.meta.json': notUtf8 }),
    'src/a.meta.json:2:2',
    /^expected UTF-8 text/,
  ],
  ['error', 'data that is not UTF-8', inSource({ 'src/a.json': notUtf8 }), 'src/a.json:2:2', /^expected UTF-8 text/],
  [
    'error',
    'broken JSON data',
    inSource({ 'src/a.json': '{\n"a" 1}' }),
    'src/a.json:2:5',
    /^expected ":" after the key "a"/,
  ],
  ['error', 'broken TOML', inSource({ 'src/a.toml': 'a = 1\nb = [' }), 'src/a.toml:2:', /^expected /],
  ['error', 'empty JSON data', inSource({ 'src/a.json': ' \n// x' }), 'src/a.json:2:5', /^expected a JSON value/],
  ['error', 'a missing YAML document', inSource({ 'src/a.yaml': '' }), 'src/a.yaml:1:1', /^expected /],
  [
    'error',
    'two YAML documents',
    inSource({ 'src/a.yaml': 'a: 1\n---\nb: 1\n' }),
    'src/a.yaml:2:1',
    /^expected one YAML document/,
  ],
  ['error', 'a YAML alias', inSource({ 'src/a.yaml': 'a: &x 1\nb: *x\n' }), 'src/a.yaml:2:4', /^expected /],
  [
    'error',
    'a YAML integer above 2^53',
    inSource({ 'src/a.yaml': 'a: 9007199254740993\n' }),
    'src/a.yaml:1:4',
    /^expected a whole number up to 2\^53/,
  ],
  ['error', 'a YAML key that is null', inSource({ 'src/a.yaml': 'a: 1\n~: 2\n' }), 'src/a.yaml:2:1', /^expected /],
  [
    'error',
    'ragged CSV rows',
    inSource({ 'src/a.csv': 'Key,Source\na\n' }),
    'src/a.csv:2:1',
    /^expected as many cells/,
  ],
  [
    'error',
    'an unclosed CSV quote',
    inSource({ 'src/a.csv': 'Key\n"a\n' }),
    'src/a.csv:',
    /^expected a " at the end of the cell/,
  ],
  ['error', 'CSV that is not UTF-8', inSource({ 'src/a.csv': notUtf8 }), 'src/a.csv:2:2', /^expected UTF-8 text/],
  [
    'error',
    'a model without a class',
    model('{"name": "x"}'),
    'src/M.model.json:1:1',
    /^expected a "className" in every instance/,
  ],
  [
    'error',
    'a child without a class',
    model('{"className": "Part",\n "children": [{}]}'),
    'src/M.model.json:2:15',
    /^expected a "className" in every instance/,
  ],
  [
    'error',
    'a field in two spellings',
    model('{"className": "Part",\n "ClassName": "Part"}'),
    'src/M.model.json:2:2',
    /^expected /,
  ],
  ['error', 'a model with only comments', model('// soon'), 'src/M.model.json:1:8', /^expected a JSON value/],
  [
    'error',
    'a value of a model',
    model('{"className": "Part", "properties": {"Size": 1}}'),
    'src/M.model.json:1:46',
    /^expected Part.Size to be \[x, y, z\]/,
  ],
  [
    'error',
    'a value of a child',
    model('{"className": "Model", "children": [\n{"className": "Part", "properties": {"Size": 1}}]}'),
    'src/M.model.json:2:46',
    /^expected Part.Size to be/,
  ],
  ['error', 'an invalid binary model', inSource({ 'src/m.rbxm': 'x' }), 'src/m.rbxm:1:1', /^expected a binary model/],
  ['error', 'an empty binary model', inSource({ 'src/m.rbxm': '' }), 'src/m.rbxm:1:1', /^expected a binary model/],
  [
    'error',
    'an invalid XML model',
    inSource({ 'src/m.rbxmx': '<roblox version="4">\n<Item' }),
    'src/m.rbxmx:2:',
    /^expected an XML model/,
  ],
  [
    'error',
    'two instances in a model file',
    inSource({
      'src/m.rbxmx': '<roblox version="4"><Item class="Part" referent="a"/><Item class="Part" referent="b"/></roblox>',
    }),
    'src/m.rbxmx:1:1',
    /^expected one root instance, not 2/,
  ],
  [
    'error',
    'no instance in a model file',
    inSource({ 'src/m.rbxmx': '<roblox version="4"></roblox>' }),
    'src/m.rbxmx:1:1',
    /^expected one root instance, not 0/,
  ],
  [
    'error',
    'an unknown property',
    model('{"className": "Part", "properties": {"Sise": 1}}'),
    'src/M.model.json:1:46',
    /^expected a property that Roblox knows, or the full form {"Type": value}, instead of Part.Sise/,
  ],
  [
    'error',
    'an unknown enum item',
    model('{"className": "Part", "properties": {"Material": "Gold"}}'),
    'src/M.model.json:1:50',
    /the name of an item of Enum.Material \(Air, .* or \d+ more\), not "Gold"/,
  ],
  [
    'error',
    'an unknown enum value',
    model('{"className": "Part", "properties": {"Material": 256}}'),
    'src/M.model.json:1:50',
    /the name of an item of Enum.Material .*, not 256/,
  ],
  [
    'error',
    'a reference as text',
    model('{"className": "ObjectValue", "properties": {"Value": "a/b"}}'),
    'src/M.model.json:1:54',
    /point to the instance with the attribute Rojo_Target_Value/,
  ],
  [
    'error',
    'a reference as text in the Atlas dialect',
    atlas({ 'src/M.model.json5': '{className: "ObjectValue", properties: {Value: "a/b"}}' }),
    'src/M.model.json5:1:48',
    /, or Rojo_Ref_Value and its path in the Atlas dialect/,
  ],
  [
    'error',
    'a value of another shape',
    model('{"className": "Part", "properties": {"Color": [0, 0, 0, 0]}}'),
    'src/M.model.json:1:47',
    /^expected Part.Color to be \[r, g, b\].*, not \[0,0,0,0\]/,
  ],
  [
    'error',
    'an attribute with an ambiguous type',
    model('{"className": "Part", "attributes": {"A": [1, 2, 3]}}'),
    'src/M.model.json:1:43',
    /^expected the attribute "A" to be true, false, a number, a string or {"Type": value}, not \[1,2,3\]/,
  ],
];
for (const [severity, what, files, place, expected] of reported)
  test(`reports ${what} at ${place} and loads the rest of the project`, async () => {
    using world = await openProject(files);
    const [problem, ...others] = world.session.diagnostics();
    assert.deepEqual(others, []);
    assert.ok(problem);
    const { file, line, column } = problem;
    const found = `${file}:${line}:${column}`;
    assert.ok(found === place || (place.endsWith(':') && found.startsWith(place)), found);
    assert.match(problem.message, expected);
    assert.equal(problem.severity, severity);
  });

test('reports the folder and the expected file names when there is no project', async () => {
  await assert.rejects(openProject({ 'readme.md': '' }), (error: unknown) => {
    assert.ok(AppError.is(error, 'NO_PROJECT'));
    assert.equal(error.details.folder, '/project');
    assert.deepEqual(error.details.lookedFor, [
      'default.project.json5',
      'default.project.json',
      'default.project.jsonc',
    ]);
    return true;
  });
});

test('names a project after the open folder when it has no name', async () => {
  using world = await openProject({ 'default.project.json': '{"tree": {"$className": "Folder"}}' });
  assert.equal(world.outline(), 'project:Folder');
});

test('uses the name in the meta file in the Atlas dialect', async () => {
  using world = await openProject(
    atlas({ 'src/A.luau': '', 'src/A.meta.json5': '{name: "B"}', 'src/A.meta.json': '{"name": "C"}' }),
  );
  assert.equal(world.at('ReplicatedStorage/B').className, 'ModuleScript');
  assert.deepEqual(world.session.diagnostics(), []);
});

test('accepts unknown files and fields, optional paths, empty models and ignored init files', async () => {
  using world = await openProject(
    inSource({
      'src/readme.md': '',
      'src/A.luau': '',
      'src/A.meta.json': '{"surplus": 1}',
      'src/M.model.json': '{"className": "Part", "surplus": {}, "ignoreUnknownInstances": true}',
      'src/N.model.json': ' \n',
    }),
  );
  assert.deepEqual(world.session.diagnostics(), []);
  assert.deepEqual(
    world
      .outline('ReplicatedStorage')
      .split('\n')
      .slice(1)
      .map(line => line.trim()),
    ['A:ModuleScript', 'M:Part'],
  );
});

for (const [node, expected] of [
  ['{ "$className": "Folder", "$path": "Packages" }', 'expected a file or folder at "Packages"; run "wally install"'],
  ['{ "$className": "Folder", "$path": "gone" }', 'expected a file or folder at "gone"'],
] as const)
  test(`warns about ${node}, which loads empty, until the path exists`, async () => {
    using world = await openProject(below(node));
    const found = world.session
      .diagnostics()
      .map(({ severity, message, missing }) => [severity, message, missing?.path]);
    const path = /"\$path": "(\w+)"/.exec(node)?.[1] ?? '';
    assert.deepEqual(found, [['warning', expected, path]]);
    world.files.set(`${path}/A.luau`, '');
    await world.refresh();
    assert.deepEqual(world.session.diagnostics(), []);
  });

test('names the command that creates a missing path without a class', async () => {
  await assert.rejects(openProject(below('{ "$path": "Packages" }')), (error: unknown) => {
    assert.ok(AppError.is(error, 'PROJECT_INVALID'));
    assert.deepEqual(error.details.missing, { path: 'Packages', command: 'wally install' });
    return true;
  });
});

test('does not warn about a missing optional path, or about a folder without files', async () => {
  const optional = '{ "$className": "Folder", "$path": { "optional": "gone" } }';
  for (const files of [below(optional), { ...below('{ "$className": "Folder", "$path": "d" }'), 'd/.gitkeep': '' }]) {
    using world = await openProject(files);
    assert.deepEqual(world.session.diagnostics(), []);
  }
});
