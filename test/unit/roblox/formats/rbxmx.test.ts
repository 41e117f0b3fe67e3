import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_INSTANCE_DEPTH } from '../../../../src/roblox/formats/limits.ts';
import { readXmlModel } from '../../../../src/roblox/formats/rbxmx/read.ts';
import { writeXmlModel } from '../../../../src/roblox/formats/rbxmx/write.ts';
import type { Model } from '../../../../src/roblox/instances/model.ts';
import { NULL_REF } from '../../../../src/roblox/values/ref.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { reflection } from '../../../harness/reflection.ts';
import { anyModel } from './arbitrary-model.ts';
import { instancesOf, modelFiles } from './model-files.ts';

function read(xml: string): Model {
  const result = readXmlModel(xml, reflection);
  assert.ok(result.ok, result.ok ? '' : result.error);
  return result.value;
}
function write(model: Model, kind: 'model' | 'place' = 'model'): string {
  const result = writeXmlModel(model, kind, reflection);
  assert.ok(result.ok, result.ok ? '' : result.error);
  return result.value;
}
const item = (properties: string, className = 'Part'): string =>
  `<roblox version="4">\n<Item class="${className}" referent="A">\n<Properties>\n${properties}\n</Properties>\n</Item>\n</roblox>`;
const valueOf = (property: string, name: string, className = 'Part'): Variant | undefined =>
  read(item(property, className)).roots[0]?.properties.get(name);

for (const file of modelFiles)
  test(`${file.name}: keeps the model when it is written and read again`, () => {
    const model = read(file.xml);
    assert.ok(model.roots.length > 0);
    const text = write(model, file.name.startsWith('places/') ? 'place' : 'model');
    assert.deepEqual(read(text), model);
    assert.equal(write(read(text), file.name.startsWith('places/') ? 'place' : 'model'), text);
  });

test('reads the place that Studio saved as Studio shows it', () => {
  const file = modelFiles.find(({ name }) => name === 'places/baseplate-566');
  const model = read(file?.xml ?? '');
  assert.ok(model.roots.some(({ className }) => className === 'ReplicatedStorage'));
  const instances = Array.from(instancesOf(model));
  assert.equal(instances.length, 59);
  const baseplate = instances.find(({ name }) => name === 'Baseplate');
  assert.deepEqual(baseplate?.properties.get('Size'), { type: 'Vector3', value: [2048, 16, 2048] });
  assert.deepEqual(baseplate?.properties.get('Anchored'), { type: 'Bool', value: true });
  assert.equal(baseplate?.properties.get('Color')?.type, 'Color3uint8');
  const workspace = model.roots.find(({ className }) => className === 'Workspace');
  const camera = workspace?.properties.get('CurrentCamera');
  assert.equal(instances.find(({ referent }) => referent === camera?.value)?.className, 'Camera');
});

test('reads any written model as the same', () => {
  fc.assert(
    fc.property(anyModel, model => {
      const back = read(write(model));
      assert.deepEqual(plainly(back), plainly(model));
    }),
  );
});

/** For undeclared names, XML does not distinguish the number of a color from an integer. */
function plainly(model: Model): unknown {
  const plain = (variant: Variant): unknown =>
    variant.type === 'BrickColor' ? { type: 'Int32', value: variant.value } : variant;
  return Array.from(instancesOf(model), ({ properties, children, ...instance }) => ({
    ...instance,
    properties: new Map(Array.from(properties, ([key, value]) => [key, plain(value)])),
    children: children.map(child => child.referent),
  }));
}

