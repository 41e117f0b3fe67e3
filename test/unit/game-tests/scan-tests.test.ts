import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ScannedTest, scanTests } from '../../../src/game-tests/scan-tests.ts';
import { assertLinearTime } from '../../harness/linear-time.ts';

const outline = (tests: readonly ScannedTest[]): unknown =>
  tests.map(({ name, line, children }) =>
    children.length === 0 ? `${line} ${name}` : [`${line} ${name}`, outline(children)],
  );

test('finds blocks and tests with their lines, outside of comments and strings', () => {
  const source = `-- describe("comment", function()
--[==[ it("long comment") ]] ]==]
return function()
  local text = [[ it("long string") ]] .. "it(\\"quoted\\")" .. \`it("template")\`
  describe("outer", function()
    beforeEach(function() other.it("member") object:it("method") end)
    it("first (1)", function() expect((1 + 1)).to.equal(2) end)
    describeSKIP('inner', function()
      itFIXME("say \\"hi\\"", function() end)
    end)
    it("last", function() end)
  end)
  it(dynamic, function() end)
  fit(
    "alone", function() end)
end
`;
  assert.deepEqual(outline(scanTests(source)), [
    ['5 outer', ['7 first (1)', ['8 inner', ['9 say "hi"']], '11 last']],
    '14 alone',
  ]);
});

test('reads any text, also while it is edited', () => {
  const piece = fc.constantFrom(
    'it',
    '(',
    ')',
    '"',
    "'",
    '`',
    '[',
    '=',
    ']',
    '--',
    '\n',
    '\\',
    'describe',
    ' ',
    'x',
    'end',
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const source = pieces.join('');
      const lines = source.split('\n').length;
      const check = (tests: readonly ScannedTest[]): void => {
        for (const { line, children } of tests) {
          assert.ok(line >= 1 && line <= lines);
          check(children);
        }
      };
      check(scanTests(source));
    }),
  );
});

test('reads in linear time what is never closed', () => {
  for (const text of ['it("a", ', 'describe(', '[=', '[=[', '--[[', '"', '(((it'])
    assertLinearTime(20_000, size => text.repeat(size), scanTests);
});
