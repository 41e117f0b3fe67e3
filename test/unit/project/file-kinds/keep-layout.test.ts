import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sourceOf } from '../../../../src/project/file-kinds/scripts.ts';
import { withSource } from '../../../../src/project/file-kinds/keep-layout.ts';

const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', '', '\uFEFF', 'x\r'), fc.constantFrom('\n', '\r\n')), {
  maxLength: 8,
});
const texts = fc
  .tuple(fc.boolean(), lines, fc.constantFrom('', 'end'))
  .map(([mark, list, end]) => (mark ? '\uFEFF' : '') + list.map(line => line.join('')).join('') + end);

test('any file reads back as the Source that was written', () => {
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      const source = sourceOf(other);
      // A Source that starts with a byte-order mark cannot be distinguished from a file with one.
      fc.pre(!source.startsWith('\uFEFF') && !/\r\n/.test(source));
      const written = withSource(text, source);
      assert.equal(sourceOf(written), source);
      assert.equal(written.startsWith('\uFEFF'), text.startsWith('\uFEFF'));
    }),
  );
});

test('changes no byte when the Source is the same', () => {
  fc.assert(
    fc.property(texts, text => {
      const source = sourceOf(text);
      fc.pre(!source.startsWith('\uFEFF') && !/\r\n/.test(source));
      assert.equal(withSource(text, source), text);
    }),
  );
});

test('keeps the ends of unchanged lines and uses the common end for new lines', () => {
  assert.equal(withSource('a\r\nb\nc\r\n', 'a\nb\nx\nc\n'), 'a\r\nb\nx\r\nc\r\n');
  assert.equal(withSource('a\r\nb', 'a\nb\n'), 'a\r\nb\r\n');
  assert.equal(withSource('', 'a\nb\n'), 'a\nb\n');
  assert.equal(withSource('a\n', ''), '');
});
