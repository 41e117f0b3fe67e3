import { axisNames, faceNames, fontWeightNames, terrainColors } from '../../src/roblox/values/value-names.ts';
import type { VariantType } from '../../src/roblox/values/variant.ts';
import { anyOf, list, object, oneOfNames, type Schema, text, tuple } from './json-schema.ts';

const whole = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });
/** JSON has no infinities. */
const number = anyOf({ type: 'number' }, oneOfNames(['Infinity', '-Infinity', 'NaN']));
/** Numbers beyond 53 bits are strings of digits. */
const whole64 = anyOf({ type: 'integer' }, { type: 'string', pattern: '^-?\\d{1,20}$' });
const int16 = whole(-0x8000, 0x7fff);
const int32 = whole(-0x80000000, 0x7fffffff);
const vec2 = tuple(number, 2);
const vec3 = tuple(number, 3);
const bytes: Schema = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' };
const id: Schema = { type: 'string', pattern: '^[0-9a-fA-F]{1,32}$' };
const rgb = tuple(whole(0, 255), 3);
const udim: Schema = { type: 'array', items: [number, int32], minItems: 2, maxItems: 2 };
const all = (properties: Readonly<Record<string, Schema>>): Schema => object(properties, Object.keys(properties));
const cframe = all({ position: vec3, orientation: tuple(vec3, 3) });
const physical = {
  density: number,
  friction: number,
  elasticity: number,
  frictionWeight: number,
  elasticityWeight: number,
};

/** Schemas of the full form of a value (`{"<type>": …}`), by type. */
export const payloads: { readonly [T in Exclude<VariantType, 'Attributes'>]: Schema } = {
  Axes: list(oneOfNames(axisNames)),
  BinaryString: bytes,
  Bool: { type: 'boolean' },
  BrickColor: whole(0, 0xffff),
  CFrame: cframe,
  Color3: vec3,
  Color3uint8: rgb,
  ColorSequence: all({ keypoints: list(all({ time: number, color: vec3 })) }),
  Content: anyOf(oneOfNames(['None']), all({ Uri: text }), all({ Object: id })),
  ContentId: text,
  Enum: whole(0, 0xffffffff),
  EnumItem: all({ type: text, value: whole(0, 0xffffffff) }),
  Faces: list(oneOfNames(faceNames)),
  Float32: number,
  Float64: number,
  Font: object(
    {
      family: text,
      weight: oneOfNames(fontWeightNames),
      style: oneOfNames(['Normal', 'Italic']),
      cachedFaceId: { type: ['string', 'null'] },
    },
    ['family', 'weight', 'style'],
  ),
  Int32: int32,
  Int64: whole64,
  MaterialColors: object(Object.fromEntries(Array.from(terrainColors.keys(), name => [name, rgb]))),
  NetAssetRef: bytes,
  NumberRange: vec2,
  NumberSequence: all({ keypoints: list(all({ time: number, value: number, envelope: number })) }),
  OptionalCFrame: anyOf({ type: 'null' }, cframe),
  PhysicalProperties: anyOf(
    oneOfNames(['Default']),
    object({ ...physical, acousticAbsorption: number }, Object.keys(physical)),
  ),
  Ray: all({ origin: vec3, direction: vec3 }),
  Rect: tuple(vec2, 2),
  Ref: id,
  Region3: tuple(vec3, 2),
  Region3int16: tuple(tuple(int16, 3), 2),
  SecurityCapabilities: whole64,
  SharedString: bytes,
  String: text,
  Tags: list(text),
  UDim: udim,
  UDim2: tuple(udim, 2),
  UniqueId: id,
  Vector2: vec2,
  Vector2int16: tuple(int16, 2),
  Vector3: vec3,
  Vector3int16: tuple(int16, 3),
};

/** Types whose values have a short form, which Roblox's declared type determines. Enums are written as names of items. */
export const shortForms: Readonly<Partial<Record<VariantType, Schema>>> = {
  Attributes: { $ref: '#/definitions/fullAttributes' },
  Bool: payloads.Bool,
  CFrame: tuple(number, 12),
  Color3: vec3,
  Content: text,
  ContentId: text,
  Float32: number,
  Float64: number,
  Font: payloads.Font,
  Int32: { type: 'number' },
  Int64: { type: 'number' },
  MaterialColors: payloads.MaterialColors,
  String: text,
  Tags: list(text),
  Vector2: vec2,
  Vector3: vec3,
};
