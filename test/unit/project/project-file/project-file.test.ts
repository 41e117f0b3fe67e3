import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonDocument } from '../../../../src/roblox/formats/json5-document.ts';
import { type ProjectField, projectFields } from '../../../../src/project/project-file/project-fields.ts';
import { standardFileKinds } from '../../../../src/project/file-kinds/standard-file-kinds.ts';
import { type ProjectFile, readProjectFile } from '../../../../src/project/project-file/project-file.ts';
import type { JsonProblem } from '../../../../src/roblox/formats/json5-document.ts';
import { projectPath } from '../../../harness/project-world.ts';

function read(text: string, file = 'default.project.json'): ProjectFile | JsonProblem {
  const document = parseJsonDocument(text);
  assert.ok(document.ok);
  return readProjectFile(projectPath(file), document.value, standardFileKinds.syncRuleNames, undefined);
}
function good(fields: string, file?: string): ProjectFile {
  const project = read(`{"tree": {}, ${fields}}`, file);
  assert.ok(!('expected' in project), JSON.stringify(project));
  return project;
}

// The position is line:column, starting at 1 as in an editor.
const problems: readonly (readonly [text: string, place: string, expected: RegExp])[] = [
  ['[]', '1:1', /the project to be an object/],
  ['{}', '1:1', /a "tree" field/],
  ['{"tree": {},\n "treee": 1}', '2:2', /a known field of a project, not "treee" \(did you mean 'tree'\?\)/],
  ['{"tree": 1}', '1:10', /the tree to be an object/],
  ['{"name": 1, "tree": {}}', '1:10', /"name" to be a string/],
  ['{"tree": {}, "servePort": 65536}', '1:27', /a port number from 0 to 65535/],
  ['{"tree": {}, "servePort": -1}', '1:27', /a whole number from 0/],
  ['{"tree": {}, "serveAddress": "localhost"}', '1:30', /an IPv4 or IPv6 address/],
  ['{"tree": {}, "serveAddress": "1.2.3"}', '1:30', /an IPv4 or IPv6 address/],
  ['{"tree": {}, "serveAllowedHosts": ["a", 1]}', '1:41', /each of "serveAllowedHosts" to be a string/],
  ['{"tree": {}, "servePlaceIds": [1.5]}', '1:32', /a whole number from 0/],
  ['{"tree": {}, "placeId": "1"}', '1:25', /"placeId" to be a whole number/],
  ['{"tree": {}, "emitLegacyScripts": 0}', '1:35', /true or false/],
  ['{"tree": {}, "fileLogLevel": "loud"}', '1:30', /one of trace, debug/],
  ['{"tree": {}, "globIgnorePaths": ["["]}', '1:34', /a "\]" for every "\["/],
  ['{"tree": {}, "globIgnorePaths": ["{a"]}', '1:34', /a "}" for every "{"/],
  ['{"tree": {}, "syncRules": [{"use": "text"}]}', '1:28', /a "pattern"/],
  ['{"tree": {}, "syncRules": [{"pattern": "*"}]}', '1:28', /a "use"/],
  ['{"tree": {}, "syncRules": [{"pattern": "*", "use": "dir"}]}', '1:52', /"use" to be one of csv, jsonModel/],
  ['{"tree": {}, "syncbackRules": {"ignoreTree": []}}', '1:32', /a known field of "syncbackRules"/],
  ['{"tree": {}, "syncbackRules": {"ignorePaths": ["a["]}}', '1:48', /a "\]" for every "\["/],
  [
    '{"tree": {}, "syncbackRules": {"ignoreProperties": {"Part": "Size"}}}',
    '1:61',
    /the properties of Part to be an array/,
  ],
  ['{"tree": {"$ignoreUnknown": true}}', '1:11', /one of \$className, .* instead of "\$ignoreUnknown"/],
  ['{"tree": {"$clasName": "Folder"}}', '1:11', /instead of "\$clasName" \(did you mean '\$className'\?\)/],
  ['{"tree": {"$className": 1}}', '1:25', /"\$className" to be a string/],
  ['{"tree": {"$path": 1}}', '1:20', /"\$path" to be a string or {"optional": string}/],
  ['{"tree": {"$path": {"optional": 1}}}', '1:33', /"\$path" to be a string or/],
  ['{"tree": {"$ignoreUnknownInstances": "no"}}', '1:38', /true or false/],
  ['{"tree": {"A": {"B": 1}}}', '1:22', /the node "B" to be an object/],
];
for (const [text, place, expected] of problems)
  test(`${text.replaceAll('\n', ' ')} is invalid at ${place}`, () => {
    const problem = read(text);
    assert.ok('expected' in problem);
    assert.equal(`${problem.line}:${problem.column}`, place);
    assert.match(problem.expected, expected);
  });

test('reads every field of both dialects and treats null as absent', () => {
  const project = good(
    `"$schema": "x", "name": null, "servePort": 0, "serveAddress": "::1", "serveAllowedHosts": [], "servePlaceIds": [2, 2, 1],
     "blockedPlaceIds": [], "placeId": 5, "gameId": 6, "emitLegacyScripts": false, "syncScriptsOnly": true,
     "ignoreHiddenServices": false, "fileLogLevel": "none", "globIgnorePaths": ["a"]`,
  );
  const { name, servePlaceIds, blockedPlaceIds, placeId, gameId, emitLegacyScripts, syncScriptsOnly } = project;
  assert.deepEqual(
    { name, servePlaceIds, blockedPlaceIds, placeId, gameId, emitLegacyScripts, syncScriptsOnly },
    {
      name: undefined,
      servePlaceIds: [2, 1],
      blockedPlaceIds: [],
      placeId: 5,
      gameId: 6,
      emitLegacyScripts: false,
      syncScriptsOnly: true,
    },
  );
});

