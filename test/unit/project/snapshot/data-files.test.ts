import { reasonText } from '../../../../src/protocol/reason.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvOfContents } from '../../../../src/project/file-kinds/localization.ts';
import { contentsOfCsv } from '../../../../src/project/file-kinds/read-localization.ts';
import type { StudioInstance } from '../../../../src/protocol/studio/stream.ts';
import type { WireVariant } from '../../../../src/protocol/values.ts';
import { planPull } from '../../../harness/pulls.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';

const value = (world: Awaited<ReturnType<typeof openProject>>, name: string, property: string): unknown =>
  world.at(`ReplicatedStorage/${name}`).properties.get(property)?.value;

test('reads data files of every kind as modules that return their value', async () => {
  using world = await openProject(
    smallProject({
      'src/settings.toml': 'b = 2\na = [1, 2]\n[t]\n"a b" = nan\n',
      'src/settings.meta.json': '{"properties": {"Tags": ["T"]}}',
      'src/levels.yaml': 'z: 1\na: ~\n2: two\ntrue: [.inf, -.inf]\n',
      'src/short.yml': '- x\n- {}\n',
      'src/empty.toml': '',
    }),
  );
  assert.deepEqual(world.session.diagnostics(), []);
  assert.equal(
    value(world, 'settings', 'Source'),
    'return {\n\ta = {1, 2},\n\tb = 2,\n\tt = {\n\t\t["a b"] = 0/0,\n\t},\n}',
  );
  assert.deepEqual(value(world, 'settings', 'Tags'), ['T']);
  assert.equal(
    value(world, 'levels', 'Source'),
    'return {\n\tz = 1,\n\ta = nil,\n\t[2] = "two",\n\t[true] = {math.huge, -math.huge},\n}',
  );
  assert.equal(value(world, 'short', 'Source'), 'return {"x", {\n}}');
  assert.equal(value(world, 'empty', 'Source'), 'return {\n}');
});

test('keeps the meaning of JSON5 extensions in a module', async () => {
  using world = await openProject({
    'default.project.json5': '{tree: {$className: "DataModel", ReplicatedStorage: {$path: "src"}}, name: "G"}',
    'src/limits.json5': "{most: Infinity, least: -Infinity, none: NaN, hex: +0x10, 'half': .5}",
  });
  assert.equal(
    value(world, 'limits', 'Source'),
    'return {\n\thalf = 0.5,\n\thex = 16,\n\tleast = -math.huge,\n\tmost = math.huge,\n\tnone = 0/0,\n}',
  );
});

test('reads a CSV file as a LocalizationTable with compact JSON, and init.csv as its folder', async () => {
  const words =
    'Key,Source,Context,Example,fr,de,,fr\nhi,Hello,c,e,bonjour,hallo,x,\n,,a,b,c,d,,\n,Bye,,,salut,,,adieu\n';
  using world = await openProject(
    smallProject({ 'src/words.csv': words, 'src/d/init.csv': words, 'src/d/note.txt': 'n', 'src/none.csv': '' }),
  );
  const contents =
    '[{"key":"hi","context":"c","example":"e","source":"Hello","values":{"de":"hallo","fr":"bonjour"}},' +
    '{"source":"Bye","values":{"fr":"adieu"}}]';
  assert.equal(value(world, 'words', 'Contents'), contents);
  assert.equal(value(world, 'd', 'Contents'), contents);
  assert.equal(value(world, 'none', 'Contents'), '[]');
  assert.equal(
    world
      .outline('ReplicatedStorage/d')
      .split('\n')
      .map(line => line.trim())
      .join(),
    'd:LocalizationTable,note:StringValue',
  );
});

test('prefers another init file over init.csv depending on the dialect', async () => {
  const files = { 'src/d/init.csv': '', 'src/d/init.lua': '' };
  const tree = { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } };
  using rojo = await openProject({ ...files, 'default.project.json': JSON.stringify({ tree }) });
  using atlas = await openProject({ ...files, 'default.project.json5': JSON.stringify({ tree }) });
  assert.equal(rojo.at('ReplicatedStorage/d').className, 'ModuleScript');
  assert.equal(atlas.at('ReplicatedStorage/d').className, 'LocalizationTable');
});

