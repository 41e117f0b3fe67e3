import {
  rangeAfterSteps,
  type Arithmetic,
  bitwiseRange,
  loopVariableRange,
  exactly,
  type IntRange,
  LENGTHS,
  rangeAfter,
} from './int-range.ts';
import { directTarget } from './children.ts';
import type { FieldUse, MethodCall, TypedBlock, TypedBody, TypedMethod, TypedValue, Variable } from './typed-form.ts';

/** The range of an int, as far as it is known. `NO_VALUE`: no code that was visited computes it. `undefined`: any int. */
export type KnownRange = IntRange | typeof NO_VALUE | undefined;
export const NO_VALUE = 'no value';

/** Looks up the known ranges of variables, fields, and results. */
export interface RangeLookup {
  variable(variable: Variable): KnownRange;
  field(use: FieldUse): KnownRange;
  result(body: TypedBody): KnownRange;
  /** @param key from `closureParam` or `closureResult` */
  closure(key: string): KnownRange;
  /** @param targets the methods that calls through a trait may run */
  dispatchedParam(targets: readonly TypedMethod[], index: number): KnownRange;
  dispatchedResult(targets: readonly TypedMethod[]): KnownRange;
}

/** Identifies a parameter of all closures with one number of parameters: a call may run any of them. */
export const closureParam = (count: number, index: number): string => `${count} ${index}`;
/** Identifies the results of all closures with one number of parameters. */
export const closureResult = (count: number): string => String(count);

export function unionOf(a: KnownRange, b: KnownRange): KnownRange {
  if (a === NO_VALUE || b === undefined) return b;
  if (b === NO_VALUE || a === undefined) return a;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export const isSameRange = (a: KnownRange, b: KnownRange): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a.min === b.min && a.max === b.max);

export function loopRange(from: KnownRange, to: KnownRange, isInclusive: boolean): KnownRange {
  if (from === NO_VALUE || to === NO_VALUE) return NO_VALUE;
  return from && loopVariableRange(from, to, isInclusive);
}

export function operationRange(op: Arithmetic, a: KnownRange, b: KnownRange): KnownRange {
  if (a === NO_VALUE || b === NO_VALUE) return NO_VALUE;
  return rangeAfter(op, a, b);
}

/** The range of a variable that also counts up or down from this range. */
export const steppedRange = (found: KnownRange, steps: IntRange): KnownRange =>
  typeof found === 'object' ? rangeAfterSteps(found, steps) : found;

const BITS: IntRange = { min: 0, max: 1 };
const BYTES: IntRange = { min: 0, max: 255 };

const isArithmetic = (op: string): op is Arithmetic => /^[-+*/%]$/.test(op);

export function rangeOfValue(known: RangeLookup, value: TypedValue): KnownRange {
  if (value.type.kind !== 'int') return undefined;
  const rangeOf = (one: TypedValue): KnownRange => rangeOfValue(known, one);
  switch (value.kind) {
    case 'int': {
      const number = Number(value.value);
      return Number.isSafeInteger(number) ? exactly(number) : undefined;
    }
    case 'empty':
      return exactly(0);
    case 'variable':
      return known.variable(value.variable);
    case 'field':
      return known.field(value);
    case 'call':
      return known.result(value.callee.body);
    case 'call-closure':
      return known.closure(closureResult(value.args.length));
    case 'call-method':
      return resultOfTargets(known, value);
    case 'if-value': {
      const otherwise = 'kind' in value.otherwise ? rangeOf(value.otherwise) : rangeOfBlock(known, value.otherwise);
      return unionOf(rangeOfBlock(known, value.body), otherwise);
    }
    case 'match-value':
      return value.arms.map(arm => rangeOf(arm.value)).reduce(unionOf, NO_VALUE);
    case 'unary':
      return value.op === '-' ? operationRange('-', exactly(0), rangeOf(value.operand)) : undefined;
    case 'binary': {
      const [left, right] = [rangeOf(value.left), rangeOf(value.right)];
      if (isArithmetic(value.op)) return operationRange(value.op, left, right);
      return left === NO_VALUE || right === NO_VALUE ? NO_VALUE : bitwiseRange(value.op, left, right);
    }
    case 'cast': {
      const { kind } = value.operand.type;
      if (kind === 'bool') return BITS;
      return kind === 'byte' ? BYTES : undefined;
    }
    case 'call-builtin-method': {
      const { kind } = value.receiver.type;
      return value.name === 'len' && (kind === 'string' || kind === 'list' || kind === 'bytes') ? LENGTHS : undefined;
    }
    default:
      return undefined;
  }
}

function resultOfTargets(known: RangeLookup, call: MethodCall): KnownRange {
  const target = directTarget(call);
  if (target !== undefined) return known.result(target.body);
  return call.targets.length === 0 ? undefined : known.dispatchedResult(call.targets);
}

/** The value of a block; any int if its last statement has none, because it leaves the block. */
function rangeOfBlock(known: RangeLookup, block: TypedBlock): KnownRange {
  const last = block.at(-1);
  return last?.kind === 'value' ? rangeOfValue(known, last.value) : undefined;
}
