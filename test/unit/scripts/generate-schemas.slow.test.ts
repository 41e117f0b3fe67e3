import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import fc from 'fast-check';
import { generatedSchemas } from '../../../scripts/generate-schemas.ts';
import { variantToFileForm } from '../../../src/roblox/instances/file-form.ts';
import { createJson5Language, schemaFiles } from '../../../src/roblox/formats/json5-language.ts';
import type { JsonSchema } from '../../../src/roblox/formats/json-schema.ts';
import { jsonValue, parseJsonDocument } from '../../../src/roblox/formats/json5-document.ts';
import { reflection } from '../../harness/reflection.ts';
import { anyVariant } from '../roblox/values/arbitrary-variant.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const ajv = new Ajv({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false, allErrors: true });
// VS Code's own keywords.
ajv.addVocabulary(['allowComments', 'allowTrailingCommas']);
const parsed = (name: string): object => JSON.parse(read(`media/schemas/${name}.schema.json`)) as object;
ajv.addSchema(parsed('values'), 'values.schema.json');
const kinds = ['project', 'meta', 'model'] as const;
type Kind = (typeof kinds)[number];
const check: { readonly [K in Kind]: ValidateFunction } = {
  project: ajv.compile(parsed('project')),
  meta: ajv.compile(parsed('meta')),
  model: ajv.compile(parsed('model')),
};

for (const [path, text] of Object.entries(generatedSchemas))
  test(`${path} is up to date`, () => {
    assert.ok(read(path) === text, 'run node scripts/generate-schemas.ts');
  });

test('the manifest contributes each schema for all extensions of its kind of file', () => {
  const { contributes } = JSON.parse(read('package.json')) as {
    contributes: { jsonValidation: readonly { fileMatch: readonly string[]; url: string }[] };
  };
  assert.deepEqual(
    contributes.jsonValidation,
    kinds.map(kind => ({
      fileMatch: ['json', 'json5', 'jsonc'].map(ending => `*.${kind}.${ending}`),
      url: `./media/schemas/${kind}.schema.json`,
    })),
  );
});

function jsonOf(text: string): unknown {
  const document = parseJsonDocument(text);
  assert.ok(document.ok);
  return jsonValue(document.value.root);
}

const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' }).flatMap(path => {
  const kind = kinds.find(each => new RegExp(`\\.${each}\\.json[5c]?$`).test(path));
  return kind ? [[kind, path] as const] : [];
});
test('there are examples of every kind of file', () => {
  for (const kind of kinds)
    assert.ok(
      examples.some(([each]) => each === kind),
      kind,
    );
});
for (const [kind, path] of examples)
  test(`examples/${path} is valid`, () => {
    assert.ok(check[kind](jsonOf(read(`examples/${path}`))), JSON.stringify(check[kind].errors));
  });

const fine: readonly (readonly [Kind, string])[] = [
  ['project', '{"tree": {"$className": "DataModel"}}'],
  [
    'project',
    '{name: "G", servePort: 34872, servePlaceIds: [1], tree: {$path: {optional: "src"}, Child: {$path: "x"}, "": {}}}',
  ],
  [
    'project',
    '{"tree": {"$className": "DataModel", "Workspace": {"$properties": {"Gravity": 50}, "$attributes": {"A": true}}}}',
  ],
  [
    'project',
    '{"tree": {"$path": "x"}, "syncRules": [{"pattern": "*.t", "use": "text"}], "syncbackRules": {"ignoreTrees": ["A"]}}',
  ],
  ['meta', '{}'],
  ['meta', '{"className": "Model", "properties": {"Tags": ["a"], "PrimaryPart": {"Ref": "00"}}, "id": "x"}'],
  ['meta', '{"properties": {"RunContext": "Server", "NewInNextVersion": {"Float32": 1.5}}}'],
  [
    'model',
    '{"className": "Part", "properties": {"Size": [1, 2, 3], "Material": "Wood", "Color": {"Color3uint8": [1, 2, 3]}}}',
  ],
  [
    'model',
    '{"ClassName": "Model", "Name": "M", "Children": [{"className": "Part", "attributes": {"V": {"Vector3": [1, 2, 3]}}}]}',
  ],
];
for (const [kind, text] of fine)
  test(`${kind}: accepts ${text}`, () => {
    assert.ok(check[kind](jsonOf(text)), JSON.stringify(check[kind].errors));
  });

