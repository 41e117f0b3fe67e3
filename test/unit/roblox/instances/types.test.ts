import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areVariantsEqual, areVariantsIdentical } from '../../../../src/roblox/instances/equality.ts';
import { variantToFileForm } from '../../../../src/roblox/instances/file-form.ts';
import { resolveProperty } from '../../../../src/roblox/instances/resolve.ts';
import type { VariantType } from '../../../../src/roblox/values/variant.ts';
import { variantFromWire, variantToWire } from '../../../../src/roblox/values/variant-wire.ts';
import { reflection } from '../../../harness/reflection.ts';

// The full form is also the wire form. The short form requires a property that Roblox declares.
interface Row {
  readonly full: unknown;
  readonly short?: readonly [property: `${string}.${string}`, json: unknown];
}
const id = '0123456789abcdef0123456789abcdef';
const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const cframe = { position: [1, 2, 3], orientation: identity };
const font = { family: 'rbxasset://fonts/families/Roboto.json', weight: 'Bold', style: 'Italic', cachedFaceId: null };
const shortFont = { family: font.family, weight: font.weight, style: font.style };

const table: { readonly [T in VariantType]: Row } = {
  Axes: { full: ['X', 'Z'] },
  BinaryString: { full: 'AAEC/w==' },
  Bool: { full: true, short: ['Part.Anchored', true] },
  BrickColor: { full: 1004 },
  CFrame: { full: cframe, short: ['Part.CFrame', [1, 2, 3, ...identity.flat()]] },
  Color3: { full: [1, 0.5, 0], short: ['Lighting.Ambient', [1, 0.5, 0]] },
  Color3uint8: { full: [255, 0, 128] },
  ColorSequence: {
    full: {
      keypoints: [
        { time: 0, color: [1, 0, 0] },
        { time: 1, color: [0, 0, 1] },
      ],
    },
  },
  ContentId: { full: 'rbxassetid://1', short: ['ImageLabel.Image', 'rbxassetid://1'] },
  Enum: { full: 256, short: ['Part.Material', 'Plastic'] },
  Faces: { full: ['Right', 'Bottom', 'Front'] },
  Float32: { full: 0.5, short: ['Part.Transparency', 0.5] },
  Float64: { full: 0.1, short: ['NumberValue.Value', 0.1] },
  Int32: { full: -3, short: ['ScreenGui.DisplayOrder', -3] },
  Int64: { full: 123, short: ['IntValue.Value', 123] },
  NumberRange: { full: [1, 2] },
  NumberSequence: {
    full: {
      keypoints: [
        { time: 0, value: 1, envelope: 0 },
        { time: 1, value: 0, envelope: 0.5 },
      ],
    },
  },
  PhysicalProperties: {
    full: {
      density: 1,
      friction: 0.5,
      elasticity: 0.25,
      frictionWeight: 1,
      elasticityWeight: 2,
      acousticAbsorption: 0.5,
    },
  },
  Ray: { full: { origin: [1, 2, 3], direction: [0, 1, 0] } },
  Rect: {
    full: [
      [0, 1],
      [2, 3],
    ],
  },
  Ref: { full: id },
  Region3: {
    full: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  },
  Region3int16: {
    full: [
      [0, 1, 2],
      [3, 4, 5],
    ],
  },
  SharedString: { full: 'AAEC/w==' },
  String: { full: 'text', short: ['StringValue.Value', 'text'] },
  UDim: { full: [0.5, 10] },
  UDim2: {
    full: [
      [0.5, 10],
      [1, -5],
    ],
  },
  Vector2: { full: [0.5, 1], short: ['ImageLabel.AnchorPoint', [0.5, 1]] },
  Vector2int16: { full: [1, -2] },
  Vector3: { full: [8, 2, 16], short: ['Part.Size', [8, 2, 16]] },
  Vector3int16: { full: [1, -2, 3] },
  OptionalCFrame: { full: cframe },
  Tags: { full: ['a', 'b'], short: ['Part.Tags', ['a', 'b']] },
  Attributes: {
    full: { Speed: { Float64: 2 }, Name: { String: 'x' } },
    short: ['Part.Attributes', { Speed: { Float64: 2 }, Name: { String: 'x' } }],
  },
  Font: { full: font, short: ['TextLabel.FontFace', shortFont] },
  UniqueId: { full: id },
  MaterialColors: { full: { Grass: [1, 2, 3] }, short: ['Terrain.MaterialColors', { Grass: [1, 2, 3] }] },
  SecurityCapabilities: { full: 5 },
  EnumItem: { full: { type: 'Material', value: 256 } },
  Content: { full: { Uri: 'rbxassetid://1' }, short: ['ImageLabel.ImageContent', 'rbxassetid://1'] },
  NetAssetRef: { full: 'AAEC/w==' },
};
const rows = Object.entries(table);

test('has 41 types of values', () => assert.equal(rows.length, 41));

for (const [type, { full, short }] of rows)
  test(`${type}: reads the full form for any property${short ? `, and the short form for ${short[0]}` : ''}`, () => {
    const wire = variantFromWire({ [type]: full });
    assert.ok(wire.ok, wire.ok ? '' : wire.error);
    assert.deepEqual(variantToWire(wire.value), { [type]: full });
    const resolved = resolveProperty(reflection, 'Unknown', 'Anything', { [type]: full });
    assert.ok(resolved.ok && areVariantsIdentical(resolved.value.value, wire.value));
    assert.ok(areVariantsEqual(wire.value, resolved.value.value));
    const written = type === 'Font' ? shortFont : full;
    assert.deepEqual(variantToFileForm(reflection, 'Unknown', 'Anything', wire.value), { [type]: written });
    if (short === undefined) return;
    const [className = '', property = ''] = short[0].split('.');
    const fromShort = resolveProperty(reflection, className, property, short[1]);
    assert.ok(fromShort.ok && areVariantsIdentical(fromShort.value.value, wire.value));
    assert.deepEqual(variantToFileForm(reflection, className, property, wire.value), short[1]);
  });

// Some types have a second full form.
for (const full of [
  { Content: 'None' },
  { Content: { Object: id } },
  { OptionalCFrame: null },
  { PhysicalProperties: 'Default' },
  { Ref: '0'.repeat(32) },
])
  test(`reads ${JSON.stringify(full)} as a full value`, () => {
    const wire = variantFromWire(full);
    assert.ok(wire.ok, wire.ok ? '' : wire.error);
    assert.deepEqual(variantToWire(wire.value), full);
  });
