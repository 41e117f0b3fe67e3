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
