import { divide, remainder, wrap } from './ints.ts';

/** An `int` in a variable: a number if it is safe (±2^53 - 1), else a bigint. Every value has exactly one form. */
type CompactInt = number | bigint;

const MAX = Number.MAX_SAFE_INTEGER;
const isSafe = (value: number): boolean => value <= MAX && value >= -MAX;

const wide = (value: CompactInt): bigint => (typeof value === 'number' ? BigInt(value) : value);

/** Rounding a bigint beyond the safe range gives a number beyond it. */
function compact(value: bigint): CompactInt {
  const number = Number(value);
  return isSafe(number) ? number : value;
}

/** An operation on numbers, which is exact if its result is safe, and the same on 64 bits. */
const operation =
  (ofNumbers: (a: number, b: number) => number, ofInts: (a: bigint, b: bigint) => bigint) =>
  (a: CompactInt, b: CompactInt): CompactInt => {
    if (typeof a === 'number' && typeof b === 'number') {
      const result = ofNumbers(a, b);
      if (isSafe(result)) return result;
    }
    return compact(ofInts(wide(a), wide(b)));
  };

/** Operations of emitted text on `int` variables. Division by zero is NaN or infinite, so it fails in the operation on 64 bits. */
export const compactInts = {
  wide,
  compact,
  add: operation(
    (a, b) => a + b,
    (a, b) => wrap(a + b),
  ),
  sub: operation(
    (a, b) => a - b,
    (a, b) => wrap(a - b),
  ),
  mul: operation(
    (a, b) => a * b,
    (a, b) => wrap(a * b),
  ),
  div: operation((a, b) => Math.trunc(a / b), divide),
  rem: operation((a, b) => a % b, remainder),
  /** The value after a bigint, or after the largest safe number, in a loop. */
  next: (value: CompactInt): bigint => wide(value) + 1n,
  text: String,
};
