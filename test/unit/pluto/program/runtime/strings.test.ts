import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromByteText, toByteText } from '../../../../../src/pluto/program/runtime/values/byte-text.ts';
import { stringMethods as str } from '../../../../../src/pluto/program/runtime/values/strings.ts';

test('converts text to bytes and back', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => assert.equal(fromByteText(toByteText(text)), text)));
});

test('measures lengths and positions in bytes, and allows half a character as a string', () => {
  const text = toByteText('né');
  assert.equal(str.len(text), 3);
  assert.equal(str.byte_at(text, 1), 0xc3);
  assert.equal(str.char_at(text, 1) + str.char_at(text, 2), toByteText('é'));
  assert.throws(() => str.char_at(text, 3), /pluto: string index out of bounds: index 3, length 3/);
  assert.throws(() => str.byte_at(text, -1), /pluto: string byte_at index out of bounds: index -1, length 3/);
});

test('changes case and trims in ASCII only', () => {
  assert.equal(str.to_upper(toByteText('aé')), toByteText('Aé'));
  assert.equal(str.to_lower('AbC'), 'abc');
  assert.equal(str.trim(' \t\r\n a \u00a0 '), 'a \u00a0');
  assert.ok(str.is_whitespace('') && str.is_whitespace(' \n') && !str.is_whitespace('x'));
});

test('finds an empty string everywhere and counts it nowhere', () => {
  assert.deepEqual(
    [str.contains('ab', ''), str.index_of('ab', ''), str.last_index_of('ab', ''), str.count('ab', '')],
    [true, 0, 2, 0],
  );
  assert.deepEqual([str.count('aaaa', 'aa'), str.index_of('ab', 'c'), str.replace('aXbX', 'X', '')], [2, -1, 'ab']);
  assert.equal(str.replace('ab', '', 'x'), 'ab');
  assert.deepEqual(str.split(',a,', ',').items, ['', 'a', '']);
  assert.deepEqual(str.split('', ',').items, ['']);
  assert.deepEqual(str.split('abc', '').items, ['a', 'b', 'c']);
});

test('clamps substrings to the string', () => {
  assert.deepEqual(
    [str.substring('hello', 1, 3), str.substring('hello', -2, 2), str.substring('hello', 3, 99)],
    ['ell', 'he', 'lo'],
  );
  assert.deepEqual([str.substring('hello', 9, 1), str.substring('hello', 1, -1)], ['', '']);
  assert.deepEqual([str.repeat('ab', 2), str.repeat('ab', 0), str.repeat('ab', -1)], ['abab', '', '']);
  assert.throws(() => str.repeat('ab', 2 ** 60), /pluto: string is too long/);
});
