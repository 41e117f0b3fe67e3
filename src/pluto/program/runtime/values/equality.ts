import { EnumData } from './data.ts';

/**
 * `==`: numbers, booleans, bytes, strings and enums by value, floats by IEEE 754, everything
 * else by identity.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof EnumData && b instanceof EnumData && isSameEnum(a, b));
}

/** Compares enums without recursion, because a chain of enums may be deeper than the stack. */
function isSameEnum(first: EnumData, second: EnumData): boolean {
  const open: [EnumData, EnumData][] = [[first, second]];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (a.variant !== b.variant) return false;
    for (const [index, field] of a.fields.entries()) {
      const other = b.fields[index];
      if (field === other) continue;
      if (!(field instanceof EnumData && other instanceof EnumData)) return false;
      open.push([field, other]);
    }
  }
  return true;
}

/** Equality of map keys and searched elements: like `==`, but floats by their bits. */
export const isSameKey = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Object.is(a, b) : isEqual(a, b);

const view = new DataView(new ArrayBuffer(8));

/** The low 32 bits of the 64-bit hash of Pluto, which is enough for any table. Enums are hashed by content. */
export function hashOf(key: unknown): number {
  switch (typeof key) {
    case 'string':
      return hashOfText(key);
    case 'bigint':
      return spread(Number(BigInt.asUintN(32, key)));
    case 'boolean':
      return spread(Number(key));
    case 'number':
      view.setFloat64(0, key);
      return spread(view.getUint32(4));
    default:
      return key instanceof EnumData ? hashOfEnum(key) : spread(Number(key));
  }
}

/** The hash of an int that is a safe number: of its low 32 bits. */
export const hashOfInt = (value: number): number => spread(value >>> 0);

/** Multiplies by 0x9E3779B97F4A7C15. */
const spread = (bits: number): number => Math.imul(bits, 0x7f4a7c15) >>> 0;

/** 64-bit FNV-1a. */
export function hashOfText(text: string): number {
  let hash = 0x84222325;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x1b3);
  return hash >>> 0;
}

const HASHED_LEVELS = 8;

/** Deeper levels do not affect the hash; `isSameKey` compares them. */
function hashOfEnum({ tag, fields }: EnumData, level = 0): number {
  let hash = spread(tag);
  if (level === HASHED_LEVELS) return hash;
  for (const field of fields) {
    const part = field instanceof EnumData ? hashOfEnum(field, level + 1) : hashOfField(field);
    hash = (Math.imul(hash, 31) + part) >>> 0;
  }
  return hash;
}

/** A float without a fraction has the hash of the int, because a field may be either. */
const hashOfField = (field: unknown): number =>
  typeof field === 'number' && Number.isSafeInteger(field) ? hashOfInt(field) : hashOf(field);