for (const [className, xml, name, expected] of [
  ['Part', '<float name="Transparency">INF</float>', 'Transparency', { type: 'Float32', value: Infinity }],
  ['Part', '<float name="Transparency">-inf</float>', 'Transparency', { type: 'Float32', value: -Infinity }],
  ['Part', '<float name="Transparency"> 1e-3 </float>', 'Transparency', { type: 'Float32', value: Math.fround(0.001) }],
  ['Part', '<bool name="Anchored">TRUE</bool>', 'Anchored', { type: 'Bool', value: true }],
  [
    'Folder',
    '<BinaryString name="Tags"><![CDATA[TXkA\nQ29vbA==]]></BinaryString>',
    'Tags',
    { type: 'Tags', value: ['My', 'Cool'] },
  ],
  [
    'Folder',
    '<BinaryString name="AttributesSerialize"></BinaryString>',
    'Attributes',
    { type: 'Attributes', value: new Map() },
  ],
  [
    'Folder',
    '<BinaryString name="AttributesSerialize">AQ==</BinaryString>',
    'Attributes',
    { type: 'BinaryString', value: new Uint8Array([1]) },
  ],
  ['Part', '<Color3 name="Color">4294967295</Color3>', 'Color', { type: 'Color3uint8', value: [255, 255, 255] }],
  [
    'Part',
    '<Color3uint8 name="Color3uint8">4288914085</Color3uint8>',
    'Color',
    { type: 'Color3uint8', value: [163, 162, 165] },
  ],
  ['Part', '<int name="BrickColor">1004</int>', 'Color', { type: 'Color3uint8', value: [255, 0, 0] }],
  [
    'Part',
    '<Color3uint8 name="Color3uint8">4278190335</Color3uint8><int name="BrickColor">1004</int>',
    'Color',
    { type: 'Color3uint8', value: [0, 0, 255] },
  ],
  ['BrickColorValue', '<int name="Value">1004</int>', 'Value', { type: 'BrickColor', value: 1004 }],
  [
    'TextLabel',
    '<token name="Font">4</token>',
    'FontFace',
    {
      type: 'Font',
      value: { family: 'rbxasset://fonts/families/SourceSansPro.json', weight: 'Bold', style: 'Normal' },
    },
  ],
  ['ScreenGui', '<bool name="IgnoreGuiInset">true</bool>', 'ScreenInsets', { type: 'Enum', value: 1 }],
  [
    'Decal',
    '<Content name="Texture"><url>rbxassetid://1</url></Content>',
    'TextureContent',
    { type: 'Content', value: { kind: 'uri', uri: 'rbxassetid://1' } },
  ],
  [
    'Decal',
    '<Content name="Texture"><null></null></Content>',
    'TextureContent',
    { type: 'Content', value: { kind: 'none' } },
  ],
  [
    'CharacterMesh',
    '<int64 name="MeshId">12</int64>',
    'MeshContent',
    { type: 'Content', value: { kind: 'uri', uri: 'rbxassetid://12' } },
  ],
  ['UICorner', '<UDim name="CornerRadius"><S>0</S><O>8</O></UDim>', 'TopLeftRadius', { type: 'UDim', value: [0, 8] }],
  ['ObjectValue', '<Ref name="Value">null</Ref>', 'Value', { type: 'Ref', value: NULL_REF }],
  ['ObjectValue', '<Ref name="Value">nowhere</Ref>', 'Value', { type: 'Ref', value: NULL_REF }],
  ['ObjectValue', '<Ref name="Value">A</Ref>', 'Value', { type: 'Ref', value: 'A' }],
  [
    'StringValue',
    '<string name="Value"> a &lt;b&gt; &#65;\n </string>',
    'Value',
    { type: 'String', value: ' a <b> A\n ' },
  ],
  [
    'StringValue',
    '<BinaryString name="Value">AQID</BinaryString>',
    'Value',
    { type: 'String', value: '\u0001\u0002\u0003' },
  ],
  ['Bogus', '<string name="X">1</string>', 'X', { type: 'String', value: '1' }],
  ['Bogus', '<BinaryString name="Tags">YQ==</BinaryString>', 'Tags', { type: 'Tags', value: ['a'] }],
] as const)
  test(`${className}: reads ${name} from ${xml}`, () => {
    assert.deepEqual(valueOf(xml, name, className), expected);
  });

for (const [what, xml, expected] of [
  ['an empty file', '', /^\d+:\d+: .*root/],
  ['text', 'hello', /^1:\d+: /],
  ['another document', '<html></html>', /^1:7: expected <roblox>, not <html>/],
  ['an unclosed tag', '<roblox><Item class="Part">', /^\d+:\d+: /],
  ['a wrong closing tag', '<roblox>\n<Item class="Part"></roblox>', /^2:\d+: /],
  ['an item without a class', '<roblox><Item></Item></roblox>', /^1:\d+: expected a class on <Item>/],
  ['a property without a name', item('<bool>true</bool>'), /^4:7: expected a name on the property/],
  [
    'an invalid number',
    item('<float name="Transparency">abc</float>'),
    /^4:28: expected a number in <float>, not "abc"/,
  ],
  [
    'an integer that is too large',
    item('<int name="X">2147483648</int>'),
    /^4:15: expected a whole number from -2147483648 to 2147483647/,
  ],
  [
    'an invalid boolean',
    item('<bool name="Anchored">yes</bool>'),
    /^4:23: expected true or false in <bool>, not "yes"/,
  ],
  [
    'a vector without a component',
    item('<Vector3 name="Size"><X>1</X><Y>2</Y></Vector3>'),
    /expected <Z> in <Vector3>/,
  ],
  ['invalid base64', item('<BinaryString name="Tags">*</BinaryString>'), /expected base64 in <BinaryString>/],
  ['a sequence with extra numbers', item('<NumberSequence name="X">0 1 0 1</NumberSequence>'), /groups of 3/],
  [
    'a missing shared string',
    item('<SharedString name="PhysicalConfigData">AAAA</SharedString>'),
    /the md5 of one of the <SharedStrings>/,
  ],
  ['an invalid id', item('<UniqueId name="UniqueId">xyz</UniqueId>'), /32 hex digits/],
  ['an undeclared entity', item('<string name="Name">&x;</string>'), /^4:\d+: undefined entity/],
] as const)
  test(`refuses ${what} with line and column`, () => {
    const result = readXmlModel(xml, reflection);
    assert.ok(!result.ok);
    assert.match(result.error, expected);
  });

