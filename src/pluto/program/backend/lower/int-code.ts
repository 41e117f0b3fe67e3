import type { BinaryExpr } from '../../../language/syntax/ast/code.ts';
import { literalValue } from '../literal-value.ts';
import { type BlockKey, choice } from './blocking.ts';

/** The code of an expression. An `int` is either wide, a bigint as in the runtime, or compact, as in a variable. */
export interface ValueCode {
  readonly code: string;
  readonly isCompact: boolean;
}

/** Defines the operations on compact ints. No name of a program starts with two dollar signs. */
export const COMPACT_INTS =
  'const { add: $$add, sub: $$sub, mul: $$mul, div: $$div, rem: $$rem, wide: $$wide, compact: $$compact, next: $$next, text: $$text } = $rt.ints;';

export const wideCode = (code: string): ValueCode => ({ code, isCompact: false });
export const compactCode = (code: string): ValueCode => ({ code, isCompact: true });

const isLiteral = ({ code }: ValueCode): boolean => /^-?\d+$/.test(code);

export function asWide(value: ValueCode): string {
  if (!value.isCompact) return value.code;
  return isLiteral(value) ? `${value.code}n` : `$$wide(${value.code})`;
}

export const asCompact = ({ code, isCompact }: ValueCode): string => (isCompact ? code : `$$compact(${code})`);

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

const NAMES: Readonly<Partial<Record<BinaryExpr['op'], string>>> = {
  '+': '$$add',
  '-': '$$sub',
  '*': '$$mul',
  '/': '$$div',
  '%': '$$rem',
};
const COMPARISONS: Readonly<Partial<Record<BinaryExpr['op'], string>>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '==': '===',
  '!=': '!==',
};

/** An operator on two ints that is fastest on compact ones; `undefined` if it is not. */
export function compactBinary(op: BinaryExpr['op'], a: ValueCode, b: ValueCode): ValueCode | undefined {
  // Converting a wide operand costs more than an operation with a literal.
  const hasVariable = (a.isCompact && !isLiteral(a)) || (b.isCompact && !isLiteral(b));
  if (!hasVariable) return undefined;
  const [left, right] = [asCompact(a), asCompact(b)];
  const comparison = COMPARISONS[op];
  if (comparison !== undefined) return wideCode(`(${left} ${comparison} ${right})`);
  const name = NAMES[op];
  return name === undefined ? undefined : compactCode(`${name}(${left}, ${right})`);
}
