import { withoutEnd, withoutStart } from './trimming.ts';

const DIGITS = 15;

/** Formats a float like `%.15g` in C. */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const { digits, exponent } = rounded(Math.abs(value));
  const sign = value < 0 ? '-' : '';
  const kept = digits.replace(/0+$/, '');
  if (exponent < -4 || exponent >= DIGITS) {
    const mantissa = kept.length > 1 ? `${kept.charAt(0)}.${kept.slice(1)}` : kept;
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${kept}`;
  const whole = digits.slice(0, exponent + 1);
  const fraction = kept.slice(exponent + 1);
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Formats a float so that JSON readers get the same float, never an int. @returns `nan`, `inf` or `-inf` for what JSON does not have */
export function exactJsonNumber(value: number): string {
  if (!Number.isFinite(value)) return formatFloat(value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** `0.digits × 10^(exponent + 1)` with 15 digits. Exact halves round to even, unlike in JavaScript. */
function rounded(value: number): { readonly digits: string; readonly exponent: number } {
  const nearest = split(value.toExponential(DIGITS - 1));
  if (!split(value.toExponential(DIGITS + 1)).digits.endsWith('50')) return nearest;
  // oxlint-disable-next-line oxc/number-arg-out-of-range -- up to 100 since ES2018
  const exact = split(value.toExponential(100));
  const isHalf = /^50*$/.test(exact.digits.slice(DIGITS));
  const isOdd = Number(nearest.digits.at(-1)) % 2 === 1;
  return isHalf && isOdd ? { digits: exact.digits.slice(0, DIGITS), exponent: exact.exponent } : nearest;
}

function split(text: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', exponent = ''] = text.split('e');
  return { digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

const WHITESPACE = ' \t\n\v\f\r';

// No two adjacent parts match the same digits, so the time is linear.
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?(?:[pP]([+-]?\d+))?$/;
const named = /^([+-]?)(?:(inf|infinity)|nan(?:\(\w*\))?)$/i;

/** Parses a float like C, with surrounding whitespace. @returns `null` unless the whole text is a number */
export function parseFloat64(text: string): number | null {
  const body = withoutStart(withoutEnd(text, WHITESPACE), WHITESPACE);
  if (decimal.test(body)) return Number(body);
  const name = named.exec(body);
  if (name !== null) return name[2] === undefined ? Number.NaN : name[1] === '-' ? -Infinity : Infinity;
  const hex = hexadecimal.exec(body);
  if (hex === null) return null;
  const [, sign, whole = '', fraction = '', power = '0'] = hex;
  if (whole === '' && fraction === '') return null;
  // Digits beyond 53 bits are rounded once, when the integer becomes a float.
  const value = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** Rounds halves away from zero. */
export const roundHalfAway = (value: number): number => {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
};
