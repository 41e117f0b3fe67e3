import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { safeName } from '../../../src/base/safe-text.ts';

test('removes links, formatting, line breaks, controls and reordered text', () => {
  for (const [text, shown] of [
    ['Baseplate', 'Baseplate'],
    ['Füße 東京 🎣', 'Füße 東京 🎣'],
    ['[Open](command:workbench.action.quit)', 'Open command:workbench.action.quit'],
    ['a\r\nb\tc\u001b[31md', 'a b c 31md'],
    ['safe\u202ecod.exe', 'safe cod.exe'],
    ['`x` *y* _z_ <b>', 'x y z b'],
    ['', ''],
  ] as const)
    assert.equal(safeName(text), shown);
  assert.equal(safeName('x'.repeat(200)), `${'x'.repeat(80)}…`);
});

test('never returns a character with a meaning, whatever the text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
      const shown = safeName(text);
      assert.doesNotMatch(shown, /[[\]()<>`*_\\$\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      assert.ok(Array.from(shown).length <= 81);
      assert.equal(safeName(shown), shown);
    }),
  );
});
