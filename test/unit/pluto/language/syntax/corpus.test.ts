import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { printModule } from '../../../../../src/pluto/language/print/print-declaration.ts';
import { LineMap } from '../../../../../src/pluto/language/syntax/line-map.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { syntaxCodes } from '../../../../../src/pluto/language/syntax/syntax-codes.ts';
import { shapeOf } from '../same-tree.ts';

const folder = new URL('../../../../fixtures/pluto/', import.meta.url);
const programs = (kind: string): readonly { readonly name: string; readonly text: string }[] =>
  readdirSync(new URL(`${kind}/`, folder))
    .filter(name => name.endsWith('.pt'))
    .map(name => ({ name, text: readFileSync(new URL(`${kind}/${name}`, folder), 'utf8') }));
const accepted = programs('accepted');
const rejected = programs('rejected');

/** `code` or `code@line:column`, in the order of the text. */
const expectationsOf = (text: string): readonly string[] =>
  (/^\/\/ expect: (.*)$/m.exec(text)?.[1] ?? '').split(' ').filter(word => word !== '');

for (const { name, text } of accepted)
  test(`accepted: ${name} parses, prints, and reads back as itself`, () => {
    const parsed = parseModule(text);
    assert.deepEqual(parsed.diagnostics, []);
    const printed = printModule(parsed);
    const again = parseModule(printed);
    assert.deepEqual(again.diagnostics, [], printed);
    assert.deepEqual(shapeOf(again.tree.items), shapeOf(parsed.tree.items), printed);
    assert.equal(again.comments.length, parsed.comments.length, printed);
    assert.equal(printModule(again), printed);
  });

for (const { name, text } of rejected)
  test(`rejected: ${name}`, () => {
    const lines = new LineMap(text);
    const expected = expectationsOf(text);
    const found = parseModule(text).diagnostics.map(({ code, span, message }, index) => {
      const { line, column } = lines.position(span.start);
      assert.ok(message.length > 10);
      return expected[index]?.includes('@') === true ? `${code}@${line}:${column}` : code;
    });
    assert.deepEqual(found, expected);
  });

test('covers every finding of the parser', () => {
  const seen = new Set<string>(rejected.flatMap(({ text }) => parseModule(text).diagnostics.map(({ code }) => code)));
  // These two need very long texts, which `parse-any-text.slow.test.ts` generates.
  for (const code of ['nested-too-deeply', 'too-many-errors']) seen.add(code);
  assert.deepEqual(
    Object.keys(syntaxCodes).filter(code => !seen.has(code)),
    [],
  );
});

test('covers every node kind with accepted programs', () => {
  const seen = new Set<unknown>();
  JSON.stringify(
    accepted.map(({ text }) => parseModule(text).tree),
    (key, value: unknown) => {
      if (key === 'kind') seen.add(value);
      return value;
    },
  );
  const source = ['decl', 'type', 'code']
    .map(file =>
      readFileSync(new URL(`../../../../../src/pluto/language/syntax/ast/${file}.ts`, import.meta.url), 'utf8'),
    )
    .join('\n');
  const kinds = Array.from(source.matchAll(/NodeOf<'(\w+)'>/g), ([, kind]) => kind);
  assert.ok(kinds.length > 60);
  assert.deepEqual(
    kinds.filter(kind => kind?.startsWith('Broken') !== true && !seen.has(kind)),
    [],
  );
});
