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

interface Line {
  readonly text: string;
  readonly end: string;
}

/** The same result from lists of lines, which is easier to read and takes far more memory. */
function byLines(text: string, source: string): string {
  const linesOf = (all: string): readonly Line[] =>
    Array.from(all.matchAll(/(.*?)(\r?\n|$)/gsy), ([, line = '', end = '']) => ({ text: line, end })).filter(
      line => line.text + line.end !== '',
    );
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const before = linesOf(text.slice(mark.length));
  const after = linesOf(source);
  const isSame = (a?: Line, b?: Line): boolean =>
    a !== undefined && b !== undefined && a.text === b.text && (a.end === '') === (b.end === '');
  let head = 0;
  while (isSame(before[head], after[head])) head += 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const ended = before.filter(line => line.end !== '');
  const common = ended.filter(line => line.end === '\r\n').length * 2 > ended.length ? '\r\n' : '\n';
  const kept = (index: number): Line | undefined => {
    if (index < head) return before[index];
    return index >= after.length - tail ? before[before.length - after.length + index] : undefined;
  };
  return mark + after.map((line, index) => line.text + (kept(index)?.end ?? (line.end === '' ? '' : common))).join('');
}

test('changes the same lines as an implementation with lists of lines', () => {
  fc.assert(
    fc.property(texts, texts, (text, source) => assert.equal(withSource(text, source), byLines(text, source))),
    { numRuns: 3_000 },
  );
});
