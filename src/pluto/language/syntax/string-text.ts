import type { SyntaxReport } from './report.ts';

/** The text between the quotes with its escapes decoded. */
export interface DecodedText {
  readonly value: string;
  /** The source position of each code unit of `value`, and of its end; undefined if nothing was escaped. */
  readonly origins: readonly number[] | undefined;
}

const simple: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', '"': '"', '0': '\0' };

/** Decodes `source` from `start` to `end`. An invalid escape is reported and kept as it is. */
export function decodeText(source: string, start: number, end: number, report: SyntaxReport): DecodedText {
  const text = source.slice(start, end);
  // Searches in `text` instead of `source`, whose next backslash may be far behind the string.
  const escapeAt = (from: number): number => {
    const index = text.indexOf('\\', from - start);
    return index < 0 ? end : start + index;
  };
  let at = escapeAt(start);
  if (at === end) return { value: text, origins: undefined };
  const pieces: string[] = [];
  const origins: number[] = [];
  let plain = start;
  while (at < end) {
    for (let index = plain; index < at; index += 1) origins.push(index);
    const escape = readEscape(source, at, end, report);
    pieces.push(source.slice(plain, at), escape.text);
    for (let index = 0; index < escape.text.length; index += 1) origins.push(at);
    plain = escape.end;
    at = escapeAt(plain);
  }
  for (let index = plain; index < end; index += 1) origins.push(index);
  origins.push(end);
  pieces.push(source.slice(plain, end));
  return { value: pieces.join(''), origins };
}

interface Escape {
  readonly text: string;
  readonly end: number;
}

function readEscape(source: string, at: number, end: number, report: SyntaxReport): Escape {
  const letter = at + 1 < end ? source.charAt(at + 1) : '';
  const plain = simple[letter];
  if (plain !== undefined) return { text: plain, end: at + 2 };
  if (letter === 'x') return readHex(source, at, end, report);
  if (letter === 'u') return readUnicode(source, at, end, report);
  const to = Math.min(at + 2, end);
  const message =
    letter === ''
      ? 'unexpected backslash at the end of a string'
      : `unknown escape sequence '\\${letter}': use one of \\n \\r \\t \\\\ \\" \\0 \\xHH \\u{H}`;
  report.error('escape-unknown', { start: at, end: to }, message);
  return { text: source.slice(at, to), end: to };
}

function readHex(source: string, at: number, end: number, report: SyntaxReport): Escape {
  const digits = source.slice(at + 2, Math.min(at + 4, end));
  if (/^[0-9a-fA-F]{2}$/.test(digits)) return { text: String.fromCharCode(parseInt(digits, 16)), end: at + 4 };
  const to = Math.min(at + 2, end);
  report.error('hex-escape-invalid', { start: at, end: to }, 'invalid hex escape: \\x requires two hex digits');
  return { text: source.slice(at, to), end: to };
}

function readUnicode(source: string, at: number, end: number, report: SyntaxReport): Escape {
  const fail = (why: string, to: number): Escape => {
    const stop = Math.min(to, end);
    report.error('unicode-escape-invalid', { start: at, end: stop }, `invalid unicode escape: ${why}`);
    return { text: source.slice(at, stop), end: stop };
  };
  if (source.charAt(at + 2) !== '{') return fail("expected '{' after \\u", at + 2);
  // Seven digits are enough to detect too many.
  const digits = /^[0-9a-fA-F]{0,7}/.exec(source.slice(at + 3, Math.min(at + 10, end)))?.[0] ?? '';
  const close = at + 3 + digits.length;
  if (digits.length > 6) return fail('at most 6 hex digits', close);
  if (close >= end) return fail("missing closing '}'", close);
  if (source.charAt(close) !== '}') return fail(`'${source.charAt(close)}' is not a hex digit`, close + 1);
  if (digits === '') return fail('no digits', close + 1);
  const code = parseInt(digits, 16);
  if (code >= 0xd800 && code <= 0xdfff) return fail('a surrogate is not a character', close + 1);
  if (code > 0x10ffff) return fail('above U+10FFFF', close + 1);
  return { text: String.fromCodePoint(code), end: close + 1 };
}
