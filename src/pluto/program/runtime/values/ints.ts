import { fail } from './failures.ts';

/** Wraps to 64 bits, two's complement. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

const MIN_INT = -(1n << 63n);
const MAX_INT = (1n << 63n) - 1n;

/** Truncates toward zero. @throws Failure for division by zero and for overflow */
export function divide(a: bigint, b: bigint): bigint {
  requireDivisor(a, b);
  return a / b;
}

/** Has the sign of the dividend. @throws Failure like `divide` */
export function remainder(a: bigint, b: bigint): bigint {
  requireDivisor(a, b);
  return a % b;
}

function requireDivisor(a: bigint, b: bigint): void {
  if (b === 0n) fail('pluto: division by zero');
  if (b === -1n && a === MIN_INT) fail('pluto: integer overflow in division');
}

/** The amount is taken modulo 64. */
export const shiftLeft = (a: bigint, b: bigint): bigint => wrap(a << BigInt.asUintN(6, b));
/** Arithmetic shift; the amount is taken modulo 64. */
export const shiftRight = (a: bigint, b: bigint): bigint => a >> BigInt.asUintN(6, b);

/** Exponentiation by squaring, wrapping. @param exponent ≥ 0 */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrap(result * factor);
    factor = wrap(factor * factor);
  }
  return result;
}

/** Truncates. Values beyond 64 bits become the nearest limit, NaN becomes 0. */
export function intOfFloat(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return MAX_INT;
  return value < -(2 ** 63) ? MIN_INT : BigInt(Math.trunc(value));
}

/**
 * Parses a decimal integer with surrounding whitespace. Values beyond 64 bits become the nearest limit.
 * @returns `null` for any other text
 */
export function parseInt64(text: string): bigint | null {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)[ \t\n\v\f\r]*$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const value = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  return value > MAX_INT ? MAX_INT : value < MIN_INT ? MIN_INT : value;
}
