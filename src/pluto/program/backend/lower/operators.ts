import type { BinaryExpr, CastExpr, Expr, UnaryExpr } from '../../../language/syntax/ast/code.ts';
import { INT } from '../../../language/check/types/make.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { BodyLowering } from './body.ts';
import { asWide, compactBinary, compactCode, type ValueCode, wideCode } from './int-code.ts';

const NAMES = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'rem', '<<': 'shl', '>>': 'shr' } as const;

export function lowerBinary(body: BodyLowering, expr: BinaryExpr): ValueCode {
  // Long chains are nested on the left, so the left side is walked without recursion.
  const chain: BinaryExpr[] = [];
  let first: Expr = expr;
  for (; first.kind === 'BinaryExpr'; first = first.left) chain.push(first);
  let value = body.value(first);
  for (const link of chain.toReversed()) value = withRight(body, link, value);
  return value;
}

/** Lowers an operator whose left operand has been lowered. */
function withRight(body: BodyLowering, { op, left, right }: BinaryExpr, value: ValueCode): ValueCode {
  let other = wideCode('');
  const lines = body.captured(() => {
    other = body.value(right);
  });
  if (op === '&&' || op === '||') {
    if (lines.length === 0) return wideCode(`(${value.code} ${op} ${other.code})`);
    return wideCode(shortCircuit(body, op, value.code, lines, other.code));
  }
  const steady = lines.length === 0 ? value : { ...value, code: body.stable(value.code), formula: undefined };
  body.emit(...lines);
  return binaryValue(body, op, body.typeOf(left), body.typeOf(right), steady, other);
}

/** An operator on lowered operands, whose ints may be compact. `isSum`: as in `operationAt`. */
export function binaryValue(
  { program }: BodyLowering,
  op: BinaryExpr['op'],
  left: Type,
  right: Type,
  a: ValueCode,
  b: ValueCode,
  isSum = false,
): ValueCode {
  if (left.kind === 'int' && right.kind === 'int') {
    const compact = compactBinary(op, a, b, formula => program.operation(formula, isSum));
    if (compact !== undefined) return compact;
  }
  return wideCode(binary(op, left, right, asWide(a), asWide(b)));
}

/** An operator on lowered operands. */
function binary(op: BinaryExpr['op'], left: Type, right: Type, a: string, b: string): string {
  const kind = left.kind === 'param' || left.kind === 'unknown' ? right.kind : left.kind;
  switch (op) {
    case '+':
    case '-':
    case '*':
      if (kind === 'int') return `BigInt.asIntN(64, ${a} ${op} ${b})`;
      return kind === 'float' || kind === 'string' ? `(${a} ${op} ${b})` : `$rt.${NAMES[op]}(${a}, ${b})`;
    case '/':
    case '%':
      // Division by a positive literal can neither fail nor overflow.
      if ((op === '/' && kind === 'float') || (kind === 'int' && /^[1-9]\d*n$/.test(b))) return `(${a} ${op} ${b})`;
      return `$rt.${NAMES[op]}(${a}, ${b})`;
    case '<<':
    case '>>':
      return `$rt.${NAMES[op]}(${a}, ${b})`;
    case '==':
      return isSame(left, right) ? `(${a} === ${b})` : `$rt.eq(${a}, ${b})`;
    case '!=':
      return isSame(left, right) ? `(${a} !== ${b})` : `!$rt.eq(${a}, ${b})`;
    default:
      return `(${a} ${op} ${b})`;
  }
}

/** Whether `===` is the equality of these types: primitives, `none`, and types compared by identity. */
function isSame(left: Type, right: Type): boolean {
  if (left.kind === 'none' || right.kind === 'none') return true;
  return [left, right].every(
    ({ kind }) => kind !== 'enum' && kind !== 'nullable' && kind !== 'param' && kind !== 'unknown',
  );
}

/** Lowers `&&` and `||`; the right operand is evaluated only if needed. */
function shortCircuit(
  body: BodyLowering,
  op: '&&' | '||',
  left: string,
  lines: readonly string[],
  right: string,
): string {
  const result = body.variable();
  body.emit(
    `${result} = ${left};`,
    `if (${op === '&&' ? '' : '!'}${result}) {`,
    ...lines,
    `${result} = ${right};`,
    '}',
  );
  return result;
}

export function lowerUnary(body: BodyLowering, { op, operand }: UnaryExpr): ValueCode {
  const value = body.value(operand);
  const { kind } = body.typeOf(operand);
  if (op === '-' && kind === 'int' && value.isCompact)
    return /^[1-9]\d*$/.test(value.code)
      ? compactCode(`-${value.code}`)
      : binaryValue(body, '-', INT, INT, compactCode('0'), value);
  const code = asWide(value);
  if (op === '!') return wideCode(`!${code}`);
  if (op === '~') return wideCode(`(~${code})`);
  if (kind === 'int') return wideCode(`BigInt.asIntN(64, -${code})`);
  return wideCode(kind === 'float' ? `(-${code})` : `$rt.neg(${code})`);
}

export function lowerCast(body: BodyLowering, { operand, type }: CastExpr): string {
  const value = body.value(operand);
  const to = body.type(type).kind;
  if (to === 'float' && value.isCompact) return `Number(${value.code})`;
  const code = asWide(value);
  return to === 'float' && isInt(body, operand) ? `Number(${code})` : `$rt.cast(${code}, "${to}")`;
}

const isInt = (body: BodyLowering, expr: Expr): boolean => body.typeOf(expr).kind === 'int';
