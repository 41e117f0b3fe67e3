import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { areVariantsIdentical } from '../../../../src/roblox/instances/equality.ts';
import { shortenFloat32 } from '../../../../src/roblox/encoding/float32.ts';
import { attributeToFileForm, variantToFileForm } from '../../../../src/roblox/instances/file-form.ts';
import { resolveAttribute, resolveProperty } from '../../../../src/roblox/instances/resolve.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { exactJsonValue, parseJsonDocument } from '../../../../src/roblox/formats/json5-document.ts';
import { printJson } from '../../../../src/roblox/formats/json5-print.ts';
import { reflection } from '../../../harness/reflection.ts';
import { anyVariant } from '../values/arbitrary-variant.ts';

const inFile = (form: unknown): string => printJson(form, { newline: '\n', indent: ' ' });
const throughFile = (form: unknown): unknown => {
  const document = parseJsonDocument(inFile(form));
  return document.ok ? exactJsonValue(document.value.root) : document.error;
};

const cases: readonly [className: string, property: string, variant: Variant, json: unknown][] = [
  ['Part', 'Material', { type: 'Enum', value: 256 }, 'Plastic'],
  ['Part', 'Material', { type: 'Enum', value: 99999 }, { Enum: 99999 }],
  ['Bogus', 'Material', { type: 'Enum', value: 256 }, { Enum: 256 }],
  ['Part', 'Transparency', { type: 'Float32', value: Math.fround(0.1) }, 0.1],
  ['Part', 'Transparency', { type: 'Float32', value: Infinity }, 'Infinity'],
  ['NumberValue', 'Value', { type: 'Float64', value: 0.1 }, 0.1],
  ['NumberValue', 'Value', { type: 'Float32', value: Math.fround(0.1) }, { Float32: 0.1 }],
  ['ScreenGui', 'DisplayOrder', { type: 'Int32', value: 65 }, 65],
  ['IntValue', 'Value', { type: 'Int64', value: 65n }, 65],
  ['IntValue', 'Value', { type: 'Int64', value: 2n ** 53n + 1n }, { Int64: 9007199254740993n }],
  ['Part', 'Size', { type: 'Vector3', value: [1, Math.fround(0.2), 3] }, [1, 0.2, 3]],
  ['Part', 'Color', { type: 'Color3uint8', value: [1, 2, 3] }, { Color3uint8: [1, 2, 3] }],
  ['Part', 'Bogus', { type: 'Vector3', value: [1, 2, 3] }, { Vector3: [1, 2, 3] }],
  ['ImageLabel', 'ImageContent', { type: 'Content', value: { kind: 'none' } }, ''],
  ['ImageLabel', 'ImageContent', { type: 'Content', value: { kind: 'uri', uri: 'x' } }, 'x'],
  [
    'Frame',
    'Size',
    {
      type: 'UDim2',
      value: [
        [Math.fround(0.1), 1],
        [0, 2],
      ],
    },
    {
      UDim2: [
        [0.1, 1],
        [0, 2],
      ],
    },
  ],
  // A string for a property of another type, whose short form would be read differently.
  ['Terrain', 'SmoothGrid', { type: 'String', value: 'x' }, { String: 'x' }],
  [
    'TextLabel',
    'FontFace',
    { type: 'Font', value: { family: 'a', weight: 'Bold', style: 'Normal' } },
    { family: 'a', weight: 'Bold', style: 'Normal' },
  ],
  ['Folder', 'Tags', { type: 'Tags', value: ['a'] }, ['a']],
];
for (const [className, property, variant, json] of cases)
  test(`writes ${className}.${property} as ${inFile(json)}`, () => {
    assert.deepEqual(variantToFileForm(reflection, className, property, variant), json);
  });

const names = ['Size', 'Material', 'Tags', 'Attributes', 'CFrame', 'Color', 'Name', 'Transparency', 'Bogus'];

test('writes JSON that reads as the same value, for every property', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), anyVariant, (name, variant) => {
      const json = throughFile(variantToFileForm(reflection, 'Part', name, variant));
      const back = resolveProperty(reflection, 'Part', name, json);
      assert.ok(back.ok, back.ok ? '' : back.error);
      assert.ok(areVariantsIdentical(back.value.value, variant), inFile(json));
    }),
    { numRuns: 500 },
  );
});

test('writes attributes in plain form when it is unambiguous, and reads them as the same value', () => {
  assert.equal(attributeToFileForm({ type: 'Float64', value: 1.5 }), 1.5);
  assert.deepEqual(attributeToFileForm({ type: 'Float32', value: 1.5 }), { Float32: 1.5 });
  assert.deepEqual(attributeToFileForm({ type: 'Float64', value: NaN }), { Float64: 'NaN' });
  fc.assert(
    fc.property(
      anyVariant.filter(v => v.type !== 'Attributes'),
      variant => {
        const back = resolveAttribute(throughFile(attributeToFileForm(variant)));
        assert.ok(back.ok && areVariantsIdentical(back.value, variant));
      },
    ),
  );
});

test('writes a float with the fewest digits for the same 32-bit float', () => {
  assert.equal(shortenFloat32(Math.fround(0.1)), 0.1);
  assert.equal(shortenFloat32(Math.fround(196.199997)), 196.2);
  assert.equal(shortenFloat32(0.1), 0.1);
  fc.assert(fc.property(fc.float(), value => assert.ok(Object.is(Math.fround(shortenFloat32(value)), value))));
});