const wrong: readonly (readonly [Kind, string])[] = [
  ['project', '{}'],
  ['project', '{"tree": {}, "serveport": 1}'],
  ['project', '{"tree": {"$classname": "Folder"}}'],
  ['project', '{"tree": {"$className": "Foldr"}}'],
  ['project', '{"tree": {"Child": "src"}}'],
  ['project', '{"tree": {"$path": 3}}'],
  ['project', '{"tree": {}, "servePort": 70000}'],
  ['project', '{"tree": {}, "syncRules": [{"pattern": "*"}]}'],
  ['project', '{"tree": {}, "syncRules": [{"pattern": "*", "use": "txt"}]}'],
  ['meta', '{"propertes": {}}'],
  ['meta', '{"ignoreUnknownInstances": "yes"}'],
  ['meta', '{"properties": {"Anchored": "yes"}}'],
  ['meta', '{"properties": {"Material": "Wod"}}'],
  ['meta', '{"attributes": {"A": [1, 2, 3]}}'],
  ['meta', '{"properties": {"Unheard": 5}}'],
  ['model', '{"name": "no class"}'],
  ['model', '{"className": "Part", "ClassName": "Part"}'],
  ['model', '{"className": "Part", "properties": {"CFrame": [1, 2]}}'],
  ['model', '{"className": "Part", "children": [{"className": "Part", "id": "only the root"}]}'],
  ['model', '{"className": "Part", "children": {"className": "Part"}}'],
];
for (const [kind, text] of wrong)
  test(`${kind}: rejects ${text}`, () => {
    assert.ok(!check[kind](jsonOf(text)));
  });

const plain = (form: unknown): unknown =>
  JSON.parse(
    JSON.stringify(form, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
  ) as unknown;

test('accepts every value in the form that files use', () => {
  fc.assert(
    fc.property(anyVariant, variant => {
      const form = plain(variantToFileForm(reflection, 'Part', 'NewInNextVersion', variant));
      const model = { className: 'Part', properties: { NewInNextVersion: form } };
      assert.ok(check.model(model), JSON.stringify([form, check.model.errors]));
    }),
  );
});

test('accepts every default of every class in the form that files use', () => {
  // Subclasses repeat the defaults of their superclass, and the schema of a property does not depend on the class.
  const seen = new Set<string>();
  for (const className of reflection.classNames())
    for (const name of reflection.defaultNames(className)) {
      const value = reflection.defaultOf(className, name);
      if (value === undefined || name === 'Name') continue;
      const form = plain(variantToFileForm(reflection, className, name, value));
      const key = JSON.stringify([name, form]);
      if (seen.has(key)) continue;
      seen.add(key);
      const meta = { properties: { [name]: form } };
      if (!check.meta(meta)) assert.fail(`${className}.${name} ${JSON.stringify([form, check.meta.errors])}`);
    }
  assert.ok(seen.size > 0);
});

const language = createJson5Language(
  new Map(schemaFiles.map(name => [name, parsed(name.replace('.schema.json', '')) as JsonSchema])),
);
// Fragments that are valid in some places and invalid in others.
const leaf = fc.constantFrom(
  '1',
  '-1',
  '2.5',
  'true',
  'null',
  '"Part"',
  '"Folder"',
  '"a"',
  '""',
  '[]',
  '{}',
  '"Plastic"',
);
const names = fc.constantFrom(
  ...(
    'tree name $className $path $properties $attributes optional A servePort servePlaceIds syncRules pattern use id ' +
    'className ClassName properties attributes children Material Size Anchored Tags Font Vector3 Color3 Enum Bool Attributes position'
  ).split(' '),
);
const { value: json5 } = fc.letrec<{ value: string }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }).map(elements => `[${elements.join(', ')}]`),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }).map(
      members =>
        `{${Object.entries(members)
          .map(([name, value]) => `${JSON.stringify(name)}: ${value}`)
          .join(', ')}}`,
    ),
  ),
}));
test('diagnostics of JSON5 files equal the violations of the schemas', () => {
  const begun = fc
    .tuple(json5, json5)
    .chain(([one, other]) =>
      fc.constantFrom<readonly [Kind, string]>(
        ['project', one],
        ['project', `{"tree": ${one}, "syncRules": [${other}]}`],
        ['project', `{"tree": {"$properties": ${one}, "A": ${other}}}`],
        ['meta', `{"properties": ${one}, "attributes": ${other}}`],
        ['meta', `{"properties": {"Size": ${one}, "Material": ${other}}}`],
        ['model', `{"className": ${one}, "children": [${other}]}`],
      ),
    );
  fc.assert(
    fc.property(begun, ([kind, text]) => {
      const found = language.check({ kind, text });
      assert.equal(found.length === 0, check[kind](jsonOf(text)), text);
    }),
    { numRuns: 300 },
  );
});