test('every field of both dialects is used or named in a warning', () => {
  const values: Readonly<Record<string, string>> = {
    serveAddress: '"0.0.0.0"',
    serveAllowedHosts: '["a"]',
    placeId: '5',
    gameId: '6',
    fileLogLevel: '"info"',
  };
  for (const [name, field] of Object.entries<ProjectField>(projectFields)) {
    if (field.warning === undefined) continue;
    const warned = good(`"${name}": ${values[name] ?? ''}`).warnings.map(({ expected }) => expected);
    assert.deepEqual(warned, [field.warning]);
  }
  assert.deepEqual(good('"serveAddress": "127.0.0.1", "serveAllowedHosts": [], "servePort": 1').warnings, []);
});

test('chooses the dialect by file name or fields unless one is requested', () => {
  assert.equal(good('"name": "x"').dialect, 'rojo');
  assert.equal(good('"name": "x"', 'default.project.json5').dialect, 'atlas');
  for (const field of ['"syncScriptsOnly": false', '"ignoreHiddenServices": true', '"fileLogLevel": "info"'])
    assert.equal(good(field).dialect, 'atlas', field);
  const document = parseJsonDocument('{"tree": {}}');
  assert.ok(document.ok);
  const asked = readProjectFile(
    projectPath('default.project.json'),
    document.value,
    standardFileKinds.syncRuleNames,
    'atlas',
  );
  assert.ok('dialect' in asked && asked.dialect === 'atlas');
});

test('warns about unknown $ names, and about Name or Parent in $properties', () => {
  const project = good('"name": "x"');
  assert.deepEqual(project.warnings, []);
  const warned = read('{"tree": {"$new": {}, "$properties": {"Name": "x", "Archivable": true}}}');
  assert.ok('warnings' in warned);
  assert.deepEqual(
    warned.warnings.map(({ line, column }) => `${line}:${column}`),
    ['1:11', '1:39'],
  );
  assert.deepEqual(
    warned.tree.properties.map(({ key }) => key),
    ['Archivable'],
  );
});

test('uses the default syncback rules of the dialect', () => {
  const rojo = good('"name": "x"').syncbackRules;
  const atlas = good('"name": "x"', 'default.project.json5').syncbackRules;
  assert.deepEqual([rojo.syncUnscriptable, atlas.syncUnscriptable], [true, false]);
  const rules = '"syncbackRules": {"ignoreTrees": ["Workspace/Map"], "ignorePaths": ["gen/**", "*.txt", "!keep.txt"]}';
  const inRojo = good(rules).syncbackRules;
  const inAtlas = good(rules, 'default.project.json5').syncbackRules;
  assert.deepEqual(
    ['Workspace/Map', 'Workspace/Mapper', 'Workspace'].map(path => [
      inRojo.ignoresTree(path),
      inAtlas.ignoresTree(path),
    ]),
    [
      [true, true],
      [true, false],
      [false, false],
    ],
  );
  assert.deepEqual(
    ['gen', 'gen/a', 'a.txt', 'keep.txt', '.git/config', 'src'].map(path => inRojo.ignoresPath(path)),
    [true, true, true, false, true, false],
  );
  assert.equal(inAtlas.ignoresPath('keep.txt'), true, 'the Atlas dialect knows no "!"');
});

test('refuses more globs than one step can compile, with the position of the first one too many', () => {
  const refusal = (globs: readonly string[], field = 'globIgnorePaths'): string => {
    const value = field === 'globIgnorePaths' ? globs : globs.map(pattern => ({ pattern, use: 'text' }));
    const project = read(JSON.stringify({ tree: {}, [field]: value }));
    return 'expected' in project ? project.expected : '';
  };
  const many = (count: number, glob: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => glob(index));
  assert.equal(refusal(many(1000, index => `**/dir${index}/*.luau`)), '');
  for (const field of ['globIgnorePaths', 'syncRules'])
    assert.match(
      refusal(
        many(16_000, index => `dir${index}`),
        field,
      ),
      /at most 1000 globs in one project file/,
    );
  assert.match(refusal(many(900, () => 'x'.repeat(100))), /at most 50000 characters of globs/);
  assert.equal(refusal(many(100, index => `**/{a,b}${index}/{c,d}.luau`)), '');
  assert.match(
    refusal(many(900, index => `**/{a,b}${index}/{c,d}.luau`)),
    /at most 4096 characters of globs with several/,
  );
});

test('refuses more nodes than one step can read, with the position of the first one too many', () => {
  const tree = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, {}]));
  const readTree = (count: number) => read(JSON.stringify({ tree: { a: tree(count) } }));
  assert.ok(!('expected' in readTree(9_000)));
  const problem = readTree(10_000);
  assert.ok('expected' in problem);
  assert.deepEqual([problem.expected, problem.line], ['at most 10000 nodes in a project file', 1]);
});
