import type { ByteText } from './byte-text.ts';
import { bytesOfText } from './byte-text.ts';
import { List, Bytes, placeInside } from './collections.ts';
import { fail } from './failures.ts';
import { parseFloat64 } from './floats.ts';
import { parseInt64 } from './ints.ts';

const LONGEST = 2 ** 29 - 24;

/** Methods of `string` by their Pluto names, with the string as the first parameter. Lengths and indices are in bytes. */
export const stringMethods = {
  len: (text: ByteText): bigint => BigInt(text.length),
  is_empty: (text: ByteText): boolean => text === '',
  is_whitespace: (text: ByteText): boolean => /^[ \t\n\r]*$/.test(text),
  trim: (text: ByteText): ByteText => text.replace(/^[ \t\n\r]+/, '').replace(/[ \t\n\r]+$/, ''),
  trim_start: (text: ByteText): ByteText => text.replace(/^[ \t\n\r]+/, ''),
  trim_end: (text: ByteText): ByteText => text.replace(/[ \t\n\r]+$/, ''),
  to_upper: (text: ByteText): ByteText => text.replace(/[a-z]+/g, letters => letters.toUpperCase()),
  to_lower: (text: ByteText): ByteText => text.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
  contains: (text: ByteText, part: ByteText): boolean => text.includes(part),
  starts_with: (text: ByteText, part: ByteText): boolean => text.startsWith(part),
  ends_with: (text: ByteText, part: ByteText): boolean => text.endsWith(part),
  index_of: (text: ByteText, part: ByteText): bigint => BigInt(text.indexOf(part)),
  last_index_of: (text: ByteText, part: ByteText): bigint => BigInt(text.lastIndexOf(part)),
  count: (text: ByteText, part: ByteText): bigint => (part === '' ? 0n : BigInt(text.split(part).length - 1)),
  char_at: (text: ByteText, index: bigint): ByteText => text.charAt(placeInside(index, text.length, 'string')),
  byte_at: (text: ByteText, index: bigint): bigint =>
    BigInt(text.charCodeAt(placeInside(index, text.length, 'string byte_at'))),
  substring(text: ByteText, start: bigint, length: bigint): ByteText {
    const from = Math.min(Math.max(Number(start), 0), text.length);
    return text.slice(from, from + Math.max(Number(length), 0));
  },
  replace: (text: ByteText, old: ByteText, by: ByteText): ByteText => (old === '' ? text : text.split(old).join(by)),
  split: (text: ByteText, separator: ByteText): List<ByteText> => new List(text.split(separator)),
  repeat(text: ByteText, times: bigint): ByteText {
    if (times <= 0n || text === '') return '';
    return Number(times) * text.length > LONGEST ? fail('pluto: string is too long') : text.repeat(Number(times));
  },
  to_int: parseInt64,
  to_float: parseFloat64,
  to_bytes: (text: ByteText): Bytes => new Bytes(Array.from(bytesOfText(text))),
} as const;
