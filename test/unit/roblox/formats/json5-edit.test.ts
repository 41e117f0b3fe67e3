import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type JsonDocument, jsonValue, parseJsonDocument } from '../../../../src/roblox/formats/json5-document.ts';
import {
  type JsonPath,
  printJson,
  withJsonValue,
  withoutJsonValue,
} from '../../../../src/roblox/formats/json5-edit.ts';

function document(text: string): JsonDocument {
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok, `does not parse: ${text}`);
  return parsed.value;
}
const set = (text: string, path: JsonPath, value: unknown): string => withJsonValue(document(text), path, value);
const remove = (text: string, path: JsonPath): string => withoutJsonValue(document(text), path);

test('keeps comments, order and line ends when it replaces a value', () => {
  const text = '{\r\n  // gravity\r\n  "a": 1, // one\r\n  b: [1, 2],\r\n}\r\n';
  assert.equal(set(text, ['a'], 5), text.replace('"a": 1', '"a": 5'));
  assert.equal(set(text, ['b'], [1, 2]), text);
});

test('adds a member at the end in the style of the file', () => {
  assert.equal(set('{\n\t"a": 1 // one\n}', ['b'], true), '{\n\t"a": 1, // one\n\t"b": true\n}');
  assert.equal(set('{\n  "a": 1,\n}', ['b'], true), '{\n  "a": 1,\n  "b": true,\n}');
  assert.equal(set('{"a": 1}', ['b'], 2), '{"a": 1, "b": 2}');
  assert.equal(set('{}', ['b'], 2), '{\n  "b": 2\n}');
  assert.equal(set('{\n}\n', ['b'], 2), '{\n  "b": 2\n}\n');
});

test('writes keys without quotes into a file without quotes', () => {
  assert.equal(
    set('// top\n{\n  a: 1,\n}', ['b', 'c-d'], { z: [1, 2], a: [] }),
    '// top\n{\n  a: 1,\n  b: {\n    "c-d": {\n      a: [],\n      z: [ 1, 2 ]\n    }\n  },\n}',
  );
  assert.equal(set("{'a': 1}", ['b'], 2), `{'a': 1, "b": 2}`);
  assert.equal(remove('{a: 1, b: 2}', ['b']), '{a: 1}');
});

test('formats JSON5 like Atlas', () => {
  const style = { newline: '\n', indent: '  ', isJson5: true };
  assert.equal(
    printJson({ b: [1, 'x', true], a: { é: null, 'a b': -0, '2x': {} }, $c: [[1], []] }, style),
    '{\n  $c: [\n    [ 1 ],\n    []\n  ],\n  a: {\n    "2x": {},\n    "a b": -0,\n    é: null\n  },\n  b: [ 1, "x", true ]\n}',
  );
  const many = (count: number): number => printJson(Array(count).fill(1), style).split('\n').length;
  assert.deepEqual([many(20), many(21)], [1, 23]);
});

test('creates missing objects on the path', () => {
  assert.equal(
    set('{\n  "className": "Part"\n}', ['properties', 'Size'], [1, 2, 3]),
    '{\n  "className": "Part",\n  "properties": {\n    "Size": [1, 2, 3]\n  }\n}',
  );
});

test('refuses to set something inside a plain value', () => {
  assert.throws(() => set('{"a": 1}', ['a', 'b'], 2), /nothing to set/);
});

test('removes the line of a member with its comma and comment', () => {
  const text = '{\n  "a": 1, // one\n  "b": 2,\n  "c": 3\n}';
  assert.equal(remove(text, ['a']), '{\n  "b": 2,\n  "c": 3\n}');
  assert.equal(remove(text, ['b']), '{\n  "a": 1, // one\n  "c": 3\n}');
  assert.equal(remove(text, ['c']), '{\n  "a": 1, // one\n  "b": 2\n}');
  assert.equal(remove('{"a": 1, "b": 2, "c": 3}', ['b']), '{"a": 1, "c": 3}');
  assert.equal(remove('{"a": 1}', ['a']), '{}');
  assert.equal(remove(text, ['none']), text);
});

test('removes an element of an array', () => {
  assert.equal(remove('[{"a": 1}, {"b": 2}]', [0]), '[{"b": 2}]');
  assert.equal(remove('{"children": [\n  {},\n  {"n": 1}\n]}', ['children', 1]), '{"children": [\n  {}\n]}');
});

// JSON.stringify writes -0 as 0, so the layouts below could not carry it.
const plain: fc.Arbitrary<unknown> = fc
  .jsonValue({ maxDepth: 3 })
  .map(value => JSON.parse(JSON.stringify(value)) as unknown);
const objects = fc.dictionary(fc.string(), plain, { maxKeys: 5, noNullPrototype: true });
const without = (value: object, key: string): unknown =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));

test('sets and removes as on a plain value, in every layout', () => {
  const layouts = fc.constantFrom<(value: unknown) => string>(
    value => JSON.stringify(value),
    value => JSON.stringify(value, null, 4),
    value => `// top\r\n${JSON.stringify(value, null, '\t').replaceAll('\n', ' // note\r\n')}`,
    value => printJson(value, { newline: '\n', indent: '  ' }),
    value => printJson(value, { newline: '\n', indent: '  ', isJson5: true }),
  );
  fc.assert(
    fc.property(objects, fc.string(), plain, layouts, (value, key, next, layout) => {
      const text = layout(value);
      const changed = set(text, [key], next);
      assert.deepEqual(jsonValue(document(changed).root), { ...value, ...Object.fromEntries([[key, next]]) });
      assert.deepEqual(jsonValue(document(remove(changed, [key])).root), without(value, key));
      for (const own of Object.keys(value))
        assert.deepEqual(jsonValue(document(remove(text, [own])).root), without(value, own));
    }),
  );
});

test('removes every member of a key that is given several times, and nothing else', () => {
  assert.equal(remove('{\n  "a": 1, // one\n  "b": 2,\n  "a": 3,\n  "a": 4\n}', ['a']), '{\n  "b": 2\n}');
  assert.equal(remove('{"b": 2, "a": 1, "a": 3, "a": 4}', ['a']), '{"b": 2}');
  const members = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), plain), { minLength: 1, maxLength: 8 });
  const separators = fc.constantFrom(',', ', ', ',\n\t', ' // note\r\n, ', ', /* note */ ', '\n');
  fc.assert(
    fc.property(members, separators, fc.constantFrom('', ','), (list, separator, end) => {
      const printed = list.map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
      const text = `{\n\t${printed.join(separator)}${end}\n}`;
      const before = document(text);
      const after = document(remove(text, ['a']));
      const others = list.filter(([key]) => key !== 'a');
      assert.deepEqual(
        after.root.kind === 'object' && after.root.members.map(({ key, value }) => [key, jsonValue(value)]),
        others,
      );
      assert.ok(after.warnings.length <= before.warnings.length, after.text);
      // A comma that was not at the end of the object is not there afterwards, because plain JSON has none there.
      if (end === '' && others.length > 0 && separator !== '\n')
        assert.deepEqual(JSON.parse(after.text.replaceAll(/\/\/ note\r\n|\/\* note \*\//g, '')), jsonValue(after.root));
    }),
  );
});

test('prints numbers that JSON.stringify cannot', () => {
  const style = { newline: '\n', indent: '  ' };
  assert.equal(printJson([-0, 0.1, Infinity, -Infinity, NaN], style), '[-0, 0.1, Infinity, -Infinity, NaN]');
});
