import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isSchema, type JsonSchema } from '../../../../src/roblox/formats/json-schema.ts';
import { checkJson5 } from '../../../../src/roblox/formats/schema-check.ts';

const load = (kind: string): JsonSchema =>
  JSON.parse(
    readFileSync(new URL(`../../../../media/schemas/${kind}.schema.json`, import.meta.url), 'utf8'),
  ) as JsonSchema;
const kinds = ['project', 'meta', 'model'] as const;
type Kind = (typeof kinds)[number];
const schemas = new Map([...kinds, 'values'].map(kind => [`${kind}.schema.json`, load(kind)]));
const found = (kind: Kind, text: string) =>
  checkJson5(text, schemas.get(`${kind}.schema.json`) ?? {}, name => schemas.get(name));

// The findings, as `line:column+length severity: expected …`.
const table: readonly (readonly [kind: Kind, text: string, ...findings: readonly string[]])[] = [
  [
    'project',
    "{ // a comment\n  tree: { $className: 'DataModel', Workspace: { $properties: { Gravity: +50, }, }, },\n}",
  ],
  ['project', '{tree: {$path: {optional: "src"}, "": {}}, servePlaceIds: [1], serveAddress: "::1"}'],
  ['project', '{\n  name: 1,\n  tree: {},\n}', '2:9+1 warning: a string'],
  ['project', '{name: "x"}', '1:1+1 warning: a member "tree" in this object'],
  ['project', '{tree: {}, servePort: 70000}', '1:23+5 warning: a number from 0 to 65535'],
  ['project', '{tree: {}, servePort: 1.5}', '1:23+3 warning: a whole number'],
  ['project', '{tree: {A: {$path: 3}}}', '1:20+1 warning: a string or an object'],
  ['project', '{tree: {A: {$path: {}}}}', '1:20+1 warning: a member "optional" in this object'],
  [
    'project',
    '{tree: {}, fileLogLevel: "loud"}',
    '1:26+6 warning: one of "trace", "debug", "info", "warn", "error", "none"',
  ],
  ['project', '{tree: {$properties: {Anchored: "yes"}}}', '1:33+5 warning: true or false or an object'],
  ['project', '{tree: {$properties: {CFrame: [1, 2]}}}', '1:31+6 warning: an array of 12'],
  ['project', '{tree: {}, servePlaceIds: [-1]}', '1:28+2 warning: at least 0'],
  ['project', '{tree: {}', '1:10+1 error: "," or "}"'],
  ['project', '', '1:1+1 error: a JSON value'],
  ['project', '{tree: {}, tree: {}}', '1:12+1 warning: the key "tree" only once in this object'],
  ['meta', '{properties: {Archivable: false, Tags: ["a"]}, attributes: {A: 1, B: {Color3: [1, 0, 0]}}}'],
  ['meta', '{attributes: {A: [1, 2, 3]}}', '1:18+9 warning: true or false or a number or a string or an object'],
  ['meta', '{attributes: {A: {Color3: [1, 0]}}}', '1:27+6 warning: an array of 3'],
  ['meta', '{id: 1, className: "Fold"}', '1:6+1 warning: a string', '1:20+6 warning: one of "Accessory"'],
  ['model', '{className: "Part", children: [{ClassName: "Folder"}]}'],
  ['model', '{\n  className: "Part",\n  ClassName: "Part",\n}', '1:1+1 warning: no "className" with "ClassName"'],
  ['model', '{\n  children: [\n    {},\n  ], className: "Model"}', '3:5+2 warning: "className" or "ClassName"'],
  ['model', '{className: "Part", propertys: {}}', '1:21+9 warning: one of "$schema"'],
];
for (const [kind, text, ...findings] of table)
  test(`${kind}: ${JSON.stringify(text)} has ${findings.length === 0 ? 'no findings' : findings.join('; ')}`, () => {
    const said = found(kind, text).map(
      ({ line, column, length, severity, expected }) => `${line}:${column}+${length} ${severity}: ${expected}`,
    );
    assert.deepEqual(
      said.map((each, index) => each.slice(0, findings[index]?.length)),
      findings,
      said.join('\n'),
    );
  });

test('reports only the first 100 mistakes of a file', () => {
  const wrong = Array.from({ length: 500 }, (_, index) => `a${index}: 1`).join(',\n');
  assert.equal(found('meta', `{${wrong}}`).length, 100);
});

const KNOWN = new Set(
  (
    '$schema title description $comment allowComments allowTrailingCommas definitions $ref type enum pattern minimum maximum items ' +
    'minItems maxItems properties patternProperties additionalProperties required minProperties maxProperties anyOf oneOf allOf not'
  ).split(' '),
);
test('the schemas of the project use only supported keywords', () => {
  const walk = (schema: unknown): void => {
    if (Array.isArray(schema)) return schema.forEach(walk);
    if (!isSchema(schema)) return;
    for (const [word, value] of Object.entries(schema)) {
      assert.ok(KNOWN.has(word), word);
      if (['properties', 'patternProperties', 'definitions'].includes(word))
        Object.values(value as object).forEach(walk);
      else if (word !== 'enum') walk(value);
    }
  };
  for (const schema of schemas.values()) walk(schema);
});
