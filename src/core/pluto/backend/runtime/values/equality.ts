import { EnumData } from './data.ts';

/**
 * `==`: numbers, booleans, bytes and strings by value, floats as IEEE has it, `none` with itself, enums by their content, and everything
 * else when it is the same object.
 */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!(a instanceof EnumData && b instanceof EnumData) || a.variant !== b.variant) return false;
  return a.fields.every((field, index) => isEqual(field, b.fields[index]));
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

function hashOfEnum({ tag, fields }: EnumData): number {
  let hash = spread(tag);
  for (const field of fields) hash = (Math.imul(hash, 31) + hashOf(field)) >>> 0;
  return hash;
}
