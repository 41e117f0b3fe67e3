import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { resolveAttribute, resolveProperty } from '../../../../src/roblox/instances/resolve.ts';
import { reflection } from '../../../harness/reflection.ts';
import { anyVariant } from '../values/arbitrary-variant.ts';
import { variantToWire } from '../../../../src/roblox/values/variant-wire.ts';

const f = Math.fround;
const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

// Short forms: class, property, JSON, expected value.
for (const [className, property, json, type, value] of [
  ['Part', 'Material', 'Plastic', 'Enum', 256],
  ['Part', 'Anchored', true, 'Bool', true],
  ['Part', 'Transparency', 0.1, 'Float32', f(0.1)],
  ['NumberValue', 'Value', 0.1, 'Float64', 0.1],
  ['ScreenGui', 'DisplayOrder', 3.9, 'Int32', 3],
  ['ScreenGui', 'DisplayOrder', -3.9, 'Int32', -3],
  ['ScreenGui', 'DisplayOrder', 1e12, 'Int32', 2147483647],
  ['IntValue', 'Value', 1e12, 'Int64', 1000000000000n],
  ['IntValue', 'Value', 1e30, 'Int64', 2n ** 63n - 1n],
  ['StringValue', 'Value', 'hi', 'String', 'hi'],
  ['Folder', 'Tags', ['a', 'b'], 'Tags', ['a', 'b']],
  ['Folder', 'Tags', [], 'Tags', []],
  ['ImageLabel', 'ImageContent', 'rbxassetid://1', 'Content', { kind: 'uri', uri: 'rbxassetid://1' }],
  ['ImageLabel', 'ImageContent', '', 'Content', { kind: 'uri', uri: '' }],
  ['ImageLabel', 'Image', 'rbxassetid://1', 'ContentId', 'rbxassetid://1'],
  ['ImageLabel', 'AnchorPoint', [0.5, 1], 'Vector2', [0.5, 1]],
  ['Part', 'Size', [1, 2, 3], 'Vector3', [1, 2, 3]],
  ['Part', 'Color', [1, 0.5, 0], 'Color3', [1, 0.5, 0]],
  ['Part', 'CFrame', [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1], 'CFrame', { position: [1, 2, 3], orientation: identity }],
  ['Folder', 'Attributes', {}, 'Attributes', new Map()],
  ['Folder', 'Attributes', { Bool: { Bool: true } }, 'Attributes', new Map([['Bool', { type: 'Bool', value: true }]])],
  ['Terrain', 'MaterialColors', { Grass: [1, 2, 3] }, 'MaterialColors', new Map([['Grass', [1, 2, 3]]])],
  // Full forms are valid for any property, also of unknown classes.
  ['Part', 'Size', { String: 'x' }, 'String', 'x'],
  ['Part', 'Material', { Enum: 512 }, 'Enum', 512],
  [
    'Bogus',
    'Thing',
    {
      UDim2: [
        [0, 1],
        [0.5, 2],
      ],
    },
    'UDim2',
    [
      [0, 1],
      [0.5, 2],
    ],
  ],
  ['Model', 'WorldPivotData', { OptionalCFrame: null }, 'OptionalCFrame', null],
  ['Part', 'BrickColor', { BrickColor: 21 }, 'BrickColor', 21],
  ['Part', 'Transparency', { Float32: 1 }, 'Float32', 1],
] as const)
  test(`${className}.${property} reads ${JSON.stringify(json)} as ${type}`, () => {
    assert.deepEqual(resolveProperty(reflection, className, property, json), {
      ok: true,
      value: { name: property, value: { type, value } },
    });
  });

test('reads the short form of a font', () => {
  const font = { family: 'rbxasset://fonts/families/Roboto.json', weight: 'Bold', style: 'Italic' };
  assert.deepEqual(resolveProperty(reflection, 'TextLabel', 'FontFace', font), {
    ok: true,
    value: { name: 'FontFace', value: { type: 'Font', value: font } },
  });
});

test('reads an alias with its type, and returns its canonical name', () => {
  assert.deepEqual(resolveProperty(reflection, 'Part', 'size', [1, 2, 3]), {
    ok: true,
    value: { name: 'Size', value: { type: 'Vector3', value: [1, 2, 3] } },
  });
  assert.deepEqual(resolveProperty(reflection, 'Part', 'Color3uint8', { Color3uint8: [1, 2, 3] }), {
    ok: true,
    value: { name: 'Color', value: { type: 'Color3uint8', value: [1, 2, 3] } },
  });
});

