import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runToEnd } from '../../../../src/base/time-slice.ts';
import { type JsonDocument, jsonValue, parseJsonDocument } from '../../../../src/roblox/formats/json5-document.ts';
import { JsonChanges, type JsonPath, setInValue } from '../../../../src/roblox/formats/json5-edit.ts';
import { printJson } from '../../../../src/roblox/formats/json5-print.ts';

function document(text: string): JsonDocument {
  const parsed = parseJsonDocument(text);
  assert.ok(parsed.ok, `does not parse: ${text}`);
  return parsed.value;
}
function changed(text: string, change: (changes: JsonChanges) => unknown): string {
  const changes = new JsonChanges(document(text));
  assert.ok(change(changes));
  return runToEnd(changes.print());
}
const set = (text: string, path: JsonPath, value: unknown): string => changed(text, all => all.set(path, value));
const remove = (text: string, path: JsonPath): string => set(text, path, undefined);

test('reverts a change of a member with the name of the prototype', () => {
  const text = '{"__proto__":{"a":1}}';
  const value: unknown = JSON.parse(text);
  setInValue(value, ['__proto__'], undefined)?.();
  assert.equal(JSON.stringify(value), text);
  setInValue(value, ['__proto__'], 2)?.();
  assert.equal(JSON.stringify(value), text);
});

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
  const changes = new JsonChanges(document('{"a": 1, "b": []}'));
  assert.equal(changes.set(['a', 'b'], 2), undefined);
  assert.equal(changes.set(['b', 0], 2), undefined);
  assert.equal(changes.append(['a'], 2), undefined);
  assert.equal(runToEnd(changes.print()), '{"a": 1, "b": []}');
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

test('keeps a comma when the element before the removed one has none', () => {
  assert.equal(remove('[1 2,3]', [1]), '[1,3]');
  assert.equal(remove('{a: [.5,Infinity .5,Infinity,]}', ['a', 2]), '{a: [.5,Infinity,Infinity,]}');
  assert.equal(remove('[1 2 3]', [1]), '[1 3]');
});

test('adds elements to several arrays at once as one after another', () => {
  const layouts = [
    '[]',
    '[\n  // none\n]',
    '[{"c": []}, {}]',
    '[\n    {"c": [\n      {}, // first\n    ]},\n    {}\n  ]',
  ];
  for (const layout of layouts)
    for (const end of ['', ',', ' // end\n']) {
      const text = `{\n  "c": ${layout}${end}\n}\n`;
      const paths: JsonPath[] = [['c'], ['c', 0, 'c'], ['c', 1, 'c'], ['d']];
      const known = new JsonChanges(document(text));
      const found = paths.filter(path => path.length === 1 || known.get(path.slice(0, -1)) !== undefined);
      const additions = found.flatMap(path => [{ n: 1 }, { n: 2, c: [{}] }, { n: 3 }].map(value => ({ path, value })));
      const together = changed(text, all => additions.every(({ path, value }) => all.append(path, value)));
      const sequential = additions.reduce(
        (before, { path, value }) => changed(before, all => all.append(path, value)),
        text,
      );
      assert.deepEqual(jsonValue(document(together).root), jsonValue(document(sequential).root), text);
    }
});

test('removes several items at once with the commas that they need', () => {
  const without = (text: string, ...indexes: readonly number[]): string =>
    changed(text, all => indexes.every(index => all.set([index], undefined)));
  assert.equal(without('[1, 2, 3]', 0, 1), '[3]');
  assert.equal(without('[1, 2, 3]', 2, 1), '[1]');
  assert.equal(without('[1, 2, 3]', 0, 2), '[2]');
  assert.equal(without('[1, 2, 3]', 0, 1, 2), '[]');
  assert.equal(without('[1, 2, 3,]', 1, 2), '[1,]');
  assert.equal(without('[1 2, 3 4, 5]', 1, 2, 4), '[1, 4]');
  assert.equal(without('[\n  1, // one\n  2, // two\n  3 // three\n]', 1, 2), '[\n  1 // one\n]');
  assert.equal(without('[\n  // all\n  1,\n  2\n]', 0, 1), '[\n  // all\n]');
});

