import type { BinaryExpr } from '../../../language/syntax/ast/code.ts';
import { literalValue } from '../literal-value.ts';
import { type BlockKey, choice } from './blocking.ts';
import { type Arithmetic, exactly, type IntRange, rangeAfter, rangedOperation } from '../ranges.ts';

/** The code of an expression. An `int` is either wide, a bigint as in the runtime, or compact, as in a variable. */
export interface ValueCode {
  readonly code: string;
  readonly isCompact: boolean;
  /** Bounds of a compact int that is always a number; literals need none. */
  readonly range?: IntRange | undefined;
}

/** Defines the operations on compact ints. No name of a program starts with two dollar signs. */
export const COMPACT_INTS =
  'const { add: $$add, sub: $$sub, mul: $$mul, div: $$div, rem: $$rem, wide: $$wide, compact: $$compact, next: $$next, end: $$end, text: $$text } = $rt.ints;';

export const wideCode = (code: string): ValueCode => ({ code, isCompact: false });
export const compactCode = (code: string, range?: IntRange): ValueCode => ({ code, isCompact: true, range });

export const isLiteral = ({ code }: Pick<ValueCode, 'code'>): boolean => /^-?\d+$/.test(code);

/** Bounds of an int that is always a number; `undefined` for any other. */
export const rangeOf = (value: ValueCode): IntRange | undefined =>
  value.isCompact && isLiteral(value) ? exactly(Number(value.code)) : value.range;

export function asWide(value: ValueCode): string {
  if (!value.isCompact) return value.code;
  if (isLiteral(value)) return `${value.code}n`;
  return value.range === undefined ? `$$wide(${value.code})` : `BigInt(${value.code})`;
}

export const asCompact = ({ code, isCompact }: Pick<ValueCode, 'code' | 'isCompact'>): string =>
  isCompact ? code : `$$compact(${code})`;

/** A compact int that is passed to, or returned by, a function whose ints are wide if `key` blocks. */
export const passed = (key: BlockKey, code: string): string =>
  `${choice(key, '$$wide(', '')}${code}${choice(key, ')', '')}`;

/** The compact form of an int that comes from such a function. */
export const received = (key: BlockKey, code: string): string =>
  `${choice(key, '$$compact(', '')}${code}${choice(key, ')', '')}`;

/** A literal beyond the safe integers is a bigint in both forms. */
export function literalCode(raw: string): ValueCode {
  const value = literalValue(raw);
  if (Number.isSafeInteger(Number(value))) return compactCode(String(value));
  return wideCode(value < 0n ? `(${value}n)` : `${value}n`);
}

const NAMES: Readonly<Record<Arithmetic, string>> = {
  '+': '$$add',
  '-': '$$sub',
  '*': '$$mul',
  '/': '$$div',
  '%': '$$rem',
};
const isArithmetic = (op: BinaryExpr['op']): op is Arithmetic => op in NAMES;

/** What is known about the operands at one place of the program. */
export interface Operands {
  /** Bounds of the operands that are always numbers. */
  readonly a: IntRange | undefined;
  readonly b: IntRange | undefined;
  /** Whether results are often beyond 32 bits, so that comparing them as such first would cost time. */
  readonly isSum: boolean;
}

/**
 * Defines an operation for one place of the program. Engines optimize a function for the values of all its callers, so a shared
 * function would be as slow for small ints as for large ones. The text is short, because engines inline only so much.
 *
 * @param index different for each place
 */
export function operationAt(
  op: Arithmetic,
  index: number,
  { a, b, isSum }: Operands,
): { readonly name: string; readonly text: string } {
  const shared = NAMES[op];
  const name = `${shared}${index}`;
  const tests = [
    a === undefined ? ['typeof a === "number"'] : [],
    b === undefined ? ['typeof b === "number"'] : [],
  ].flat();
  const isDivision = op === '/' || op === '%';
  if (isDivision && (b === undefined || (b.min <= 0 && b.max >= 0))) tests.push('b !== 0');
  // Operands that are both known numbers may still give a result that is not safe.
  const isFast = tests.length === 0 ? '' : `if (${tests.join(' && ')}) `;
  const isSafe = `r <= ${MAX} && r >= -${MAX}`;
  // Adding 0 turns -0 into 0.
  const fast = isDivision
    ? `${isFast}return ${op === '/' ? 'Math.trunc(a / b)' : '(a % b)'} + 0;`
    : `${isFast}{ const r = a ${op} b${op === '*' ? ' + 0' : ''}; if (${isSum ? isSafe : `(r | 0) === r || (${isSafe})`}) return r; }`;
  return { name, text: `function ${name}(a, b) { ${fast} return ${shared}(a, b); }` };
}
const MAX = Number.MAX_SAFE_INTEGER;

const COMPARISONS: Readonly<Partial<Record<BinaryExpr['op'], string>>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '==': '===',
  '!=': '!==',
};

/**
 * An operator on two ints that is fastest on compact ones; `undefined` if it is not.
 *
 * @param operation defines an operation for this place, and gives its name
 */
export function compactBinary(
  op: BinaryExpr['op'],
  a: ValueCode,
  b: ValueCode,
  operation: (op: Arithmetic, a: IntRange | undefined, b: IntRange | undefined) => string,
): ValueCode | undefined {
  const [rangeOfA, rangeOfB] = [rangeOf(a), rangeOf(b)];
  if (rangeOfA !== undefined && rangeOfB !== undefined && isArithmetic(op)) {
    const known = rangedOperation(op, { code: a.code, range: rangeOfA }, { code: b.code, range: rangeOfB });
    if (known !== undefined) return compactCode(known.code, known.range);
  }
  // Converting a wide operand costs more than an operation with a literal.
  const hasVariable = (a.isCompact && !isLiteral(a)) || (b.isCompact && !isLiteral(b));
  if (!hasVariable) return undefined;
  const [left, right] = [asCompact(a), asCompact(b)];
  const comparison = COMPARISONS[op];
  if (comparison !== undefined) return wideCode(`(${left} ${comparison} ${right})`);
  if (!isArithmetic(op)) return undefined;
  return compactCode(`${operation(op, rangeOfA, rangeOfB)}(${left}, ${right})`, rangeAfter(op, rangeOfA, rangeOfB));
}
