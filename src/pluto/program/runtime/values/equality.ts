import { EnumData } from './data.ts';

/**
 * `==`: numbers, booleans, bytes and strings by value, floats as IEEE has it, `none` with itself, enums by their content, and everything
 * else when it is the same object.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof EnumData && b instanceof EnumData && isSameEnum(a, b));
}

/** Without recursion: a chain of enums may be longer than the stack is high. */
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

/** As keys of maps and elements that are searched for: as `==`, but floats by their bits. */
export const isSameKey = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number' ? Object.is(a, b) : isEqual(a, b);

const view = new DataView(new ArrayBuffer(8));

/** The low 32 bits of the reference's 64-bit hash; more no table needs. Enums by their content. */
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

/** Times 0x9E3779B97F4A7C15. */
const spread = (bits: number): number => Math.imul(bits, 0x7f4a7c15) >>> 0;

/** FNV-1a with 64 bits. */
function hashOfText(text: string): number {
  let hash = 0x84222325;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x1b3);
  return hash >>> 0;
}

const HASHED_LEVELS = 8;

/** What lies deeper than some levels does not count: equality decides. */
function hashOfEnum({ tag, fields }: EnumData, level = 0): number {
  let hash = spread(tag);
  if (level === HASHED_LEVELS) return hash;
  for (const field of fields) {
    const part = field instanceof EnumData ? hashOfEnum(field, level + 1) : hashOf(field);
    hash = (Math.imul(hash, 31) + part) >>> 0;
  }
  return hash;
}
