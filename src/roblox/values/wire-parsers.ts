/** Parsers of raw (JSON or msgpack) values. Each returns `undefined` for an invalid value and never throws. */
import type { Mat3, Vec2, Vec3 } from './variant.ts';

export type Parse<T> = (raw: unknown) => T | undefined;

const nonFinite: ReadonlyMap<unknown, number> = new Map([
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['NaN', NaN],
]);

/** JSON has no infinities and no NaN; they are the strings `Infinity`, `-Infinity`, `NaN`. */
export const parseFloat64: Parse<number> = raw =>
  typeof raw === 'number' ? raw : typeof raw === 'bigint' ? Number(raw) : nonFinite.get(raw);

export const parseFloat32: Parse<number> = raw => {
  const number = parseFloat64(raw);
  return number === undefined ? undefined : Math.fround(number);
};

/** Whole numbers from `min` to `max`, inclusive. Luau does not distinguish 3 from 3.0, so whole floats are whole numbers. */
export const parseWhole =
  (min: number, max: number): Parse<number> =>
  raw =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max ? raw + 0 : undefined;

export const parseInt16 = parseWhole(-0x8000, 0x7fff);
export const parseInt32 = parseWhole(-0x80000000, 0x7fffffff);
export const parseByte = parseWhole(0, 255);
export const parseUint32 = parseWhole(0, 0xffffffff);

/** A number, or decimal digits in a string for numbers beyond a double. */
export const parseWhole64 =
  (min: bigint, max: bigint): Parse<bigint> =>
  raw => {
    const isDigits = typeof raw === 'string' && /^-?[0-9]{1,20}$/.test(raw);
    if (!isDigits && typeof raw !== 'bigint' && !(typeof raw === 'number' && Number.isInteger(raw))) return undefined;
    const whole = BigInt(raw);
    return whole >= min && whole <= max ? whole : undefined;
  };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const parseText: Parse<string> = raw => {
  if (typeof raw === 'string') return raw;
  if (!(raw instanceof Uint8Array)) return undefined;
  try {
    return utf8.decode(raw);
  } catch {
    return undefined;
  }
};

export function parseList<T>(raw: unknown, parse: Parse<T>): T[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const list: T[] = [];
  for (const item of raw as readonly unknown[]) {
    const parsed = parse(item);
    if (parsed === undefined) return undefined;
    list.push(parsed);
  }
  return list;
}

const listOf = (raw: unknown, length: number): readonly unknown[] | undefined =>
  Array.isArray(raw) && raw.length === length ? raw : undefined;

export const parsePair =
  <T>(parse: Parse<T>): Parse<readonly [T, T]> =>
  raw => {
    const list = listOf(raw, 2);
    const [a, b] = [parse(list?.[0]), parse(list?.[1])];
    return a === undefined || b === undefined ? undefined : [a, b];
  };

export const parseTriple =
  <T>(parse: Parse<T>): Parse<readonly [T, T, T]> =>
  raw => {
    const list = listOf(raw, 3);
    const [a, b, c] = [parse(list?.[0]), parse(list?.[1]), parse(list?.[2])];
    return a === undefined || b === undefined || c === undefined ? undefined : [a, b, c];
  };

export const parseVec2: Parse<Vec2> = parsePair(parseFloat32);
export const parseVec3: Parse<Vec3> = parseTriple(parseFloat32);
export const parseMat3: Parse<Mat3> = parseTriple(parseVec3);

export type RawRecord = Readonly<Record<string, unknown>>;

/** A plain object, or the empty array, which an empty Lua table becomes. */
export function parseRecord(raw: unknown): RawRecord | undefined {
  if (Array.isArray(raw)) return raw.length === 0 ? {} : undefined;
  if (typeof raw !== 'object' || raw === null || raw instanceof Uint8Array) return undefined;
  return raw as RawRecord;
}

export function parseMap<T>(raw: unknown, parse: (value: unknown, key: string) => T | undefined) {
  const record = parseRecord(raw);
  if (record === undefined) return undefined;
  const map = new Map<string, T>();
  for (const [key, value] of Object.entries(record)) {
    const parsed = parse(value, key);
    if (parsed === undefined) return undefined;
    map.set(key, parsed);
  }
  return map;
}

/** A set of names from `names`; the result is in the order of `names` without duplicates. */
export const parseNames =
  <T extends string>(names: readonly T[]): Parse<readonly T[]> =>
  raw => {
    const given = parseList(raw, parseText);
    if (given === undefined || given.some(name => !(names as readonly string[]).includes(name))) return undefined;
    return names.filter(name => given.includes(name));
  };
