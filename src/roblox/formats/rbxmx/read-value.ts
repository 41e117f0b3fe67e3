import type { Ref } from '../../../base/brand.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import { NULL_REF, parseRef } from '../../instances/ref.ts';
import { axisNames, faceNames, fontWeightNames } from '../../instances/value-names.ts';
import type { CFrame, Font, Physical, Variant, Vec2, Vec3 } from '../../instances/variant.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/**
 * Reads the value of a property element by the name of the element; `undefined` for an element that is not known.
 * Shared strings are not here: their bytes stand at the end of the file.
 * @throws XmlValueError for a known element that holds something else
 */
export function readValue(element: XmlElement): Variant | undefined {
  return Object.hasOwn(readers, element.name) ? readers[element.name]?.(element) : undefined;
}

export class XmlValueError extends Error {
  readonly element: XmlElement;
  constructor(expected: string, element: XmlElement) {
    super(`expected ${expected} in <${element.name}>, not ${JSON.stringify(element.text.trim().slice(0, 40))}`);
    this.name = 'XmlValueError';
    this.element = element;
  }
}

const specialFloats: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
  ['-nan', NaN],
  ['nan(ind)', NaN],
  ['-nan(ind)', NaN],
]);

function double(element: XmlElement, text = element.text): number {
  const trimmed = text.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  const special = specialFloats.get(trimmed.toLowerCase());
  if (special === undefined) throw new XmlValueError('a number', element);
  return special;
}

const float = (element: XmlElement): number => Math.fround(double(element));

function whole(element: XmlElement, min: bigint, max: bigint): bigint {
  const text = element.text.trim();
  const value = /^[+-]?\d{1,20}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (value === undefined || value < min || value > max)
    throw new XmlValueError(`a whole number from ${min} to ${max}`, element);
  return value;
}
const int = (element: XmlElement): number => Number(whole(element, -(2n ** 31n), 2n ** 31n - 1n));
const uint = (element: XmlElement): number => Number(whole(element, 0n, 2n ** 32n - 1n));
const int16 = (element: XmlElement): number => Number(whole(element, -0x8000n, 0x7fffn));

function child(element: XmlElement, name: string): XmlElement {
  const found = childOf(element, name);
  if (found === undefined) throw new XmlValueError(`<${name}>`, element);
  return found;
}

const vec2 = (e: XmlElement): Vec2 => [float(child(e, 'X')), float(child(e, 'Y'))];
const vec3 = (e: XmlElement): Vec3 => [float(child(e, 'X')), float(child(e, 'Y')), float(child(e, 'Z'))];

function cframe(e: XmlElement): CFrame {
  const row = (n: number): Vec3 => [float(child(e, `R${n}0`)), float(child(e, `R${n}1`)), float(child(e, `R${n}2`))];
  return { position: vec3(e), orientation: [row(0), row(1), row(2)] };
}

function bytes(element: XmlElement): Uint8Array {
  const decoded = decodeBase64(element.text);
  if (decoded === undefined) throw new XmlValueError('base64', element);
  return decoded;
}

function bool(element: XmlElement): boolean {
  const text = element.text.trim().toLowerCase();
  if (text !== 'true' && text !== 'false') throw new XmlValueError('true or false', element);
  return text === 'true';
}

/** Numbers separated by blanks, in groups of `size`. */
function groups(element: XmlElement, size: number): number[][] {
  const numbers = element.text.split(/\s+/).filter(text => text !== '');
  if (numbers.length % size !== 0) throw new XmlValueError(`numbers in groups of ${size}`, element);
  const floats = numbers.map(text => Math.fround(double(element, text)));
  return Array.from({ length: floats.length / size }, (_, index) => floats.slice(index * size, (index + 1) * size));
}

const packedColor = (packed: number): Vec3 => [(packed >>> 16) & 255, (packed >>> 8) & 255, packed & 255];

function color3(element: XmlElement): Variant {
  // Old files hold one number instead of three.
  if (element.children.length === 0) return { type: 'Color3uint8', value: packedColor(uint(element)) };
  return {
    type: 'Color3',
    value: [float(child(element, 'R')), float(child(element, 'G')), float(child(element, 'B'))],
  };
}

/** Which of `names` a number of flags means; the first name is the lowest bit. */
function flags<T extends string>(element: XmlElement, names: readonly T[]): T[] {
  const bits = uint(element);
  return names.filter((_, index) => (bits & (1 << index)) !== 0);
}

const uriOf = (element: XmlElement | undefined): string => {
  const inner = element && (childOf(element, 'url') ?? childOf(element, 'uri'));
  return inner?.text ?? '';
};

function content(element: XmlElement): Variant {
  const [inner] = element.children;
  switch (inner?.name) {
    case 'url':
      return { type: 'ContentId', value: inner.text };
    case 'uri':
      return { type: 'Content', value: { kind: 'uri', uri: inner.text } };
    case 'Ref':
      return { type: 'Content', value: { kind: 'object', ref: referent(inner) } };
    case undefined:
      return { type: 'ContentId', value: element.text.trim() };
    default:
      return { type: 'Content', value: { kind: 'none' } };
  }
}

// Referents of a model stand where Refs will be, until the model is given ids.
const referent = (element: XmlElement): Ref => {
  const text = element.text.trim();
  return isNoReferent(text) ? NULL_REF : (text as Ref);
};

