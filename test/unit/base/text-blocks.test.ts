import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextBlocks } from '../../../src/base/text-blocks.ts';

/** Short texts, and texts longer than a block. */
const texts = fc.array(
  fc
    .record({ text: fc.string({ unit: 'grapheme' }), times: fc.constantFrom(1, 1, 1, 50, 5_000) })
    .map(({ text, times }) => text.repeat(times)),
  { maxLength: 60 },
);

test('returns every text as it was stored, whatever is stored after it', () => {
  fc.assert(
    fc.property(texts, all => {
      const blocks = new TextBlocks();
      const kept = all.map(text => blocks.store(text));
      assert.deepEqual(
        kept.map(each => each.text()),
        all,
      );
    }),
  );
});

test('keeps a byte-order mark at the beginning of a text', () => {
  assert.equal(new TextBlocks().store('\uFEFFreturn 1').text(), '\uFEFFreturn 1');
});