test('keeps a property of an unknown type when the file is written again', () => {
  const xml = '<Quaternion name="Spin"><W a="&quot;1&amp;">0.5</W><X>&lt;</X></Quaternion>';
  const model = read(item(xml));
  assert.deepEqual(Array.from(model.roots[0]?.unknownXml ?? []), [['Spin', xml]]);
  assert.ok(write(model).includes(xml));
  assert.deepEqual(read(write(model)).roots, model.roots);
});

test('keeps a duplicate referent for the first item, and creates missing ones', () => {
  const model = read(
    '<roblox><Item class="A" referent="x"/><Item class="B" referent="x"/><Item class="C"/><Item class="D" referent="null"/></roblox>',
  );
  assert.equal(model.roots[0]?.referent, 'x');
  const referents = new Set(model.roots.map(root => root.referent));
  assert.equal(referents.size, 4);
  assert.ok(!referents.has('null'));
});

test('reads a file with a byte-order mark and without names', () => {
  const model = read(
    '\ufeff<?xml version="1.0"?><!-- hi --><roblox><Item class="Folder" referent="A"></Item></roblox>',
  );
  assert.equal(model.roots[0]?.name, 'Folder');
});

test('reads instances nested up to the limit, and refuses deeper ones without a crash', () => {
  const nested = (depth: number): string =>
    `<roblox>${'<Item class="Folder">'.repeat(depth)}${'</Item>'.repeat(depth)}</roblox>`;
  assert.ok(readXmlModel(nested(MAX_INSTANCE_DEPTH), reflection).ok);
  write(read(nested(MAX_INSTANCE_DEPTH)));
  for (const depth of [MAX_INSTANCE_DEPTH + 1, 50_000]) {
    const result = readXmlModel(nested(depth), reflection);
    assert.ok(!result.ok);
    assert.match(result.error, /^1:\d+: expected at most 512 levels/);
  }
  const deepValue = readXmlModel(item(`${'<a name="x">'.repeat(50_000)}${'</a>'.repeat(50_000)}`), reflection);
  assert.ok(!deepValue.ok);
});

test('reports a value that XML does not support, and drops nothing', () => {
  const value: Variant = {
    type: 'Region3int16',
    value: [
      [0, 0, 0],
      [1, 1, 1],
    ],
  };
  const root = { referent: 'A', className: 'Bogus', name: 'Thing', properties: new Map([['R', value]]), children: [] };
  const result = writeXmlModel({ roots: [root], metadata: new Map() }, 'model', reflection);
  assert.deepEqual(result, { ok: false, error: 'Bogus "Thing": XML has no form for R (Region3int16)' });
});

test('returns a model or a sentence with a position for any damage to a file', () => {
  const { xml } = modelFiles.find(({ name }) => name === 'models/package-link') ?? { xml: '' };
  fc.assert(
    fc.property(fc.nat(xml.length), fc.nat(40), fc.string({ maxLength: 12 }), (at, length, text) => {
      const result = readXmlModel(xml.slice(0, at) + text + xml.slice(at + length), reflection);
      if (!result.ok) assert.match(result.error, /^\d+:\d+: ./);
    }),
    { numRuns: 1000 },
  );
});

test('counts nested elements from their property, and those outside of items too', () => {
  const levels = (count: number): string => `${'<a>'.repeat(count)}${'</a>'.repeat(count)}`;
  const files: Readonly<Record<string, (count: number) => string>> = {
    'in a property': count =>
      `<roblox><Item class="Part"><Properties><Unknown name="X">${levels(count)}</Unknown></Properties></Item></roblox>`,
    'in a property of a deep item': count => {
      const [open, close] = ['<Item class="Folder">'.repeat(500), '</Item>'.repeat(500)];
      return `<roblox>${open}<Properties><Unknown name="X">${levels(count)}</Unknown></Properties>${close}</roblox>`;
    },
    'in an item': count => `<roblox><Item class="Part">${levels(count)}</Item></roblox>`,
    'outside of items': count => `<roblox>${levels(count)}</roblox>`,
    'in metadata': count => `<roblox><Meta name="X">${levels(count)}</Meta></roblox>`,
  };
  for (const [where, file] of Object.entries(files)) {
    assert.ok(readXmlModel(file(16), reflection).ok, where);
    const result = readXmlModel(file(17), reflection);
    assert.ok(!result.ok, where);
    assert.match(result.error, /^1:\d+: expected at most 16 levels of nested elements$/);
  }
});
