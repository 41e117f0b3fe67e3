import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatJson5 } from '../../../src/cli/format-json5.ts';
import { exactJsonValue, parseJsonDocument } from '../../../src/roblox/formats/json5-document.ts';

const laidOut = (text: string): string => {
  const result = formatJson5(text);
  assert.ok(result.ok, result.ok ? '' : `expected ${result.error.expected}`);
  return result.value;
};
const valueOf = (text: string): unknown => {
  const read = parseJsonDocument(text);
  assert.ok(read.ok, text);
  return exactJsonValue(read.value.root);
};

test('puts each member of JSON5 on its own line, with names, strings and numbers as they are', () => {
  const messy = `{ // the game
  name: 'a {b: "c"}', tree: { $className: 'DataModel', Shared: { $path: 'src' },
  "Extra": {$properties: {Size: [+1, .5, 0x1F, Infinity]}}, }, }`;
  assert.equal(
    laidOut(messy),
    `{ // the game
  name: 'a {b: "c"}',
  tree: {
    $className: 'DataModel',
    Shared: {
      $path: 'src'
    },
    "Extra": {
      $properties: {
        Size: [
          +1,
          .5,
          0x1F,
          Infinity
        ]
      }
    },
  },
}
`,
  );
});

const blank = fc.constantFrom('', ' ', '\n', '\t', ' // {note\n', '/* [it\'s "so" */', '\r\n');
const word = fc.constantFrom(
  `'it"s'`,
  `"it's"`,
  String.raw`'a\'b'`,
  String.raw`"a\"b"`,
  `'// no {'`,
  `"/* no */"`,
  "'a\\\nb'",
);
const name = fc.oneof(word, fc.constantFrom('$path', 'plain', '_x1'));
const scalar = fc.oneof(word, fc.constantFrom('1', '-2.5', '+.5', '0xff', 'NaN', 'true', 'null', '1e3'));
const { document } = fc.letrec<{ readonly document: string }>(tie => ({
  document: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc
      .tuple(fc.array(fc.tuple(blank, tie('document'), blank), { maxLength: 3 }), fc.boolean())
      .map(
        ([items, comma]) => `[${items.map(parts => parts.join('')).join(',')}${comma && items.length > 0 ? ',' : ''}]`,
      ),
    fc
      .tuple(fc.array(fc.tuple(blank, name, blank, blank, tie('document'), blank), { maxLength: 3 }), fc.boolean())
      .map(([items, comma]) => {
        const members = items.map(
          ([a, key, b, c, value, d], at) => `${a}'${at}'${b}:${c}[${key === 'plain' ? '1' : value}]${d}`,
        );
        return `{${members.join(',')}${comma && items.length > 0 ? ',' : ''}}`;
      }),
  ),
}));

test('changes neither the value nor anything but white space, and nothing when run again', () => {
  fc.assert(
    fc.property(document, blank, (text, first) => {
      const whole = `${first}${text}\n`;
      const once = laidOut(whole);
      assert.deepEqual(valueOf(once), valueOf(whole));
      assert.equal(once.replaceAll(/\s/g, ''), whole.replaceAll(/\s/g, ''));
      assert.equal(laidOut(once), once);
    }),
    { numRuns: 500 },
  );
});
