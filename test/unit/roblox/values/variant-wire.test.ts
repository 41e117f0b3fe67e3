import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { variantFromWire, variantToWire } from '../../../../src/roblox/values/variant-wire.ts';
import type { Variant } from '../../../../src/roblox/values/variant.ts';
import { anyVariant, plainTypes, variantOf } from './arbitrary-variant.ts';

interface Sample {
  readonly value: Record<string, unknown>;
  readonly ty: string;
}
const samples = JSON.parse(
  readFileSync(new URL('../../../fixtures/wire/all-values.json', import.meta.url), 'utf8'),
) as Record<string, Sample>;

for (const [name, sample] of Object.entries(samples))
  test(`reads and writes the sample ${name} unchanged`, () => {
    const decoded = variantFromWire(sample.value);
    assert.ok(decoded.ok, decoded.ok ? '' : decoded.error);
    assert.equal(decoded.value.type, sample.ty);
    assert.deepEqual(variantToWire(decoded.value), sample.value);
  });

for (const type of plainTypes)
  test(`${type}: reads a written value as the same value`, () => {
    fc.assert(
      fc.property(variantOf(type), variant => {
        assert.deepEqual(variantFromWire(variantToWire(variant)), { ok: true, value: variant });
      }),
    );
  });

test('reads written attributes as the same, for any names', () => {
  fc.assert(
    fc.property(anyVariant, variant =>
      assert.deepEqual(variantFromWire(variantToWire(variant)), { ok: true, value: variant }),
    ),
  );
  const odd: Variant = { type: 'Attributes', value: new Map([['__proto__', { type: 'Bool', value: true }]]) };
  assert.deepEqual(variantFromWire(variantToWire(odd)), { ok: true, value: odd });
});

test('returns a value or a sentence for any JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...plainTypes), fc.jsonValue())), json => {
      const result = variantFromWire(json);
      if (!result.ok) assert.ok(result.error.length > 0);
    }),
  );
});

for (const [what, wire, value] of [
  ['a whole float for an integer', { Int32: 3.0 }, { type: 'Int32', value: 3 }],
  ['an integer for a float', { Float32: 3 }, { type: 'Float32', value: 3 }],
  ['an empty array for an empty map', { Attributes: [] }, { type: 'Attributes', value: new Map() }],
  ['an empty array for no colors', { MaterialColors: [] }, { type: 'MaterialColors', value: new Map() }],
  ['an empty object for an absent optional', {}, { type: 'OptionalCFrame', value: null }],
  ['an empty array for an absent optional', [], { type: 'OptionalCFrame', value: null }],
  ['bytes for text', { String: new Uint8Array([104, 105]) }, { type: 'String', value: 'hi' }],
  ['digits for a number beyond a double', { Int64: '9007199254740993' }, { type: 'Int64', value: 9007199254740993n }],
  ['a word for an infinity', { Float32: '-Infinity' }, { type: 'Float32', value: -Infinity }],
  ['a plain boolean', true, { type: 'Bool', value: true }],
  ['a plain number', 5, { type: 'Float64', value: 5 }],
  ['a plain string', 'hi', { type: 'String', value: 'hi' }],
  ['axes in any order', { Axes: ['Z', 'X'] }, { type: 'Axes', value: ['X', 'Z'] }],
  ['a reference in upper case', { Ref: 'A'.repeat(32) }, { type: 'Ref', value: 'a'.repeat(32) }],
  [
    'a double in a vector, rounded as Studio does',
    { Vector2: [0.1, 0.5] },
    { type: 'Vector2', value: [Math.fround(0.1), 0.5] },
  ],
] as const)
  test(`accepts ${what}`, () => assert.deepEqual(variantFromWire(wire), { ok: true, value }));

for (const [what, wire, expected] of [
  ['a vector that is too short', { Vector3: [1, 2] }, /\[x, y, z\] for Vector3/],
  ['a vector that is too long', { Vector2: [1, 2, 3] }, /\[x, y\]/],
  ['a fraction for an integer', { Int32: 3.5 }, /whole number of 32 bits/],
  ['an integer out of range', { Int32: 2 ** 31 }, /whole number of 32 bits/],
  ['a color byte out of range', { Color3uint8: [0, 0, 256] }, /0 to 255/],
  ['two types at once', { Bool: true, Int32: 1 }, /exactly one type/],
  ['an unknown type', { Quaternion: [0, 0, 0, 1] }, /known property type instead of "Quaternion"/],
  ['a type named like a method', { toString: 1 }, /known property type/],
  ['nothing', null, /"Type": value/],
  ['an unknown material', { MaterialColors: { Lava: [1, 2, 3] } }, /terrain material/],
  ['a font without a weight', { Font: { family: 'x', style: 'Normal' } }, /name of a weight/],
  ['text that is not UTF-8', { String: new Uint8Array([0xff]) }, /a string/],
  ['attributes in attributes', { Attributes: { A: { Attributes: {} } } }, /attribute name/],
  ['a plain value in attributes', { Attributes: { A: 1 } }, /attribute name/],
] as const)
  test(`refuses ${what} with the expected form`, () => {
    const result = variantFromWire(wire);
    assert.ok(!result.ok);
    assert.match(result.error, expected);
  });

test('writes whole numbers beyond 53 bits as digits', () => {
  assert.deepEqual(variantToWire({ type: 'Int64', value: 2n ** 53n - 1n }), { Int64: 9007199254740991 });
  assert.deepEqual(variantToWire({ type: 'Int64', value: 2n ** 53n + 1n }), { Int64: '9007199254740993' });
});
