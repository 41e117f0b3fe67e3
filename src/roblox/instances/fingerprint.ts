import type { Hasher } from '../../ports/hasher.ts';
import { comparable } from './equality.ts';
import type { Variant } from '../values/variant.ts';

/** Number of hex digits: enough to distinguish two values of one property; not used as a key. */
const DIGITS = 16;

/**
 * A short hash. Values that `areVariantsEqual` treats as equal have the same hash, except floats at the edge of a rounding step. Floats are
 * rounded to five digits.
 *
 * @param nameOfRef the name of a reference that is valid in other sessions
 */
export function variantFingerprint(variant: Variant, hasher: Hasher, nameOfRef: (ref: string) => string): string {
  const value = variant.type === 'Ref' ? nameOfRef(variant.value) : plain(variant);
  return hasher.gitBlob(JSON.stringify([variant.type, value])).slice(0, DIGITS);
}

function plain(variant: Variant): unknown {
  if (variant.type === 'Attributes')
    return Array.from(variant.value, ([name, value]) => [name, value.type, plain(value)]).toSorted(byName);
  return canonical(comparable(variant));
}

/** A canonical form: maps by key, rounded floats, and text for everything that JSON does not have. */
function canonical(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isInteger(value) || !Number.isFinite(value) ? String(value) : String(Number(value.toPrecision(5)));
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Uint8Array) return value.join();
  if (value instanceof Map) return Array.from(value, ([key, item]) => [String(key), canonical(item)]).toSorted(byName);
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .map(([key, item]) => [key, canonical(item)])
    .toSorted(byName);
}

const byName = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);
