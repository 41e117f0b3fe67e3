/** Operators with an int as their result. */
export type Arithmetic = '+' | '-' | '*' | '/' | '%';

/** The bounds of an int that is a number whenever its code runs. Both are safe integers. */
export interface IntRange {
  readonly min: number;
  readonly max: number;
}

export const exactly = (value: number): IntRange => ({ min: value, max: value });

/** Lengths of strings, bytes and lists. */
export const LENGTHS: IntRange = { min: 0, max: 2 ** 32 - 1 };

interface Ranged {
  readonly code: string;
  readonly range: IntRange;
}

/** An operation whose result is a safe integer for all operands in their ranges; `undefined` if it may not be, or may fail. */
export function rangedOperation(op: Arithmetic, a: Ranged, b: Ranged): Ranged | undefined {
  const range = rangeAfter(op, a.range, b.range);
  if (range === undefined) return undefined;
  const result = op === '/' ? `Math.trunc(${a.code} / ${b.code})` : `${a.code} ${op} ${b.code}`;
  // Adding 0 turns -0 into 0. Sums and differences of ints are never -0.
  const mayBeNegativeZero = op !== '+' && op !== '-' && (a.range.min < 0 || b.range.min < 0);
  return { code: mayBeNegativeZero ? `((${result}) + 0)` : `(${result})`, range };
}

/** The bounds of a result; `undefined` if it may not be a safe integer, or if the operation may fail. `undefined` operands are any ints. */
export function rangeAfter(op: Arithmetic, a: IntRange | undefined, b: IntRange | undefined): IntRange | undefined {
  if (b === undefined) return undefined;
  // The remainder of any int.
  if (op === '%' && b.min > 0) return remainder(a ?? ANY, b);
  const range = a && unsafeRange(op, a, b);
  return range === undefined || range.min < -Number.MAX_SAFE_INTEGER || range.max > Number.MAX_SAFE_INTEGER
    ? undefined
    : range;
}

const ANY: IntRange = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };

const remainder = (a: IntRange, b: IntRange): IntRange => ({
  min: Math.max(Math.min(a.min, 0), 1 - b.max),
  max: Math.min(Math.max(a.max, 0), b.max - 1),
});

function unsafeRange(op: Arithmetic, a: IntRange, b: IntRange): IntRange | undefined {
  switch (op) {
    case '+':
      return { min: a.min + b.min, max: a.max + b.max };
    case '-':
      return { min: a.min - b.max, max: a.max - b.min };
    case '*': {
      const corners = [a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max];
      return { min: Math.min(...corners), max: Math.max(...corners) };
    }
    case '/':
      return b.min <= 0 ? undefined : { min: Math.min(a.min, 0), max: Math.max(a.max, 0) };
    case '%':
      return undefined;
  }
}

/** A loop that starts at or below this value and ends beyond the safe integers takes years. */
const MAX_START = 2 ** 52;

/**
 * The values of the variable of `for`, if it is not assigned in the loop. A loop that does not run has none.
 *
 * @param last `undefined`: any int
 * @returns `undefined` if the loop may reach a value that is not a safe integer
 */
export function counted(first: IntRange, last: IntRange | undefined, isInclusive: boolean): IntRange | undefined {
  const max = last?.max ?? Number.MAX_SAFE_INTEGER;
  if (max === Number.MAX_SAFE_INTEGER && first.max > MAX_START) return undefined;
  return { min: first.min, max: Math.max(first.min, isInclusive ? max : max - 1) };
}
