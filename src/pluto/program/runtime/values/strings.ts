import type { ByteText } from './byte-text.ts';
import { bytesOfText } from './byte-text.ts';
import { List, Bytes, placeInside } from './collections.ts';
import { type CompactInt, compactInts } from './compact-ints.ts';
import { fail } from './failures.ts';
import { parseFloat64 } from './floats.ts';
import { parseInt64 } from './ints.ts';
import { requireSpace } from './space.ts';
import { withoutEnd, withoutStart } from './trimming.ts';

const LONGEST = 2 ** 29 - 24;

const WHITESPACE = ' \t\n\r';

// oxlint-disable-next-line no-control-regex -- control characters are part of ASCII
const isAscii = (text: ByteText): boolean => /^[\x00-\x7f]*$/.test(text);

/** @param part not empty */
function countOf(text: ByteText, part: ByteText): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** A text of this length has too few parts to need much memory. */
const MANY_PARTS = 2 ** 20;

function parts(text: ByteText, separator: ByteText): ByteText[] {
  if (text.length > MANY_PARTS) requireSpace(separator === '' ? text.length : countOf(text, separator));
  return text.split(separator);
}

/** Methods of `string` by their Pluto names, with the string as the first parameter. Lengths and indices are in bytes. */
export const stringMethods = {
  len: (text: ByteText): number => text.length,
  is_empty: (text: ByteText): boolean => text === '',
  is_whitespace: (text: ByteText): boolean => /^[ \t\n\r]*$/.test(text),
  trim: (text: ByteText): ByteText => withoutStart(withoutEnd(text, WHITESPACE), WHITESPACE),
  trim_start: (text: ByteText): ByteText => withoutStart(text, WHITESPACE),
  trim_end: (text: ByteText): ByteText => withoutEnd(text, WHITESPACE),
  to_upper: (text: ByteText): ByteText =>
    isAscii(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, letters => letters.toUpperCase()),
  to_lower: (text: ByteText): ByteText =>
    isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, letters => letters.toLowerCase()),
  contains: (text: ByteText, part: ByteText): boolean => text.includes(part),
  starts_with: (text: ByteText, part: ByteText): boolean => text.startsWith(part),
  ends_with: (text: ByteText, part: ByteText): boolean => text.endsWith(part),
  index_of: (text: ByteText, part: ByteText): number => text.indexOf(part),
  last_index_of: (text: ByteText, part: ByteText): number => text.lastIndexOf(part),
  count: (text: ByteText, part: ByteText): number => (part === '' ? 0 : countOf(text, part)),
  char_at: (text: ByteText, index: CompactInt): ByteText =>
    typeof index === 'number' && index >= 0 && index < text.length
      ? text.charAt(index)
      : text.charAt(placeInside(index, text.length, 'string')),
  byte_at: (text: ByteText, index: CompactInt): number =>
    text.charCodeAt(placeInside(index, text.length, 'string byte_at')),
  substring(text: ByteText, start: CompactInt, length: CompactInt): ByteText {
    const from = Math.min(Math.max(Number(start), 0), text.length);
    return text.slice(from, from + Math.max(Number(length), 0));
  },
  replace: (text: ByteText, old: ByteText, by: ByteText): ByteText => (old === '' ? text : parts(text, old).join(by)),
  split: (text: ByteText, separator: ByteText): List<ByteText> => new List(parts(text, separator)),
  repeat(text: ByteText, times: CompactInt): ByteText {
    if (times <= 0 || text === '') return '';
    return Number(times) * text.length > LONGEST ? fail('pluto: string is too long') : text.repeat(Number(times));
  },
  to_int(text: ByteText): CompactInt | null {
    const value = parseInt64(text);
    return value === null ? null : compactInts.compact(value);
  },
  to_float: parseFloat64,
  to_bytes(text: ByteText): Bytes {
    requireSpace(text.length);
    return new Bytes(Array.from(bytesOfText(text)));
  },
} as const;
