import { NULL_REF } from '../../instances/ref.ts';
import type { Reflection } from '../../instances/reflection.ts';
import { identityCFrame, type Variant, type VariantPayloads, type VariantType } from '../../instances/variant.ts';
import { writeFileProperties } from '../file-properties.ts';

/** What an instance gets that lacks a property which others of its class have: the default of the class, else nothing of that type. */
export function fillerFor(reflection: Reflection, className: string, fileName: string, type: VariantType): Variant {
  const known = reflection.defaultOf(className, fileName);
  const written =
    known && new Map(writeFileProperties(reflection, className, new Map([[fileName, known]]))).get(fileName);
  // Every payload in the table is of its own type; TypeScript cannot follow the pair through the union.
  return written ?? ({ type, value: nothing[type] } as Variant);
}

const noBytes = new Uint8Array();

const nothing: VariantPayloads = {
  Attributes: new Map(),
  Axes: [],
  BinaryString: noBytes,
  Bool: false,
  // Medium stone grey, which the engine takes for everything unknown.
  BrickColor: 194,
  CFrame: identityCFrame,
  Color3: [0, 0, 0],
  Color3uint8: [0, 0, 0],
  ColorSequence: [
    { time: 0, color: [1, 1, 1] },
    { time: 1, color: [1, 1, 1] },
  ],
  Content: { kind: 'none' },
  ContentId: '',
  Enum: 0,
  EnumItem: { type: '', value: 0 },
  Faces: [],
  Float32: 0,
  Float64: 0,
  Font: { family: 'rbxasset://fonts/families/SourceSansPro.json', weight: 'Regular', style: 'Normal' },
  Int32: 0,
  Int64: 0n,
  MaterialColors: new Map(),
  NetAssetRef: noBytes,
  NumberRange: [0, 0],
  NumberSequence: [
    { time: 0, value: 0, envelope: 0 },
    { time: 1, value: 0, envelope: 0 },
  ],
  OptionalCFrame: null,
  PhysicalProperties: 'Default',
  Ray: { origin: [0, 0, 0], direction: [0, 0, 0] },
  Rect: [
    [0, 0],
    [0, 0],
  ],
  Ref: NULL_REF,
  Region3: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  Region3int16: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  SecurityCapabilities: 0n,
  SharedString: noBytes,
  String: '',
  Tags: [],
  UDim: [0, 0],
  UDim2: [
    [0, 0],
    [0, 0],
  ],
  UniqueId: '0'.repeat(32),
  Vector2: [0, 0],
  Vector2int16: [0, 0],
  Vector3: [0, 0, 0],
  Vector3int16: [0, 0, 0],
};