for (const [className, property, json, expected] of [
  ['Part', 'Bogus', 1, 'a property that Roblox knows, or the full form {"Type": value}, instead of Part.Bogus with 1'],
  [
    'Bogus',
    'Name',
    'x',
    'a property that Roblox knows, or the full form {"Type": value}, instead of Bogus.Name with "x"',
  ],
  ['Bogus', 'Size', { Vector3: [1] }, 'Bogus.Size to be [x, y, z] for Vector3'],
  [
    'Part',
    'Material',
    'plastic',
    'Part.Material to be the name of an item of Enum.Material (Air, Asphalt, Basalt, Brick, Cardboard, Carpet, CeramicTiles, ClayRoofTiles, Cobblestone or 36 more), not "plastic"',
  ],
  ['Part', 'Material', 256, /^Part\.Material to be the name of an item of Enum\.Material .*, not 256$/],
  ['Part', 'Anchored', 'true', 'Part.Anchored to be true or false, not "true"'],
  ['Part', 'Size', [1, 2], 'Part.Size to be [x, y, z], not [1,2]'],
  ['Part', 'Size', { Vector3: [1, 2] }, 'Part.Size to be [x, y, z] for Vector3, not {"Vector3":[1,2]}'],
  ['Part', 'Size', null, 'Part.Size to be [x, y, z], not null'],
  [
    'ScreenGui',
    'DisplayOrder',
    { Int32: 3.5 },
    'ScreenGui.DisplayOrder to be a whole number of 32 bits for Int32, not {"Int32":3.5}',
  ],
  [
    'Frame',
    'Size',
    [0, 1],
    'Frame.Size to be {"UDim2": …} with [[scale, offset], [scale, offset]] with whole offsets, not [0,1]',
  ],
  ['Folder', 'Tags', {}, 'Folder.Tags to be an array of strings, not {}'],
  ['Folder', 'Attributes', [], 'Folder.Attributes to be an object of attribute name to {"Type": value}, not []'],
  [
    'ObjectValue',
    'Value',
    'door',
    'ObjectValue.Value to be left out here (point to the instance with the attribute Rojo_Target_Value and its id, or Rojo_Ref_Value and its path in the Atlas dialect), not "door"',
  ],
  ['StringValue', 'Value', 'x'.repeat(500).split(''), /^StringValue\.Value to be a string, not \["x".*…$/],
] as const)
  test(`refuses ${JSON.stringify(json).slice(0, 40)} for ${className}.${property} with the expected form`, () => {
    const result = resolveProperty(reflection, className, property, json);
    assert.ok(!result.ok);
    if (typeof expected === 'string') assert.ok(result.error.startsWith(expected), result.error);
    else assert.match(result.error, expected);
  });

for (const [json, value] of [
  [true, { type: 'Bool', value: true }],
  [0.1, { type: 'Float64', value: 0.1 }],
  ['hi', { type: 'String', value: 'hi' }],
  [{ Color3: [0, 0.5, 1] }, { type: 'Color3', value: [0, 0.5, 1] }],
  [{ EnumItem: { type: 'Material', value: 256 } }, { type: 'EnumItem', value: { type: 'Material', value: 256 } }],
] as const)
  test(`reads the attribute ${JSON.stringify(json)} as ${value.type}`, () => {
    assert.deepEqual(resolveAttribute(json), { ok: true, value });
  });

for (const json of [[1, 2, 3], {}, null, { Vector3: [1] }, { Nope: 1 }, { Attributes: {} }, { Bool: true, Int32: 1 }])
  test(`refuses the ambiguous attribute ${JSON.stringify(json)}`, () => {
    const result = resolveAttribute(json);
    assert.ok(!result.ok);
    assert.match(result.error, /, not /);
  });

test('reads every full form for any property', () => {
  fc.assert(
    fc.property(anyVariant, fc.constantFrom('Part', 'Bogus'), (variant, className) => {
      const result = resolveProperty(reflection, className, 'Anything', variantToWire(variant));
      assert.deepEqual(result, { ok: true, value: { name: 'Anything', value: variant } });
    }),
  );
});

test('returns a value or a sentence for any JSON and any property', () => {
  const names = ['Size', 'Material', 'Tags', 'Attributes', 'CFrame', 'BrickColor', 'Color', 'Parent', 'Name', 'Bogus'];
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, json) => {
      const result = resolveProperty(reflection, 'Part', name, json);
      if (!result.ok) assert.ok(result.error.length > 0);
    }),
  );
});
