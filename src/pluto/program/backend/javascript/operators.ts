import type { Type } from '../../../language/check/types/type.ts';
import type { BinaryOp, BinaryValue, CastValue, TypedValue, UnaryValue } from '../typed/typed-form.ts';
import type { BodyEmitter } from './body.ts';
import { intBinary, plainCode, type ValueCode } from './int-code.ts';

export function binaryCode(body: BodyEmitter, value: BinaryValue): ValueCode {
  // Long chains are nested on the left, so the left side is walked without recursion.
  const chain: BinaryValue[] = [];
  let first: TypedValue = value;
  for (; first.kind === 'binary'; first = first.left) chain.push(first);
  let left = body.value(first);
  for (const link of chain.toReversed()) left = withRight(body, link, left);
  return left;
}

/** Emits an operator whose left operand has been emitted. */
function withRight(body: BodyEmitter, { op, left, right }: BinaryValue, value: ValueCode): ValueCode {
  let other = plainCode('');
  const lines = body.captured(() => {
    other = body.value(right);
  });
  if (op === '&&' || op === '||') {
    if (lines.length === 0) return plainCode(`(${value.code} ${op} ${other.code})`);
    return plainCode(shortCircuit(body, op, value.code, lines, other.code));
  }
  const steady = lines.length === 0 ? value : { code: body.stable(value.code), range: value.range };
  body.emit(lines);
  return operatorCode(body, op, left.type, right.type, steady, other);
}

/** An operator on emitted operands. `isSum`: as in `operationAt`. */
export function operatorCode(
  { program }: BodyEmitter,
  op: BinaryOp,
  left: Type,
  right: Type,
  a: ValueCode,
  b: ValueCode,
  isSum = false,
): ValueCode {
  if (left.kind === 'int' && right.kind === 'int')
    return intBinary(op, a, b, formula => program.operation(formula, isSum));
  if (op === '==') return plainCode(isSame(left, right) ? `(${a.code} === ${b.code})` : `$rt.eq(${a.code}, ${b.code})`);
  if (op === '!=')
    return plainCode(isSame(left, right) ? `(${a.code} !== ${b.code})` : `!$rt.eq(${a.code}, ${b.code})`);
  return plainCode(`(${a.code} ${op} ${b.code})`);
}

/** Whether `===` is the equality of these types: all but enums are primitives, or compared by identity. */
const isSame = (left: Type, right: Type): boolean =>
  left.kind === 'none' || right.kind === 'none' || !(hasEnum(left) && hasEnum(right));

const hasEnum = (type: Type): boolean => (type.kind === 'nullable' ? type.element : type).kind === 'enum';

/** Emits `&&` and `||`; the right operand is evaluated only if needed. */
function shortCircuit(
  body: BodyEmitter,
  op: '&&' | '||',
  left: string,
  lines: readonly string[],
  right: string,
): string {
  const result = body.variable();
  body.emit(`${result} = ${left};`, `if (${op === '&&' ? '' : '!'}${result}) {`, lines, `${result} = ${right};`, '}');
  return result;
}

export function unaryCode(body: BodyEmitter, { op, operand }: UnaryValue): ValueCode {
  const value = body.value(operand);
  const { code } = value;
  if (op === '!') return plainCode(`!${code}`);
  if (op === '~') return plainCode(`$$not(${code})`);
  if (operand.type.kind !== 'int') return plainCode(`(-${code})`);
  if (/^[1-9]\d*$/.test(code)) return plainCode(`-${code}`);
  return operatorCode(body, '-', operand.type, operand.type, plainCode('0'), value);
}

export function castCode(body: BodyEmitter, { operand, type }: CastValue): ValueCode {
  const value = body.value(operand);
  const { code } = value;
  switch (`${operand.type.kind} ${type.kind}`) {
    case 'int float':
      return plainCode(value.range === undefined ? `Number(${code})` : code);
    case 'float int':
      return plainCode(`$$ofFloat(${code})`);
    case 'int bool':
      return plainCode(`(${code} !== 0)`);
    case 'bool int':
      return { code: `Number(${code})`, range: { min: 0, max: 1 } };
    case 'int byte':
      return plainCode(`$rt.byte(${code})`);
    case 'byte int':
      return { code: `${code}.value`, range: { min: 0, max: 255 } };
    default:
      return value;
  }
}
