import type { Reflection } from './reflection.ts';
import { propertyTypeOf } from '../values/property-types.ts';
import type { Variant } from '../values/variant.ts';

/**
 * Whether two values are the same to a person. Floats, also inside vectors and other values, may differ by 0.0001 or by 0.01 %, because
 * Studio and files round differently; whole numbers are exact. For comparing Studio with disk. A Color3 equals the Color3uint8 that it
 * rounds to, and an empty content uri means no content: both have two spellings in files.
 */
export const areVariantsEqual = (a: Variant, b: Variant): boolean => compare(a, b, isClose);

/**
 * Compares like `areVariantsEqual`, with exact floats (NaN equals NaN, 0 differs from -0). For comparing files with files, where every digit
 * was written on purpose.
 */
export const areVariantsIdentical = (a: Variant, b: Variant): boolean => compare(a, b, isSame);

/** Compares like `areVariantsEqual`, with the rules of the property. */
export const propertiesEqual = (
  reflection: Reflection,
  className: string,
  name: string,
  a: Variant,
  b: Variant,
): boolean => areVariantsEqual(a, b) || areOneStoredColor(reflection, className, name, a, b);

/**
 * Whether both are colors of a property that Roblox stores in whole bytes (`BasePart.Color`), and differ by less than one byte step:
 * Studio never returns a value between two bytes, and its rounding is undocumented.
 */
export function areOneStoredColor(
  reflection: Reflection,
  className: string,
  name: string,
  a: Variant,
  b: Variant,
): boolean {
  const left = colorBytes(a);
  const right = colorBytes(b);
  const how = reflection.property(className, name)?.serialization;
  if (left === undefined || right === undefined || how?.kind !== 'yes') return false;
  if (reflection.property(className, how.as)?.type !== 'Color3uint8') return false;
  // The difference of two whole bytes as 32-bit floats is not exactly one.
  return left.every((component, index) => Math.abs(component - (right[index] ?? NaN)) < 1 - 1e-3);
}

function colorBytes(variant: Variant): readonly number[] | undefined {
  if (variant.type === 'Color3') return variant.value.map(component => component * 255);
  return variant.type === 'Color3uint8' ? variant.value : undefined;
}

type SameNumber = (a: number, b: number) => boolean;

const isSame: SameNumber = (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b));
const isClose: SameNumber = (a, b) =>
  isSame(a, b) || (Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) < 1e-4 * largest(a, b));
const largest = (a: number, b: number): number => Math.max(1, Math.abs(a), Math.abs(b));

function compare(a: Variant, b: Variant, sameFloat: SameNumber): boolean {
  if (a.type === 'Color3' && b.type === 'Color3uint8') return deepEqual(a.value.map(toByte), b.value, isSame);
  if (a.type === 'Color3uint8' && b.type === 'Color3') return compare(b, a, sameFloat);
  if (a.type !== b.type) return false;
  const { isExact, equal } = propertyTypeOf(a.type);
  if (equal !== undefined) return equal(a.value, b.value, (left, right) => compare(left, right, sameFloat));
  return deepEqual(comparable(a), comparable(b), isExact === true ? isSame : sameFloat);
}

const toByte = (component: number): number => Math.round(Math.min(1, Math.max(0, component)) * 255);

/** The payload in a form in which equal values have equal structure. */
export function comparable(variant: Variant): unknown {
  const form = propertyTypeOf(variant.type).comparable;
  return form === undefined ? variant.value : form(variant.value);
}

function deepEqual(a: unknown, b: unknown, sameNumber: SameNumber): boolean {
  if (typeof a === 'number' && typeof b === 'number') return sameNumber(a, b);
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return areBytesEqual(a, b);
  if (a instanceof Map && b instanceof Map) return mapsEqual(a, b, sameNumber);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index], sameNumber));
  return mapsEqual(new Map(Object.entries(a)), new Map(Object.entries(b)), sameNumber);
}

/** Compares in a plain loop: a callback for each byte takes ten times as long, and meshes have megabytes. */
export function areBytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function mapsEqual(
  a: ReadonlyMap<unknown, unknown>,
  b: ReadonlyMap<unknown, unknown>,
  sameNumber: SameNumber,
): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (!b.has(key) || !deepEqual(value, b.get(key), sameNumber)) return false;
  return true;
}
