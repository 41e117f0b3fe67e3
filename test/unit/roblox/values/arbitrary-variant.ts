import fc from 'fast-check';
import { axisNames, faceNames, fontWeightNames, terrainColors } from '../../../../src/roblox/values/value-names.ts';
import type { Variant, VariantPayloads, VariantType } from '../../../../src/roblox/values/variant.ts';
import type { Ref } from '../../../../src/base/brand.ts';

// Objects with the usual prototype: `assert.deepEqual` compares prototypes.
const record: typeof fc.record = (model: object, constraints?: object) =>
  fc.record(model, { ...constraints, noNullPrototype: true }) as never;
const float32 = fc.float();
const vec2 = fc.tuple(float32, float32);
const vec3 = fc.tuple(float32, float32, float32);
const byte = fc.integer({ min: 0, max: 255 });
const rgb = fc.tuple(byte, byte, byte);
const int16 = fc.integer({ min: -0x8000, max: 0x7fff });
const int16x3 = fc.tuple(int16, int16, int16);
const int32 = fc.integer();
const uint32 = fc.integer({ min: 0, max: 0xffffffff });
const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ unit: 'grapheme' });
const hex32 = fc.stringMatching(/^[0-9a-f]{32}$/);
const ref = hex32.map(digits => digits as Ref);
const udim = fc.tuple(float32, int32);
const cframe = record({ position: vec3, orientation: fc.tuple(vec3, vec3, vec3) });

const payloads: { readonly [T in Exclude<VariantType, 'Attributes'>]: fc.Arbitrary<VariantPayloads[T]> } = {
  Axes: fc.subarray([...axisNames]),
  BinaryString: bytes,
  Bool: fc.boolean(),
  BrickColor: fc.integer({ min: 0, max: 0xffff }),
  CFrame: cframe,
  Color3: vec3,
  Color3uint8: rgb,
  ColorSequence: fc.array(record({ time: float32, color: vec3 }), { maxLength: 4 }),
  Content: fc.oneof(
    fc.constant({ kind: 'none' } as const),
    text.map(uri => ({ kind: 'uri', uri }) as const),
    ref.map(value => ({ kind: 'object', ref: value }) as const),
  ),
  ContentId: text,
  Enum: uint32,
  EnumItem: record({ type: text, value: uint32 }),
  Faces: fc.subarray([...faceNames]),
  Float32: float32,
  Float64: fc.double(),
  Font: record(
    {
      family: text,
      weight: fc.constantFrom(...fontWeightNames),
      style: fc.constantFrom('Normal', 'Italic'),
      cachedFaceId: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ['family', 'weight', 'style'] },
  ),
  Int32: int32,
  Int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  MaterialColors: fc.array(fc.tuple(fc.constantFrom(...terrainColors.keys()), rgb)).map(entries => new Map(entries)),
  NetAssetRef: bytes,
  NumberRange: vec2,
  NumberSequence: fc.array(record({ time: float32, value: float32, envelope: float32 }), { maxLength: 4 }),
  OptionalCFrame: fc.option(cframe),
  PhysicalProperties: fc.oneof(
    fc.constant('Default' as const),
    record({
      density: float32,
      friction: float32,
      elasticity: float32,
      frictionWeight: float32,
      elasticityWeight: float32,
      acousticAbsorption: float32,
    }),
  ),
  Ray: record({ origin: vec3, direction: vec3 }),
  Rect: fc.tuple(vec2, vec2),
  Ref: ref,
  Region3: fc.tuple(vec3, vec3),
  Region3int16: fc.tuple(int16x3, int16x3),
  SecurityCapabilities: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  SharedString: bytes,
  String: text,
  Tags: fc.array(text, { maxLength: 4 }),
  UDim: udim,
  UDim2: fc.tuple(udim, udim),
  UniqueId: hex32,
  Vector2: vec2,
  Vector2int16: fc.tuple(int16, int16),
  Vector3: vec3,
  Vector3int16: int16x3,
};

export const plainTypes = Object.keys(payloads) as Exclude<VariantType, 'Attributes'>[];

/** Any value of one type but Attributes. */
export const variantOf = (type: Exclude<VariantType, 'Attributes'>): fc.Arbitrary<Variant> =>
  (payloads[type] as fc.Arbitrary<unknown>).map(value => ({ type, value }) as Variant);

const plainVariant = fc.oneof(...plainTypes.map(variantOf));

/** Any value of any type. */
export const anyVariant: fc.Arbitrary<Variant> = fc.oneof(
  { weight: 9, arbitrary: plainVariant },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(text, plainVariant), { maxLength: 5 })
      .map((entries): Variant => ({ type: 'Attributes', value: new Map(entries) })),
  },
);
