import type { Ref } from '../../base/brand.ts';

export type Vec2 = readonly [x: number, y: number];
export type Vec3 = readonly [x: number, y: number, z: number];
/** Row-major rotation. */
export type Mat3 = readonly [Vec3, Vec3, Vec3];
export interface CFrame {
  readonly position: Vec3;
  readonly orientation: Mat3;
}
/** At the origin, without rotation. */
export const identityCFrame: CFrame = {
  position: [0, 0, 0],
  orientation: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
};
export interface NumberKeypoint {
  readonly time: number;
  readonly value: number;
  readonly envelope: number;
}
export interface ColorKeypoint {
  readonly time: number;
  readonly color: Vec3;
}
export interface Physical {
  readonly density: number;
  readonly friction: number;
  readonly elasticity: number;
  readonly frictionWeight: number;
  readonly elasticityWeight: number;
  readonly acousticAbsorption?: number;
}
export interface Font {
  readonly family: string;
  /** A FontWeight name. */
  readonly weight: string;
  readonly style: 'Normal' | 'Italic';
  readonly cachedFaceId?: string;
}

/**
 * The payload of each property type, by its name on the wire. Bytes are `Uint8Array`; 64-bit values are `bigint`; there are no angles.
 * `roblox/values/variant-wire.ts` converts them to the encoded form and back, `roblox/instances/equality.ts` compares them.
 */
export interface VariantPayloads {
  Attributes: ReadonlyMap<string, Variant>;
  Axes: readonly ('X' | 'Y' | 'Z')[];
  BinaryString: Uint8Array;
  Bool: boolean;
  BrickColor: number;
  CFrame: CFrame;
  /** 0 to 1. */
  Color3: Vec3;
  /** 0 to 255, whole. */
  Color3uint8: Vec3;
  ColorSequence: readonly ColorKeypoint[];
  Content:
    | { readonly kind: 'none' }
    | { readonly kind: 'uri'; readonly uri: string }
    | { readonly kind: 'object'; readonly ref: Ref };
  ContentId: string;
  Enum: number;
  EnumItem: { readonly type: string; readonly value: number };
  Faces: readonly ('Right' | 'Top' | 'Back' | 'Left' | 'Bottom' | 'Front')[];
  Float32: number;
  Float64: number;
  Font: Font;
  Int32: number;
  Int64: bigint;
  MaterialColors: ReadonlyMap<string, Vec3>;
  NetAssetRef: Uint8Array;
  NumberRange: readonly [min: number, max: number];
  NumberSequence: readonly NumberKeypoint[];
  OptionalCFrame: CFrame | null;
  PhysicalProperties: Physical | 'Default';
  Ray: { readonly origin: Vec3; readonly direction: Vec3 };
  Rect: readonly [min: Vec2, max: Vec2];
  Ref: Ref;
  Region3: readonly [min: Vec3, max: Vec3];
  Region3int16: readonly [min: Vec3, max: Vec3];
  SecurityCapabilities: bigint;
  SharedString: Uint8Array;
  String: string;
  Tags: readonly string[];
  UDim: readonly [scale: number, offset: number];
  UDim2: readonly [x: readonly [scale: number, offset: number], y: readonly [scale: number, offset: number]];
  /** 32 lower-case hex digits. */
  UniqueId: string;
  Vector2: Vec2;
  Vector2int16: Vec2;
  Vector3: Vec3;
  Vector3int16: Vec3;
}
export type VariantType = keyof VariantPayloads;

/** A property value with its type, which is never guessed from the payload. */
export type Variant = {
  readonly [T in VariantType]: { readonly type: T; readonly value: VariantPayloads[T] };
}[VariantType];