/** Texts that stand for no instance, and so can be nobody's referent. */
export const isNoReferent = (text: string | undefined): boolean =>
  text === undefined || text === '' || text === 'null' || text === 'nil' || text === NULL_REF;

function font(e: XmlElement): Font {
  const weight = fontWeightNames[uint(child(e, 'Weight')) / 100 - 1] ?? 'Regular';
  const style = childOf(e, 'Style')?.text.trim() === 'Italic' ? 'Italic' : 'Normal';
  const family = uriOf(child(e, 'Family'));
  const cachedFaceId = uriOf(childOf(e, 'CachedFaceId'));
  return cachedFaceId === '' ? { family, weight, style } : { family, weight, style, cachedFaceId };
}

function physical(e: XmlElement): Physical | 'Default' {
  if (!bool(child(e, 'CustomPhysics'))) return 'Default';
  const acoustic = childOf(e, 'AcousticAbsorption');
  return {
    density: float(child(e, 'Density')),
    friction: float(child(e, 'Friction')),
    elasticity: float(child(e, 'Elasticity')),
    frictionWeight: float(child(e, 'FrictionWeight')),
    elasticityWeight: float(child(e, 'ElasticityWeight')),
    acousticAbsorption: acoustic === undefined ? 1 : float(acoustic),
  };
}

function uniqueId(element: XmlElement): string {
  const digits = parseRef(element.text.trim());
  if (digits === undefined) throw new XmlValueError('32 hex digits', element);
  return digits;
}

function numberRange(element: XmlElement): Vec2 {
  const [[min = 0, max = 0] = [], ...rest] = groups(element, 2);
  if (rest.length > 0) throw new XmlValueError('two numbers', element);
  return [min, max];
}

const readers: Readonly<Record<string, (element: XmlElement) => Variant>> = {
  Axes: e => ({ type: 'Axes', value: flags(child(e, 'axes'), axisNames) }),
  BinaryString: e => ({ type: 'BinaryString', value: bytes(e) }),
  bool: e => ({ type: 'Bool', value: bool(e) }),
  BrickColor: e => ({ type: 'BrickColor', value: uint(e) }),
  Color3: color3,
  Color3uint8: e => ({ type: 'Color3uint8', value: packedColor(uint(e)) }),
  ColorSequence: e => ({
    type: 'ColorSequence',
    value: groups(e, 5).map(([time = 0, r = 0, g = 0, b = 0]) => ({ time, color: [r, g, b] as const })),
  }),
  Content: content,
  ContentId: content,
  CoordinateFrame: e => ({ type: 'CFrame', value: cframe(e) }),
  double: e => ({ type: 'Float64', value: double(e) }),
  Faces: e => ({ type: 'Faces', value: flags(child(e, 'faces'), faceNames) }),
  float: e => ({ type: 'Float32', value: float(e) }),
  Font: e => ({ type: 'Font', value: font(e) }),
  int: e => ({ type: 'Int32', value: int(e) }),
  int64: e => ({ type: 'Int64', value: whole(e, -(2n ** 63n), 2n ** 63n - 1n) }),
  NumberRange: e => ({ type: 'NumberRange', value: numberRange(e) }),
  NumberSequence: e => ({
    type: 'NumberSequence',
    value: groups(e, 3).map(([time = 0, value = 0, envelope = 0]) => ({ time, value, envelope })),
  }),
  OptionalCoordinateFrame: e => {
    const inner = childOf(e, 'CFrame');
    return { type: 'OptionalCFrame', value: inner ? cframe(inner) : null };
  },
  PhysicalProperties: e => ({ type: 'PhysicalProperties', value: physical(e) }),
  ProtectedString: e => ({ type: 'String', value: e.text }),
  Ray: e => ({ type: 'Ray', value: { origin: vec3(child(e, 'origin')), direction: vec3(child(e, 'direction')) } }),
  Rect2D: e => ({ type: 'Rect', value: [vec2(child(e, 'min')), vec2(child(e, 'max'))] }),
  Ref: e => ({ type: 'Ref', value: referent(e) }),
  SecurityCapabilities: e => ({
    type: 'SecurityCapabilities',
    value: BigInt.asUintN(64, whole(e, -(2n ** 63n), 2n ** 64n - 1n)),
  }),
  string: e => ({ type: 'String', value: e.text }),
  token: e => ({ type: 'Enum', value: uint(e) }),
  UDim: e => ({ type: 'UDim', value: [float(child(e, 'S')), int(child(e, 'O'))] }),
  UDim2: e => ({
    type: 'UDim2',
    value: [
      [float(child(e, 'XS')), int(child(e, 'XO'))],
      [float(child(e, 'YS')), int(child(e, 'YO'))],
    ],
  }),
  UniqueId: e => ({ type: 'UniqueId', value: uniqueId(e) }),
  Vector2: e => ({ type: 'Vector2', value: vec2(e) }),
  Vector2int16: e => ({ type: 'Vector2int16', value: [int16(child(e, 'X')), int16(child(e, 'Y'))] }),
  Vector3: e => ({ type: 'Vector3', value: vec3(e) }),
  Vector3int16: e => ({
    type: 'Vector3int16',
    value: [int16(child(e, 'X')), int16(child(e, 'Y')), int16(child(e, 'Z'))],
  }),
};
