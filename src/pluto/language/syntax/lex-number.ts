import type { SyntaxReport } from './report.ts';

const DOT = 46;
const UNDERSCORE = 95;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);

export interface NumberToken {
  readonly end: number;
  readonly isFloat: boolean;
}

/** The number that starts at `start`, which is a digit. Reports its errors; its token always spans all of it. */
export function scanNumber(text: string, start: number, to: number, report: SyntaxReport): NumberToken {
  const prefix = text.charCodeAt(start) === 48 && start + 1 < to ? text.charCodeAt(start + 1) | 32 : 0;
  if (prefix === 120) return { end: scanHex(text, start, to, report), isFloat: false };
  if (prefix === 98) return { end: scanBinary(text, start, to, report), isFloat: false };
  let end = skipDigits(text, start, to);
  let isFloat = false;
  if (end + 1 < to && text.charCodeAt(end) === DOT && isDigit(text.charCodeAt(end + 1))) {
    isFloat = true;
    end = skipDigits(text, end + 1, to);
  }
  const exponent = scanExponent(text, end, to);
  if (exponent > end) {
    isFloat = true;
    end = exponent;
  }
  if (!isFloat) {
    if (end - start > 18) checkRange(text.slice(start, end), { start, end }, report);
    return { end, isFloat };
  }
  if (end < to && text.charCodeAt(end) === DOT && !(end + 1 < to && text.charCodeAt(end + 1) === DOT)) {
    while (end < to && (text.charCodeAt(end) === DOT || isDigit(text.charCodeAt(end)))) end += 1;
    report.error('float-points', { start, end }, 'multiple decimal points in a number');
  }
  return { end, isFloat };
}

function skipDigits(text: string, at: number, to: number): number {
  let end = at;
  while (end < to) {
    const code = text.charCodeAt(end);
    if (!isDigit(code) && code !== UNDERSCORE) break;
    end += 1;
  }
  return end;
}

/** The end of an exponent at `at`, or `at` without one. */
function scanExponent(text: string, at: number, to: number): number {
  if (at >= to || (text.charCodeAt(at) | 32) !== 101) return at;
  const sign = text.charCodeAt(at + 1);
  const digits = sign === 43 || sign === 45 ? at + 2 : at + 1;
  return digits < to && isDigit(text.charCodeAt(digits)) ? skipDigits(text, digits, to) : at;
}

/** The language reference has one message for all errors in hex literals, so each of them contains it. */
const MALFORMED_HEX = '; the hex literal is malformed or too large to represent';

function scanHex(text: string, start: number, to: number, report: SyntaxReport): number {
  let end = start + 2;
  while (end < to && (isHexDigit(text.charCodeAt(end)) || text.charCodeAt(end) === UNDERSCORE)) end += 1;
  const span = { start, end };
  if (end === start + 2) report.error('hex-digits-expected', span, `expected digits after hex prefix${MALFORMED_HEX}`);
  else checkPrefixed(text.slice(start, end), span, report);
  return end;
}

function scanBinary(text: string, start: number, to: number, report: SyntaxReport): number {
  const end = skipDigits(text, start + 2, to);
  const span = { start, end };
  const digits = text.slice(start + 2, end);
  if (digits === '') report.error('binary-digits-expected', span, 'expected digits after binary prefix');
  else if (/[2-9]/.test(digits)) report.error('binary-digit-invalid', span, 'invalid digit in binary literal');
  else checkPrefixed(text.slice(start, end), span, report);
  return end;
}

function checkPrefixed(raw: string, span: { start: number; end: number }, report: SyntaxReport): void {
  if (raw.charCodeAt(2) === UNDERSCORE || raw.endsWith('_'))
    report.error(
      'digit-separator-misplaced',
      span,
      `expected a digit: '_' is only allowed between digits${/^0x/i.test(raw) ? MALFORMED_HEX : ''}`,
    );
  else checkRange(raw, span, report);
}

/** The digits of the smallest int, which is written with a minus sign before them. */
const MAX_LITERAL = 1n << 63n;
const INT128_LIMIT = 1n << 127n;

function checkRange(raw: string, span: { start: number; end: number }, report: SyntaxReport): void {
  // No number with this many digits fits, and BigInt takes more than linear time for it.
  const value = raw.length > 200 ? INT128_LIMIT : BigInt(raw.replaceAll('_', ''));
  if (value >= INT128_LIMIT) report.error('integer-too-large', span, 'integer literal too large to represent');
  else if (value > MAX_LITERAL)
    report.error('integer-out-of-range', span, 'integer literal out of range: at most 9223372036854775807');
}
