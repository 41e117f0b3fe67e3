import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonSchema } from '../../../../src/roblox/formats/json-schema.ts';
import { completeJson5 } from '../../../../src/roblox/formats/schema-completion.ts';

const load = (name: string): JsonSchema =>
  JSON.parse(readFileSync(new URL(`../../../../media/schemas/${name}`, import.meta.url), 'utf8')) as JsonSchema;
const schemas = new Map(
  ['project', 'model', 'meta', 'values'].map(name => [`${name}.schema.json`, load(`${name}.schema.json`)]),
);

/** `|` is the cursor. */
function complete(kind: string, text: string) {
  const offset = text.indexOf('|');
  const found = completeJson5(text.replace('|', ''), offset, load(`${kind}.schema.json`), name => schemas.get(name));
  return { labels: found.map(({ label }) => label), found };
}

// Completions that are offered, and ones that are not.
const table: readonly (readonly [kind: string, text: string, offered: readonly string[], not: readonly string[]])[] = [
  ['project', '{|', ['name', 'tree', 'syncRules'], ['$className']],
  ['project', '{name: "x", |', ['tree'], ['name']],
  ['project', "{'tree': {|", ['$className', '$path'], ['syncRules']],
  ['project', '{tree: {Workspace: {$cl|', ['$className'], ['tree']],
  ['project', '{tree: {$className: "Fo|"', ['Folder', 'Workspace'], ['$path']],
  ['project', '{tree: {A: {}, $ignoreUnknownInstances: |', ['true', 'false'], []],
  ['project', '{syncRules: [{pattern: "*", use: |', ['csv', 'text'], []],
  ['project', '{syncRules: [{}, {|', ['pattern', 'suffix'], ['use_']],
  ['project', '{ // name: |', [], ['tree']],
  ['project', '{ /* | */', [], ['tree']],
  ['project', '{ // a comment\n |', ['tree'], []],
  ['project', '{tree: {$properties: {Material: "|', ['Plastic', 'Neon'], []],
  ['project', '|', [], ['tree']],
  ['model', '{className: "Part", properties: {Anch|', ['Anchored'], []],
  ['model', '{className: "Model", children: [{className: "|', ['Part'], []],
  ['meta', '{\n  ignore|\n}', ['ignoreUnknownInstances'], []],
];
for (const [kind, text, offered, not] of table)
  test(`${kind}: ${JSON.stringify(text)} offers ${offered.join(', ') || 'nothing'}`, () => {
    const { labels } = complete(kind, text);
    for (const label of offered) assert.ok(labels.includes(label), label);
    for (const label of not) assert.ok(!labels.includes(label), label);
    if (offered.length === 0) assert.deepEqual(labels, []);
  });

test('inserts completions as JSON5, and replaces what was typed', () => {
  const key = complete('project', '{tree: {$cl|').found.find(({ label }) => label === '$className');
  assert.deepEqual(key, { label: '$className', kind: 'key', text: '$className', start: 8, end: 11 });
  const value = complete('project', '{tree: {$className: "Fo|x"}}').found.find(({ label }) => label === 'Folder');
  assert.deepEqual(value, { label: 'Folder', kind: 'value', text: '"Folder"', start: 20, end: 25 });
});

test('returns completions for any text at any position', () => {
  const schema = load('project.schema.json');
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    "'",
    'tree',
    '$className',
    ' ',
    '\n',
    '//',
    '/*',
    '*/',
    '/',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), fc.nat(60), (words, at) => {
      const text = words.join('');
      completeJson5(text, Math.min(at, text.length), schema, name => schemas.get(name));
    }),
  );
});
