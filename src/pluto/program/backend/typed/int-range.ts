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

interface RangedCode {
  readonly code: string;
  readonly range: IntRange;
}

/** An operation whose result is a safe integer for all operands in their ranges; `undefined` if it may not be, or may fail. */
export function rangedOperation(op: Arithmetic, a: RangedCode, b: RangedCode): RangedCode | undefined {
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

/** A variable that is incremented from at most this value reaches `MAX_COUNT` after weeks. */
const MAX_START = 2 ** 52;
/** The largest value of an incremented variable. Sums of it and a length are safe too. */
const MAX_COUNT = 2 ** 53 - 2 ** 33;

/** The largest step of an incremented variable. */
export const MAX_STEP = 4;

/** The range of a variable that starts in a range and is then incremented or decremented. @param steps from the smallest to the largest step */
export function rangeAfterSteps(start: IntRange, steps: IntRange): IntRange | undefined {
  if ((steps.max > 0 && start.max > MAX_START) || (steps.min < 0 && start.min < -MAX_START)) return undefined;
  return {
    min: steps.min < 0 ? -MAX_COUNT : start.min,
    max: steps.max > 0 ? MAX_COUNT : start.max,
  };
}

/** The bounds of `a & b`, if one of them is never negative. */
export function bitwiseRange(op: string, a: IntRange | undefined, b: IntRange | undefined): IntRange | undefined {
  const limits = [a, b].flatMap(range => (range !== undefined && range.min >= 0 ? [range.max] : []));
  return op === '&' && limits.length > 0 ? { min: 0, max: Math.min(...limits) } : undefined;
}

/**
 * The range of the variable of `for`, if the loop does not assign to it. It has no value if the loop does not run.
 *
 * @param last `undefined`: any int
 * @returns `undefined` if the loop may reach a value that is not a safe integer
 */
export function loopVariableRange(
  first: IntRange,
  last: IntRange | undefined,
  isInclusive: boolean,
): IntRange | undefined {
  const limit = first.max <= MAX_START ? MAX_COUNT : Number.MAX_SAFE_INTEGER;
  const max = Math.min(last?.max ?? Number.MAX_SAFE_INTEGER, limit);
  if (max === Number.MAX_SAFE_INTEGER) return undefined;
  return { min: first.min, max: Math.max(first.min, isInclusive ? max : max - 1) };
}