const broken: readonly (readonly [string, good: string, bad: string, number, number])[] = [
  ['x.toml', 'a = 1', 'a = 1\n= 2', 2, 1],
  ['x.yaml', 'a: 1', 'a: 1\nb: *c\n', 2, 4],
  ['x.yml', 'a: 1', '', 1, 1],
  ['x.csv', 'Key\na\n', 'Key,Source\na\n', 2, 1],
];
for (const [name, good, bad, line, column] of broken)
  test(`keeps the last valid state of ${name} and reports the position when it is invalid`, async () => {
    using world = await openProject(smallProject({ [`src/${name}`]: good }));
    const before = world.outline();
    world.files.set(`src/${name}`, bad);
    await world.refresh();
    assert.equal(world.outline(), before);
    const [problem] = world.session.diagnostics();
    assert.deepEqual(
      { file: problem?.file, line: problem?.line, column: problem?.column, severity: problem?.severity },
      { file: `src/${name}`, line, column, severity: 'error' },
    );
  });

test('writes Contents as an equivalent CSV and reads Studio’s spelling of examples', () => {
  const studio = '[{"key":"k","examples":"e","source":"s","values":{"fr":"a, \\"b\\""}}]';
  assert.deepEqual(csvOfContents(studio), {
    ok: true,
    value: 'Key,Source,Context,Example,fr\nk,s,,e,"a, ""b"""\n',
  });
  const odd = '[{"source":"a","values":{"constructor":"x"}},{"source":"b","values":{}}]';
  assert.deepEqual(csvOfContents(odd), { ok: true, value: 'Key,Source,Context,Example,constructor\n,a,,,x\n,b,,,\n' });
  assert.deepEqual(contentsOfCsv('Source,constructor\na,x\nb,\n'), { ok: true, value: odd });
  assert.ok(!csvOfContents('{"no": "array"}').ok);
  assert.ok(!csvOfContents('[{"key": 1, "values": {}}]').ok);
  const word = fc.string({ minLength: 1 });
  const locale = fc.constantFrom('de', 'fr', 'pt-br');
  const entry = fc.record(
    { source: word, values: fc.dictionary(locale, word) },
    { requiredKeys: ['source', 'values'] },
  );
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: each => each.source }), entries => {
      const csv = csvOfContents(JSON.stringify(entries));
      assert.ok(csv.ok);
      const back = contentsOfCsv(csv.value);
      assert.ok(back.ok);
      const bySource = (list: readonly { source: string }[]): unknown =>
        list.toSorted((a, b) => (a.source < b.source ? -1 : 1));
      assert.deepEqual(bySource(JSON.parse(back.value)), bySource(JSON.parse(JSON.stringify(entries))));
    }),
  );
});

test('pulls texts into the CSV file with its line ends, but no generated Source', async () => {
  using world = await openProject(
    smallProject({ 'src/words.csv': '\uFEFFKey,Source\r\nk,Hello\r\n', 'src/x.toml': 'a = 1\n' }),
  );
  const pull = (name: string, properties: Readonly<Record<string, WireVariant>>, source?: string) => {
    const { id, className } = world.at(`ReplicatedStorage/${name}`);
    const studio = { name, className, properties, children: [], ...(source !== undefined && { source }) };
    return planPull(world, { kind: 'edit', id, studio: { ...studio, id } as StudioInstance });
  };
  const contents = '[{"key":"k","source":"Hello","values":{"de":"Hallo"}}]';
  const plan = await pull('words', { Contents: { String: contents } });
  assert.ok(plan.ok);
  const [edit] = plan.edits;
  assert.ok(edit?.kind === 'write' && plan.edits.length === 1);
  assert.equal(edit.path, 'src/words.csv');
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(edit.bytes);
  assert.equal(text, '\uFEFFKey,Source,Context,Example,de\r\nk,Hello,,,Hallo\r\n');
  const bad = await pull('words', { Contents: { String: '{' } });
  assert.ok(!bad.ok && /cannot write LocalizationTable.Contents to .*words.csv/.test(reasonText(bad.reason)));
  const made = await pull('x', {}, 'return 2');
  assert.ok(!made.ok && /generated from src\/x.toml/.test(reasonText(made.reason)));
});
