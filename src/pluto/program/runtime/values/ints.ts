import { fail } from './failures.ts';

/** Integers are 64 bits wide, two's complement; what does not fit wraps around. */
export const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

const LEAST = -(1n << 63n);
const GREATEST = (1n << 63n) - 1n;

/** Truncates toward zero. @throws ProgramFailure by zero, and where the result has no place in 64 bits */
export function divide(a: bigint, b: bigint): bigint {
  requireDivisor(a, b);
  return a / b;
}

/** Has the sign of the dividend. @throws ProgramFailure as division */
export function remainder(a: bigint, b: bigint): bigint {
  requireDivisor(a, b);
  return a % b;
}

function requireDivisor(a: bigint, b: bigint): void {
  if (b === 0n) fail('pluto: division by zero');
  if (b === -1n && a === LEAST) fail('pluto: integer overflow in division');
}

/** By the amount modulo 64. */
export const shiftLeft = (a: bigint, b: bigint): bigint => wrap(a << BigInt.asUintN(6, b));
/** Keeps the sign; by the amount modulo 64. */
export const shiftRight = (a: bigint, b: bigint): bigint => a >> BigInt.asUintN(6, b);

/** By squaring, wrapping. @param exponent ≥ 0 */
export function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = wrap(result * factor);
    factor = wrap(factor * factor);
  }
  return result;
}

/** Truncates; what is beyond 64 bits becomes the nearest limit, and what is no number 0. */
export function intOfFloat(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return GREATEST;
  return value < -(2 ** 63) ? LEAST : BigInt(Math.trunc(value));
}

/**
 * The number that a text is as a whole, to base 10, with space around it; beyond 64 bits the nearest limit.
 * @returns `null` for any other text
 */
export function parseInt64(text: string): bigint | null {
  const digits = /^[ \t\n\v\f\r]*([+-]?\d+)[ \t\n\v\f\r]*$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const value = BigInt(digits.startsWith('+') ? digits.slice(1) : digits);
  return value > GREATEST ? GREATEST : value < LEAST ? LEAST : value;
}
