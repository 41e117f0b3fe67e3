import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCsv } from '../../../../src/roblox/formats/read-csv.ts';
import { writeCsv } from '../../../../src/roblox/formats/write-csv.ts';
import { readToml } from '../../../../src/roblox/formats/toml.ts';
import { readYaml } from '../../../../src/roblox/formats/yaml.ts';

test('TOML: reads tables, dates as written, and whole numbers', () => {
  const text =
    'a = 1\nbig = 9007199254740993\nd = 1979-05-27T07:32:00.50Z\nl = 1979-05-27 07:32:00\no = 1979-05-27T00:32:00-07:00\nt = 07:32:00\n[x.y]\nz = [inf, nan]\n';
  assert.deepEqual(readToml(text), {
    ok: true,
    value: {
      a: 1,
      big: 9007199254740992,
      d: '1979-05-27T07:32:00.5Z',
      l: '1979-05-27T07:32:00',
      o: '1979-05-27T00:32:00-07:00',
      t: '07:32:00',
      x: { y: { z: [Infinity, NaN] } },
    },
  });
  assert.deepEqual(readToml(''), { ok: true, value: {} });
});

test('TOML: reports line and column of an error', () => {
  const read = readToml('a = 1\nb = \n');
  assert.ok(!read.ok);
  assert.deepEqual([read.error.line, read.error.column], [2, 5]);
  assert.match(read.error.expected, /^valid TOML \(invalid value\)$/);
  assert.ok(!readToml(`a = ${'['.repeat(500)}`).ok);
});

test('YAML: keeps the order of mappings and the types of keys', () => {
  const read = readYaml(
    '\uFEFFz: yes\na: [1, 0x10, .inf, .nan, ~, true]\n1: one\ntrue: t\n"q": !!str 5\nr: !thing 6\n<<: merged\n',
  );
  assert.ok(read.ok);
  assert.deepEqual(
    read.value,
    new Map<unknown, unknown>([
      ['z', 'yes'],
      ['a', [1, 16, Infinity, NaN, null, true]],
      [1, 'one'],
      [true, 't'],
      ['q', 5],
      ['r', 6],
      ['<<', 'merged'],
    ]),
  );
});

const refused: readonly (readonly [string, RegExp, number, number])[] = [
  ['', /a YAML document/, 1, 1],
  ['# only words\n', /a YAML document/, 1, 1],
  ['a: 1\n---\nb: 2\n', /one YAML document/, 2, 1],
  ['a: &x 1\nb: *x\n', /instead of the alias \*x/, 2, 4],
  ['a: 9007199254740993\n', /up to 2\^53/, 1, 4],
  ['~: 1\n', /a key that is a string/, 1, 1],
  ['? [1]\n: 1\n', /a key that is a string/, 1, 3],
  ['a: [\n', /valid YAML/, 2, 1],
  [`${'['.repeat(200)}${']'.repeat(200)}`, /at most 128 levels/, 1, 129],
  ['['.repeat(100_000), /levels of nesting|valid YAML/, 1, 1],
];
for (const [text, expected, line, column] of refused)
  test(`YAML: refuses ${JSON.stringify(text.slice(0, 20))} at ${line}:${column}`, () => {
    const read = readYaml(text);
    assert.ok(!read.ok);
    assert.match(read.error.expected, expected);
    if (text.length < 1_000) assert.deepEqual([read.error.line, read.error.column], [line, column]);
  });

test('CSV: reads quotes, all line ends, blank lines and a byte-order mark', () => {
  assert.deepEqual(readCsv('\uFEFFa,b\r\n1,"x""y"\n\n"l1\r\nl2", 3 \n'), {
    ok: true,
    value: [
      ['a', 'b'],
      ['1', 'x"y'],
      ['l1\r\nl2', ' 3 '],
    ],
  });
  assert.deepEqual(readCsv(''), { ok: true, value: [] });
});

test('CSV: reports the row of an error', () => {
  const problems = ['a,b\n1\n', 'a,b\n"x\n', 'a,b\nx"y,2\n', 'a,b\n"x"y,2\n'].map(text => readCsv(text));
  assert.deepEqual(
    problems.map(read => (read.ok ? undefined : read.error.line)),
    [2, 2, 2, 2],
  );
  assert.ok(problems.every(read => !read.ok && !/CSV_/.test(read.error.expected)));
});

test('CSV: reads written rows', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') });
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));
  fc.assert(
    fc.property(table, rows => {
      assert.deepEqual(readCsv(writeCsv(rows, '\n')), { ok: true, value: rows });
    }),
  );
});

test('returns a value or a problem with a position for any text', () => {
  const readers = [readToml, readYaml, readCsv];
  const soup = fc.string({ unit: fc.constantFrom(...Array.from('[]{}:,-"\'#&*!|>%@`=\n\r\t a1.?~<')) });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), soup), text => {
      for (const read of readers) {
        const result = read(text);
        if (!result.ok) assert.ok(result.error.line >= 1 && result.error.column >= 1, result.error.expected);
      }
    }),
    { numRuns: 500 },
  );
});
