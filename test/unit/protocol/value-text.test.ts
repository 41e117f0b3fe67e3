import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyLines, valueText } from '../../../src/protocol/value-text.ts';

const identity = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const readings: readonly [value: Parameters<typeof valueText>[0], type: string, text: string][] = [
  [{ Bool: true }, 'Bool', 'true'],
  [{ String: 'a "b"\n' }, 'String', '"a \\"b\\"\\n"'],
  [{ Float32: 0.30000001192092896 }, 'Float32', '0.3'],
  [{ Int32: 1234567 }, 'Int32', '1234567'],
  [{ Vector3: [0, 5.5, -1] }, 'Vector3', '0, 5.5, -1'],
  [{ Color3: [1, 0.5, 0] }, 'Color3', '255, 128, 0'],
  [{ Color3uint8: [12, 200, 255] }, 'Color3uint8', '12, 200, 255'],
  [{ CFrame: { position: [1, 2, 3], orientation: identity } }, 'CFrame', 'at 1, 2, 3'],
  [
    {
      CFrame: {
        position: [1, 2, 3],
        orientation: [
          [0, 0, 1],
          [0, 1, 0],
          [-1, 0, 0],
        ],
      },
    },
    'CFrame',
    'at 1, 2, 3, rotation 0°, 90°, 0°',
  ],
  [
    {
      CFrame: {
        position: [1, 2, 3],
        orientation: [
          [1, 0, 0],
          [0, 0, -1],
          [0, 1, 0],
        ],
      },
    },
    'CFrame',
    'at 1, 2, 3, rotation [[1, 0, 0], [0, 0, -1], [0, 1, 0]]',
  ],
  [
    { Attributes: { Open: { Bool: false }, Tint: { Color3: [1, 0, 0] } } },
    'Attributes',
    'Open: false, Tint: 255, 0, 0',
  ],
  [{ Attributes: {} }, 'Attributes', 'none'],
  [{ OptionalCFrame: null }, 'OptionalCFrame', 'none'],
  [
    {
      UDim2: [
        [0.5, 10],
        [1, 0],
      ],
    },
    'UDim2',
    '{0.5, 10}, {1, 0}',
  ],
  [{ NumberRange: [1, 2] }, 'NumberRange', '1 to 2'],
  [{ Tags: ['Hot', 'Deadly'] }, 'Tags', 'Hot, Deadly'],
  [{ Tags: [] }, 'Tags', 'none'],
  [{ Font: { family: 'Arial', weight: 'Bold', style: null } }, 'Font', 'Arial, Bold'],
  [{ NumberSequence: { keypoints: [{ time: 0, value: 1, envelope: 0 }] } }, 'NumberSequence', '0 → 1'],
  [{ ColorSequence: { keypoints: [{ time: 0, color: [1, 0, 0] }] } }, 'ColorSequence', '0 → (1, 0, 0)'],
  [{ PhysicalProperties: 'Default' }, 'PhysicalProperties', '"Default"'],
  [{ Attributes: {} }, 'Attributes', 'none'],
  [{ Attributes: [] }, 'Attributes', 'none'],
  [{ SomethingNew: { deep: [1] } }, 'SomethingNew', '{ deep: [1] }'],
  [{}, 'none', 'none'],
  [7, 'number', '7'],
  ['plain', 'string', '"plain"'],
];

for (const [value, type, text] of readings)
  test(`${JSON.stringify(value)} reads ${text}`, () => {
    const shown = valueText(value);
    assert.deepEqual([shown.type, shown.text], [type, text]);
  });

test('returns a swatch for a color, clamped to the visible range', () => {
  assert.deepEqual(valueText({ Color3: [2, -1, 0.5] }).color, [255, 0, 128]);
});

test('shows properties by name, with the names of enum items and of a renamed instance', () => {
  const properties = {
    Transparency: { current: { Float32: 0.5 }, incoming: { Float32: 0.25 } },
    Material: {
      current: { Enum: 256 },
      incoming: { Enum: 272 },
      currentName: 'Plastic',
      incomingName: 'SmoothPlastic',
    },
    changedName: { current: { String: 'Old' }, incoming: { String: 'New' } },
    Shiny: { incoming: { Bool: true } },
  };
  assert.equal(propertyLines(properties, 'current'), 'Material = Plastic\nName = "Old"\nTransparency = 0.5\n');
  assert.equal(
    propertyLines(properties, 'incoming'),
    'Material = SmoothPlastic\nName = "New"\nShiny = true\nTransparency = 0.25\n',
  );
});

test('shows values exactly that differ by less than is shown', () => {
  const properties = { Size: { current: { Float32: 1.0000001 }, incoming: { Float32: 1 } } };
  assert.equal(propertyLines(properties, 'current'), 'Size = {"Float32":1.0000001}\n');
  assert.equal(propertyLines(properties, 'incoming'), 'Size = {"Float32":1}\n');
});

test('shows any value without throwing', () => {
  const types = fc.constantFrom('CFrame', 'Color3', 'UDim2', 'Font', 'Tags', 'NumberSequence', 'NumberRange', 'X');
  fc.assert(
    fc.property(types, fc.jsonValue(), (type, payload) => {
      assert.equal(typeof valueText({ [type]: payload }).text, 'string');
    }),
  );
});

test('shows a reference to no instance as none', () => {
  assert.deepEqual(valueText({ Ref: '0'.repeat(32) }), { type: 'Ref', text: 'none' });
  assert.deepEqual(valueText({ Ref: null }), { type: 'Ref', text: 'none' });
  const id = `${'0'.repeat(31)}1`;
  assert.deepEqual(valueText({ Ref: id }), { type: 'Ref', text: id, reference: id });
});
