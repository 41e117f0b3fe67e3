import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utf8Length } from '../../../src/base/utf8-length.ts';

test('counts the bytes that an encoder writes', () => {
  for (const text of [
    '',
    'a',
    'é',
    '語',
    '😀',
    'a😀é語b',
    '\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}',
    '\ud83d',
    '\ude00x',
  ])
    assert.equal(utf8Length(text), Buffer.byteLength(text), JSON.stringify(text));
});
