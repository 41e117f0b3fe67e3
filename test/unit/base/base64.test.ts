import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../../../src/base/base64.ts';

test('encodes like the standard', () => {
  fc.assert(
    fc.property(fc.uint8Array(), bytes => assert.equal(encodeBase64(bytes), Buffer.from(bytes).toString('base64'))),
  );
});

test('decodes encoded bytes, with and without padding and with white space', () => {
  fc.assert(
    fc.property(fc.uint8Array(), bytes => {
      const text = encodeBase64(bytes);
      assert.deepEqual(Array.from(decodeBase64(text) ?? [-1]), Array.from(bytes));
      assert.deepEqual(Array.from(decodeBase64(text.replaceAll('=', '')) ?? [-1]), Array.from(bytes));
      assert.deepEqual(Array.from(decodeBase64(text.replaceAll(/.{4}/g, '$&\n\t ')) ?? [-1]), Array.from(bytes));
    }),
  );
});

for (const [text, why] of [
  ['QQ*=', 'a foreign character'],
  ['Q', 'a single character'],
  ['QQ==QQ==', 'text after the padding'],
  ['QQ===', 'too much padding'],
  ['QQé=', 'a character outside ASCII'],
] as const)
  test(`${why} is not base64`, () => assert.equal(decodeBase64(text), undefined));
