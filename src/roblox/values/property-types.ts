import type { VariantPayloads, VariantType } from './variant.ts';
import { attributes } from './attributes.ts';
import { cframe, optionalCFrame } from './cframes.ts';
import { color3, color3uint8, materialColors } from './colors.ts';
import { font } from './fonts.ts';
import { udim, udim2 } from './layout.ts';
import {
  bool,
  brickColor,
  enumItem,
  enumNumber,
  float32,
  float64,
  int32,
  int64,
  securityCapabilities,
} from './numbers.ts';
import { physicalProperties } from './physical-properties.ts';
import type { PropertyType } from './property-type.ts';
import { content, ref } from './references.ts';
import { colorSequence, numberSequence } from './sequences.ts';
import { axes, faces, tags } from './sets.ts';
import { binaryString, contentId, netAssetRef, sharedString, string, uniqueId } from './texts.ts';
import {
  numberRange,
  ray,
  rect,
  region3,
  region3int16,
  vector2,
  vector2int16,
  vector3,
  vector3int16,
} from './vectors.ts';

/** All property types by their names on the wire. Code that distinguishes types uses their descriptors. */
export const propertyTypes: { readonly [T in VariantType]: PropertyType<VariantPayloads[T]> } = {
  Attributes: attributes,
  Axes: axes,
  BinaryString: binaryString,
  Bool: bool,
  BrickColor: brickColor,
  CFrame: cframe,
  Color3: color3,
  Color3uint8: color3uint8,
  ColorSequence: colorSequence,
  Content: content,
  ContentId: contentId,
  Enum: enumNumber,
  EnumItem: enumItem,
  Faces: faces,
  Float32: float32,
  Float64: float64,
  Font: font,
  Int32: int32,
  Int64: int64,
  MaterialColors: materialColors,
  NetAssetRef: netAssetRef,
  NumberRange: numberRange,
  NumberSequence: numberSequence,
  OptionalCFrame: optionalCFrame,
  PhysicalProperties: physicalProperties,
  Ray: ray,
  Rect: rect,
  Ref: ref,
  Region3: region3,
  Region3int16: region3int16,
  SecurityCapabilities: securityCapabilities,
  SharedString: sharedString,
  String: string,
  Tags: tags,
  UDim: udim,
  UDim2: udim2,
  UniqueId: uniqueId,
  Vector2: vector2,
  Vector2int16: vector2int16,
  Vector3: vector3,
  Vector3int16: vector3int16,
};

/**
 * The descriptor of a type, for a payload of that type. TypeScript cannot relate a type and its payload through the union, so only this
 * function relates them.
 */
export const propertyTypeOf = (type: VariantType): PropertyType<VariantPayloads[VariantType]> =>
  propertyTypes[type] as unknown as PropertyType<VariantPayloads[VariantType]>;
