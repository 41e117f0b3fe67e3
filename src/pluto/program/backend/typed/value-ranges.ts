import {
  afterSteps,
  type Arithmetic,
  bitwiseRange,
  counted,
  exactly,
  type IntRange,
  LENGTHS,
  rangeAfter,
} from './int-range.ts';
import { directTarget } from './children.ts';
import type { FieldUse, MethodCall, TypedBlock, TypedBody, TypedMethod, TypedValue, Variable } from './typed-form.ts';

/** The known range of an int. `NO_VALUE`: no code that was looked at computes it. `undefined`: any int. */
export type Found = IntRange | typeof NO_VALUE | undefined;
export const NO_VALUE = 'no value';

/** The known ranges of variables, fields, and results. */
export interface KnownRanges {
  variable(variable: Variable): Found;
  field(use: FieldUse): Found;
  result(body: TypedBody): Found;
  /** @param key from `closureParam` or `closureResult` */
  closure(key: string): Found;
  /** @param targets the methods that calls through a trait may run */
  dispatchedParam(targets: readonly TypedMethod[], index: number): Found;
  dispatchedResult(targets: readonly TypedMethod[]): Found;
}

/** Identifies a parameter of all closures with one number of parameters: a call may run any of them. */
export const closureParam = (count: number, index: number): string => `${count} ${index}`;
/** Identifies the results of all closures with one number of parameters. */
export const closureResult = (count: number): string => String(count);

export function united(a: Found, b: Found): Found {
  if (a === NO_VALUE || b === undefined) return b;
  if (b === NO_VALUE || a === undefined) return a;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

export const isSameRange = (a: Found, b: Found): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a.min === b.min && a.max === b.max);

export function loopRange(from: Found, to: Found, isInclusive: boolean): Found {
  if (from === NO_VALUE || to === NO_VALUE) return NO_VALUE;
  return from && counted(from, to, isInclusive);
}

export function operationRange(op: Arithmetic, a: Found, b: Found): Found {
  if (a === NO_VALUE || b === NO_VALUE) return NO_VALUE;
  return rangeAfter(op, a, b);
}

/** The values of something that also counts up or down from these. */
export const steppedRange = (found: Found, steps: IntRange): Found =>
  typeof found === 'object' ? afterSteps(found, steps) : found;

const BITS: IntRange = { min: 0, max: 1 };
const BYTES: IntRange = { min: 0, max: 255 };

const isArithmetic = (op: string): op is Arithmetic => /^[-+*/%]$/.test(op);

export function rangeOfValue(known: KnownRanges, value: TypedValue): Found {
  if (value.type.kind !== 'int') return undefined;
  const rangeOf = (one: TypedValue): Found => rangeOfValue(known, one);
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
      return united(rangeOfBlock(known, value.body), otherwise);
    }
    case 'match-value':
      return value.arms.map(arm => rangeOf(arm.value)).reduce(united, NO_VALUE);
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

function resultOfTargets(known: KnownRanges, call: MethodCall): Found {
  const target = directTarget(call);
  if (target !== undefined) return known.result(target.body);
  return call.targets.length === 0 ? undefined : known.dispatchedResult(call.targets);
}

/** The value of a block; any int if its last statement has none, because it leaves the block. */
function rangeOfBlock(known: KnownRanges, block: TypedBlock): Found {
  const last = block.at(-1);
  return last?.kind === 'value' ? rangeOfValue(known, last.value) : undefined;
}
