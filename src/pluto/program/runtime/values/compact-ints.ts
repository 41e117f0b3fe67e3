import type { Int } from '../../backend/contract.ts';
import { divide, intOfFloat, power, remainder, shiftLeft, shiftRight, wrap } from './ints.ts';
import { negativeExponent, Raised } from './failures.ts';

/** An `int`: a number if it is safe (±2^53 - 1), else a bigint. Every value has exactly one form. */
export type CompactInt = Int;

const MAX = Number.MAX_SAFE_INTEGER;
const isSafe = (value: number): boolean => value <= MAX && value >= -MAX;

const wide = (value: CompactInt): bigint => (typeof value === 'number' ? BigInt(value) : value);

/** Rounding a bigint beyond the safe range gives a number beyond it. */
function compact(value: CompactInt): CompactInt {
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

// Numbers of 32 bits are operands of the operators of JavaScript as they are.

const and = (a: CompactInt, b: CompactInt): CompactInt =>
  typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a & b : compact(wide(a) & wide(b));

const or = (a: CompactInt, b: CompactInt): CompactInt =>
  typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a | b : compact(wide(a) | wide(b));

const xor = (a: CompactInt, b: CompactInt): CompactInt =>
  typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a ^ b : compact(wide(a) ^ wide(b));

const not = (a: CompactInt): CompactInt => sub(-1, a);

function shl(a: CompactInt, b: CompactInt): CompactInt {
  if (typeof a === 'number' && typeof b === 'number' && b >= 0 && b < 32) {
    const result = a * 2 ** b;
    if (result <= MAX && result >= -MAX) return result;
  }
  return compact(shiftLeft(wide(a), wide(b)));
}

const shr = (a: CompactInt, b: CompactInt): CompactInt =>
  typeof a === 'number' && typeof b === 'number' && (a | 0) === a && b >= 0 && b < 32
    ? a >> b
    : compact(shiftRight(wide(a), wide(b)));

function pow(base: CompactInt, exponent: CompactInt): CompactInt {
  if (exponent < 0) throw new Raised(negativeExponent());
  return compact(power(wide(base), wide(exponent)));
}

function ofFloat(value: number): CompactInt {
  const whole = Math.trunc(value) + 0;
  return isSafe(whole) ? whole : compact(intOfFloat(value));
}

/** Operations of emitted text on ints. */
export const compactInts = {
  /** The int as a bigint; other values stay as they are. */
  wide,
  /** An int of a function that gives bigints. */
  compact,
  add,
  sub,
  mul,
  div,
  rem,
  and,
  or,
  xor,
  not,
  shl,
  shr,
  abs: (value: CompactInt): CompactInt => (value < 0 ? sub(0, value) : value),
  /** @throws Raised */
  pow,
  ofFloat,
  /** The value after a bigint, or after the largest safe number, in a loop. */
  next: (value: CompactInt): bigint => wide(value) + 1n,
  /** The end of a loop over safe integers. It never reaches a bigint, which is an int beyond them. */
  end: (value: CompactInt): number =>
    typeof value === 'number' ? value : value > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY,
  text: String,
};
