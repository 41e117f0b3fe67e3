import { divide, remainder, wrap } from './ints.ts';

/** An `int` in a variable: a number if it is safe (±2^53 - 1), else a bigint. Every value has exactly one form. */
export type CompactInt = number | bigint;

const MAX = Number.MAX_SAFE_INTEGER;
const isSafe = (value: number): boolean => value <= MAX && value >= -MAX;

const wide = (value: CompactInt): bigint => (typeof value === 'number' ? BigInt(value) : value);

/** Rounding a bigint beyond the safe range gives a number beyond it. */
function compact(value: bigint): CompactInt {
  const number = Number(value);
  return isSafe(number) ? number : value;
}

// Each operation on numbers is exact if its result is safe. Each is a separate function whose slow part is not inlined: engines
// optimize a function for its callers, and all closures of one function share that.

function add(a: CompactInt, b: CompactInt): CompactInt {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a + b;
    if (result <= MAX && result >= -MAX) return result;
  }
  return addWide(a, b);
}
const addWide = (a: CompactInt, b: CompactInt): CompactInt => compact(wrap(wide(a) + wide(b)));

function sub(a: CompactInt, b: CompactInt): CompactInt {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a - b;
    if (result <= MAX && result >= -MAX) return result;
  }
  return subWide(a, b);
}
const subWide = (a: CompactInt, b: CompactInt): CompactInt => compact(wrap(wide(a) - wide(b)));

function mul(a: CompactInt, b: CompactInt): CompactInt {
  if (typeof a === 'number' && typeof b === 'number') {
    const result = a * b;
    // Adding 0 turns -0 into 0.
    if (result <= MAX && result >= -MAX) return result + 0;
  }
  return mulWide(a, b);
}
const mulWide = (a: CompactInt, b: CompactInt): CompactInt => compact(wrap(wide(a) * wide(b)));

function div(a: CompactInt, b: CompactInt): CompactInt {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return Math.trunc(a / b) + 0;
  return divWide(a, b);
}
const divWide = (a: CompactInt, b: CompactInt): CompactInt => compact(divide(wide(a), wide(b)));

function rem(a: CompactInt, b: CompactInt): CompactInt {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return (a % b) + 0;
  return remWide(a, b);
}
const remWide = (a: CompactInt, b: CompactInt): CompactInt => compact(remainder(wide(a), wide(b)));

/** Operations of emitted text on `int` variables. */
export const compactInts = {
  wide,
  compact,
  add,
  sub,
  mul,
  div,
  rem,
  /** The value after a bigint, or after the largest safe number, in a loop. */
  next: (value: CompactInt): bigint => wide(value) + 1n,
  /** The end of a loop over safe integers. It never reaches a bigint, which is an int beyond them. */
  end: (value: CompactInt): number =>
    typeof value === 'number' ? value : value > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
  text: String,
};