const GONE = Symbol('gone');
type Operation = { readonly path: JsonPath; readonly value: unknown; readonly kind: 'set' | 'append' };
const keys = ['a', 'b', 'c'];
const small: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constantFrom(1, 'x', null), tie('object'), tie('array')),
  object: fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  array: fc.array(tie('value'), { maxLength: 3 }),
})).object;
const operations: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.record({
    path: fc.array(fc.oneof(fc.constantFrom(...keys), fc.nat(3)), { minLength: 1, maxLength: 4 }),
    value: fc.oneof(fc.constant(undefined), small),
    kind: fc.constantFrom('set', 'append'),
  }),
  { maxLength: 8 },
);

/**
 * Applies an operation to a plain value, in which removed elements keep their place. @returns whether it is possible
 *
 * @param arrays the arrays of the text as it was read: only they lose elements
 */
function applyTo(root: unknown, { path, value, kind }: Operation, arrays: ReadonlySet<unknown>): boolean {
  const isRemoval = kind === 'set' && value === undefined;
  let holder: unknown = root;
  for (const [depth, step] of path.entries()) {
    const isFitting =
      typeof holder === 'object' && holder !== null && Array.isArray(holder) === (typeof step === 'number');
    const before: unknown = isFitting ? Reflect.get(Object(holder), step) : undefined;
    const isIn = before !== undefined && before !== GONE;
    if (!isIn && isRemoval) return true;
    if (!isFitting || (!isIn && Array.isArray(holder))) return false;
    const isLast = depth === path.length - 1;
    if (isLast && isIn && kind === 'append') return Array.isArray(before) && before.push(value) > 0;
    if (isLast && isRemoval) {
      if (!Array.isArray(holder)) return Reflect.deleteProperty(Object(holder), step);
      return arrays.has(holder) && Reflect.set(holder, step, GONE);
    }
    if (isLast || !isIn) {
      const rest = path.slice(depth + 1);
      if (rest.some(each => typeof each === 'number')) return false;
      const inner = kind === 'append' ? [value] : value;
      const made = rest.reduceRight<unknown>((below, key) => ({ [key]: below }), inner);
      return Reflect.set(Object(holder), step, made);
    }
    holder = before;
  }
  return false;
}

const arraysIn = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null
    ? [...(Array.isArray(value) ? [value] : []), ...Object.values(value).flatMap(arraysIn)]
    : [];

const compact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.filter(item => item !== GONE).map(compact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, compact(item)]));
};

test('applies any changes together as on a plain value, and takes them back', () => {
  const layouts = fc.constantFrom<(value: unknown) => string>(
    value => JSON.stringify(value),
    value => JSON.stringify(value, null, 2),
    value => printJson(value, { newline: '\n', indent: '  ', isJson5: true }),
  );
  fc.assert(
    fc.property(small, operations, layouts, (value, list, layout) => {
      const text = layout(value);
      const changes = new JsonChanges(document(text));
      const model = structuredClone(value);
      const arrays = new Set(arraysIn(model));
      const undo: (() => void)[] = [];
      for (const operation of list) {
        const { path, kind } = operation;
        const own = structuredClone(operation.value);
        const element = own === undefined ? null : own;
        const done = kind === 'set' ? changes.set(path, own) : changes.append(path, element)?.undo;
        assert.equal(
          done !== undefined,
          applyTo(model, { path, kind, value: structuredClone(kind === 'set' ? own : element) }, arrays),
          JSON.stringify(operation),
        );
        if (done) undo.push(done);
      }
      const expected = compact(model);
      assert.deepEqual(changes.get([]), expected);
      assert.deepEqual(jsonValue(document(runToEnd(changes.print())).root), expected);
      for (const step of undo.toReversed()) step();
      assert.equal(runToEnd(changes.print()), text);
    }),
    { numRuns: 500 },
  );
});
