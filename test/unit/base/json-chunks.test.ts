import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonChunks } from '../../../src/base/json-chunks.ts';

const written = (value: unknown): string => Buffer.concat(Array.from(jsonChunks(value))).toString();

test('writes plain data that reads as the same value', () => {
  const data = fc.letrec(tie => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      fc.constant(undefined),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(fc.string(), tie('tree'), { maxKeys: 5 }),
    ),
  })).tree;
  fc.assert(
    fc.property(data, value => {
      const atOnce: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
      assert.deepEqual(JSON.parse(written(value)), atOnce);
    }),
  );
});

test('writes a map as an object', () => {
  const map = new Map([
    ['__proto__', { a: 1 }],
    ['1', { a: 2 }],
  ]);
  assert.deepEqual(
    JSON.parse(written({ map, deep: [[[{ map }]]] })),
    JSON.parse('{"map":{"__proto__":{"a":1},"1":{"a":2}},"deep":[[[{"map":{"__proto__":{"a":1},"1":{"a":2}}}]]]}'),
  );
});

test('creates each piece of large data on demand', () => {
  let made = 0;
  const item = (id: number) => ({
    id,
    get text() {
      made += 1;
      return 'x'.repeat(1_000);
    },
  });
  const items = Array.from({ length: 1_000 }, (_, id) => item(id));
  const pieces = jsonChunks({ record: { items } });
  pieces.next();
  assert.ok(made < 100, `${made} of 1,000 items for the first piece`);
  assert.ok(Array.from(pieces).length >= 10);
  assert.equal(made, 1_000);
});

test('divides a large value at any depth', () => {
  type Nested = { readonly name: string; readonly children: readonly Nested[] };
  const nested = (levels: number): Nested => ({
    name: 'x'.repeat(50),
    children: levels === 0 ? [] : Array.from({ length: 10 }, () => nested(levels - 1)),
  });
  const record = { items: [{ studio: nested(4) }] };
  const pieces = Array.from(jsonChunks(record));
  assert.ok(pieces.length >= 10, `${pieces.length} pieces`);
  assert.ok(pieces.every(piece => piece.length < 150_000));
  assert.deepEqual(JSON.parse(Buffer.concat(pieces).toString()), record);
});

test('divides a long text without breaking a character', () => {
  for (const before of ['', 'x'])
    for (const text of ['\u{1F600}', '\uD83D', '\uDE00', '"\n', '\u2028']) {
      const value = { items: [{ source: before + text.repeat(200_000), name: text }] };
      const pieces = Array.from(jsonChunks(value));
      assert.ok(pieces.length > 2 && pieces.every(piece => piece.length < 600_000));
      assert.equal(Buffer.concat(pieces).toString().replaceAll(/\s/g, ''), JSON.stringify(value).replaceAll(/\s/g, ''));
    }
});
