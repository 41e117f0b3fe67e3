import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodePausable, TextPieces } from '../../../src/base/text-pieces.ts';
import { runToEnd } from '../../../src/base/time-slice.ts';

test('encodes like TextEncoder, wherever a surrogate pair or half of one is', () => {
  for (const before of [0, 1, 65_534, 65_535, 65_536, 131_071])
    for (const inside of ['', '😀', '\uD83D', '\uDE00', '\uD83D😀', 'ä'.repeat(70_000)]) {
      const text = `${'x'.repeat(before)}${inside}end`;
      assert.deepEqual(runToEnd(encodePausable(text)), new TextEncoder().encode(text), `${before}`);
    }
  assert.equal(runToEnd(encodePausable('')).length, 0);
});

test('pauses after each 64 KB while a text is encoded', () => {
  const work = encodePausable('x'.repeat(1_000_000));
  let pauses = 0;
  while (work.next().done !== true) pauses += 1;
  assert.equal(pauses, Math.ceil(1_000_000 / 65_536));
});

test('keeps the order of all parts of a long text', () => {
  const pieces = new TextPieces();
  const parts = Array.from({ length: 50_000 }, (_, index) => `${index},`);
  for (const part of parts) pieces.add(part, '\n');
  assert.equal(pieces.text(), parts.map(part => `${part}\n`).join(''));
  assert.equal(pieces.text(), pieces.text());
});

test('joins the parts of a long text as they come, at most 64 KB at a time', () => {
  const pieces = new TextPieces();
  const longest = longestJoin(() => {
    for (let index = 0; index < 200_000; index += 1) pieces.add('0123456789', '\n');
    assert.equal(pieces.text().length, 2_200_000);
  });
  assert.ok(longest <= 65_536 / 6, `${longest} parts were joined at once`);
});

/** The largest number of parts that `work` joins in one step. */
function longestJoin(work: () => void): number {
  let longest = 0;
  const { join } = Array.prototype;
  const watched = function (this: unknown[], separator?: string): string {
    longest = Math.max(longest, this.length);
    return join.call(this, separator);
  };
  Object.defineProperty(Array.prototype, 'join', { value: watched, configurable: true, writable: true });
  try {
    work();
  } finally {
    Object.defineProperty(Array.prototype, 'join', { value: join, configurable: true, writable: true });
  }
  return longest;
}
