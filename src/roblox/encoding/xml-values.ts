/** Numbers, texts and vectors in the elements of XML models. */
import { decodeBase64 } from '../../base/base64.ts';
import { shortenFloat32 } from './float32.ts';
import { childOf, escapeXml, type XmlElement } from './xml-element.ts';

/** A known element whose content does not have the form of its type. */
export class XmlValueError extends Error {
  readonly element: XmlElement;
  constructor(expected: string, element: XmlElement) {
    super(`expected ${expected} in <${element.name}>, not ${JSON.stringify(element.text.trim().slice(0, 40))}`);
    this.name = 'XmlValueError';
    this.element = element;
  }
}

type Vec2 = readonly [number, number];
type Vec3 = readonly [number, number, number];

const specialFloats: ReadonlyMap<string, number> = new Map([
  ['inf', Infinity],
  ['+inf', Infinity],
  ['-inf', -Infinity],
  ['nan', NaN],
  ['-nan', NaN],
  ['nan(ind)', NaN],
  ['-nan(ind)', NaN],
]);

/** Reads a number. @throws XmlValueError, like every reader of this file */
export function readDouble(element: XmlElement, text = element.text): number {
  const trimmed = text.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  const special = specialFloats.get(trimmed.toLowerCase());
  if (special === undefined) throw new XmlValueError('a number', element);
  return special;
}

export const readFloat = (element: XmlElement): number => Math.fround(readDouble(element));

export function readWhole(element: XmlElement, min: bigint, max: bigint): bigint {
  const text = element.text.trim();
  const value = /^[+-]?\d{1,20}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (value === undefined || value < min || value > max)
    throw new XmlValueError(`a whole number from ${min} to ${max}`, element);
  return value;
}
export const readInt32 = (element: XmlElement): number => Number(readWhole(element, -(2n ** 31n), 2n ** 31n - 1n));
export const readUint32 = (element: XmlElement): number => Number(readWhole(element, 0n, 2n ** 32n - 1n));
export const readInt16 = (element: XmlElement): number => Number(readWhole(element, -0x8000n, 0x7fffn));

/** The child element of that name, which must exist. */
export function requireChild(element: XmlElement, name: string): XmlElement {
  const found = childOf(element, name);
  if (found === undefined) throw new XmlValueError(`<${name}>`, element);
  return found;
}

export const readVec2 = (element: XmlElement): Vec2 => [
  readFloat(requireChild(element, 'X')),
  readFloat(requireChild(element, 'Y')),
];
export const readVec3 = (element: XmlElement): Vec3 => [
  readFloat(requireChild(element, 'X')),
  readFloat(requireChild(element, 'Y')),
  readFloat(requireChild(element, 'Z')),
];

export function readBytes(element: XmlElement): Uint8Array {
  const decoded = decodeBase64(element.text);
  if (decoded === undefined) throw new XmlValueError('base64', element);
  return decoded;
}

export function readBool(element: XmlElement): boolean {
  const text = element.text.trim().toLowerCase();
  if (text !== 'true' && text !== 'false') throw new XmlValueError('true or false', element);
  return text === 'true';
}

/** Reads floats separated by blanks, in groups of `size`. */
export function readFloatGroups(element: XmlElement, size: number): number[][] {
  const numbers = element.text.split(/\s+/).filter(text => text !== '');
  if (numbers.length % size !== 0) throw new XmlValueError(`numbers in groups of ${size}`, element);
  const floats = numbers.map(text => Math.fround(readDouble(element, text)));
  return Array.from({ length: floats.length / size }, (_, index) => floats.slice(index * size, (index + 1) * size));
}

/** Reads a set of `names` from a number, whose lowest bit is the first name. */
export function readFlags<T extends string>(element: XmlElement, names: readonly T[]): T[] {
  const bits = readUint32(element);
  return names.filter((_, index) => (bits & (1 << index)) !== 0);
}

/** The address in the `<url>` or `<uri>` of an element; empty without one. */
export function readUri(element: XmlElement | undefined): string {
  const inner = element && (childOf(element, 'url') ?? childOf(element, 'uri'));
  return inner?.text ?? '';
}

export const writeTag = (name: string, content: string | number | bigint): string => `<${name}>${content}</${name}>`;

const writeSpecial = (value: number): string => (Number.isNaN(value) ? 'NAN' : value > 0 ? 'INF' : '-INF');
export const writeDouble = (value: number): string =>
  Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : String(value)) : writeSpecial(value);
export const writeFloat = (value: number): string => writeDouble(shortenFloat32(value));
export const writeFloats = (values: readonly number[]): string => values.map(value => `${writeFloat(value)} `).join('');

export const writeVec2 = ([x, y]: Vec2): string => writeTag('X', writeFloat(x)) + writeTag('Y', writeFloat(y));
export const writeVec3 = ([x, y, z]: Vec3): string =>
  writeTag('X', writeFloat(x)) + writeTag('Y', writeFloat(y)) + writeTag('Z', writeFloat(z));

export const writeUri = (value: string): string => writeTag('url', escapeXml(value));

/** The inverse of `readFlags`, and of the bit sets of binary files. */
export const bitsOf = <T>(names: readonly T[], value: readonly T[]): number =>
  names.reduce((sum, name, index) => sum + (value.includes(name) ? 1 << index : 0), 0);
