import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { propertiesEqual, areVariantsEqual, areVariantsIdentical } from '../../../../src/roblox/instances/equality.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { reflection } from '../../../harness/reflection.ts';
import { anyVariant } from '../values/arbitrary-variant.ts';

const number = (value: number): Variant => ({ type: 'Float64', value });

// Values as Studio and files report them.
for (const [a, b, equal] of [
  [0, 0.00009999, true],
  [0, 0.0001, false],
  [1000, 1000.05, true],
  [1000, 1000.1, true],
  [1000, 1000.2, false],
  [1e6, 1000050, true],
  [1e6, 1000200, false],
  [Infinity, Infinity, true],
  [Infinity, -Infinity, false],
  [Infinity, 1e300, false],
  [NaN, NaN, true],
  [NaN, 0, false],
  [0.30000001, 0.3, true],
  [0, -0, true],
] as const)
  test(`compares ${a} and ${b} as ${equal ? 'equal' : 'different'} floats`, () => {
    assert.equal(areVariantsEqual(number(a), number(b)), equal);
    assert.equal(areVariantsEqual(number(b), number(a)), equal);
  });

const pairs: readonly [what: string, a: Variant, b: Variant, equal: boolean][] = [
  ['integers', { type: 'Int32', value: 1000000 }, { type: 'Int32', value: 1000050 }, false],
  ['64-bit integers', { type: 'Int64', value: 2n ** 62n }, { type: 'Int64', value: 2n ** 62n + 1n }, false],
  ['vector components', { type: 'Vector3', value: [1, 2, 3] }, { type: 'Vector3', value: [1, 2, 3.00001] }, true],
  ['vectors', { type: 'Vector3', value: [1, 2, 3] }, { type: 'Vector3', value: [1, 2, 4] }, false],
  [
    '16-bit vectors',
    { type: 'Vector3int16', value: [30000, 0, 0] },
    { type: 'Vector3int16', value: [30001, 0, 0] },
    false,
  ],
  [
    'colors one step apart',
    { type: 'Color3', value: [128 / 255, 0, 0] },
    { type: 'Color3', value: [129 / 255, 0, 0] },
    false,
  ],
  ['scales', { type: 'UDim', value: [0.5, 10] }, { type: 'UDim', value: [0.50001, 10] }, true],
  ['offsets', { type: 'UDim', value: [0.5, 30000] }, { type: 'UDim', value: [0.5, 30001] }, false],
  [
    'offsets of UDim2',
    {
      type: 'UDim2',
      value: [
        [0, 30000],
        [0, 0],
      ],
    },
    {
      type: 'UDim2',
      value: [
        [0, 30001],
        [0, 0],
      ],
    },
    false,
  ],
  ['tags in another order', { type: 'Tags', value: ['a', 'b'] }, { type: 'Tags', value: ['b', 'a'] }, true],
  ['other tags', { type: 'Tags', value: ['a', 'b'] }, { type: 'Tags', value: ['a'] }, false],
  [
    'fonts with another cached face',
    { type: 'Font', value: { family: 'a', weight: 'Bold', style: 'Normal', cachedFaceId: 'x' } },
    { type: 'Font', value: { family: 'a', weight: 'Bold', style: 'Normal' } },
    true,
  ],
  [
    'no content and an empty uri',
    { type: 'Content', value: { kind: 'none' } },
    { type: 'Content', value: { kind: 'uri', uri: '' } },
    true,
  ],
  [
    'absent acoustics',
    {
      type: 'PhysicalProperties',
      value: { density: 1, friction: 1, elasticity: 1, frictionWeight: 1, elasticityWeight: 1 },
    },
    {
      type: 'PhysicalProperties',
      value: { density: 1, friction: 1, elasticity: 1, frictionWeight: 1, elasticityWeight: 1, acousticAbsorption: 1 },
    },
    true,
  ],
  [
    'a color and its bytes',
    { type: 'Color3', value: [0.639216, 0.635294, 0.647059] },
    { type: 'Color3uint8', value: [163, 162, 165] },
    true,
  ],
  [
    'a color and other bytes',
    { type: 'Color3uint8', value: [163, 162, 166] },
    { type: 'Color3', value: [0.639216, 0.635294, 0.647059] },
    false,
  ],
  ['two types', { type: 'Float32', value: 1 }, { type: 'Float64', value: 1 }, false],
  ['strings', { type: 'String', value: 'a' }, { type: 'String', value: 'A' }, false],
  [
    'bytes',
    { type: 'BinaryString', value: new Uint8Array([1, 2]) },
    { type: 'BinaryString', value: new Uint8Array([1, 3]) },
    false,
  ],
  [
    'attributes of one value',
    { type: 'Attributes', value: new Map([['A', number(1)]]) },
    { type: 'Attributes', value: new Map([['A', number(1.00001)]]) },
    true,
  ],
  [
    'attributes of two names',
    { type: 'Attributes', value: new Map([['A', number(1)]]) },
    { type: 'Attributes', value: new Map([['B', number(1)]]) },
    false,
  ],
  [
    'an attribute of two types',
    { type: 'Attributes', value: new Map<string, Variant>([['A', { type: 'Int32', value: 1000000 }]]) },
    { type: 'Attributes', value: new Map<string, Variant>([['A', { type: 'Int32', value: 1000050 }]]) },
    false,
  ],
];
for (const [what, a, b, equal] of pairs)
  test(`compares as ${equal ? 'equal' : 'different'}: ${what}`, () => {
    assert.equal(areVariantsEqual(a, b), equal);
    assert.equal(areVariantsEqual(b, a), equal);
  });

test('compares colors by bytes where Roblox stores bytes, and as floats elsewhere', () => {
  const written: Variant = { type: 'Color3', value: [0.3, 0.55, 0.1] };
  const bytes = (...value: readonly [number, number, number]): Variant => ({
    type: 'Color3',
    value: [Math.fround(value[0] / 255), Math.fround(value[1] / 255), Math.fround(value[2] / 255)],
  });
  const same = (className: string, a: Variant, b: Variant) => propertiesEqual(reflection, className, 'Color', a, b);
  assert.ok(same('Part', written, bytes(76, 140, 25)));
  assert.ok(same('Part', bytes(77, 141, 26), written));
  assert.ok(same('Part', written, { type: 'Color3uint8', value: [76, 140, 26] }));
  assert.ok(!same('Part', written, bytes(75, 140, 26)));
  assert.ok(!same('Part', bytes(76, 140, 26), bytes(76, 140, 27)));
  assert.ok(!same('PointLight', written, bytes(76, 140, 26)));
});

test('distinguishes close values by identity', () => {
  assert.ok(!areVariantsIdentical(number(1), number(1.00001)));
  assert.ok(areVariantsIdentical(number(NaN), number(NaN)));
});

test('compares every value as equal and identical to itself', () => {
  fc.assert(
    fc.property(anyVariant, anyVariant, (a, b) => {
      assert.ok(areVariantsEqual(a, structuredClone(a)));
      assert.ok(areVariantsIdentical(a, structuredClone(a)));
      if (areVariantsIdentical(a, b)) assert.ok(areVariantsEqual(a, b));
      assert.equal(areVariantsEqual(a, b), areVariantsEqual(b, a));
    }),
  );
});
