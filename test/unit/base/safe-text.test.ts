import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  safeDetail,
  safeLabel,
  safeLine,
  safeLines,
  safeMarkdown,
  safeMessage,
  safeTerminal,
} from '../../../src/base/safe-text.ts';

// The syntax that VS Code renders in notifications, and icons in labels.
const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const icon = /\$\([a-z0-9-]+(?:~[a-z0-9-]+)?\)/i;
const acting = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

const hostile = fc
  .array(
    fc.constantFrom(
      '[',
      ']',
      '](',
      '(',
      ')',
      '[a](command:x)',
      '[b](https://x.y "t")',
      '$(',
      '$(sync~spin)',
      '\u001b[31m',
      '\u009b2J',
      '\u202e',
      '\u2066',
      '\n',
      '\r',
      '\t',
      '\u0000',
      '\u2028',
      'Part',
      '`',
      '<b>',
      '$',
      '\u2060',
    ),
    { maxLength: 12 },
  )
  .map(parts => parts.join(''));

test('removes links, icons, controls and reordering from text from outside', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), text => {
      for (const safe of [safeLines, safeLine, safeMessage, safeDetail, safeLabel]) {
        const shown = safe(text);
        assert.doesNotMatch(shown, acting);
        assert.equal(safe(shown), shown, 'a second call changes nothing');
      }
      for (const safe of [safeLine, safeMessage, safeLabel]) assert.doesNotMatch(safe(text), /[\n\t]/);
      for (const safe of [safeMessage, safeDetail, safeLabel]) assert.doesNotMatch(safe(text), link);
      assert.doesNotMatch(safeLabel(text), icon);
    }),
  );
});

test('writes no escape sequences to a terminal, and keeps the meaning of JSON', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), text => {
      assert.doesNotMatch(safeTerminal(text), acting);
      assert.equal(JSON.parse(safeTerminal(JSON.stringify(text))), text);
    }),
  );
  assert.equal(safeTerminal('red: \u001b[31m\n\u009b2J'), 'red: \\u001b[31m\n\\u009b2J');
});

test('writes text without formatting into Markdown', () => {
  assert.equal(safeMarkdown('a [b](command:c) *d* `e` $(f)'), 'a \\[b\\]\\(command:c\\) \\*d\\* \\`e\\` \\$\\(f\\)');
  assert.equal(safeMarkdown('one\ntwo'), 'one  \ntwo');
});

test('keeps ordinary text unchanged', () => {
  for (const text of [
    'Part',
    'src/init [old].luau (2)',
    'Größe, 位置, مرحبا',
    '👩‍👩‍👧 family',
    'costs 5 $',
    'array[0](x)'.slice(0, 8),
  ])
    for (const safe of [safeLines, safeLine, safeMessage, safeDetail, safeLabel]) assert.equal(safe(text), text);
});
