import type { BinaryOp, TypedValue, UnaryValue } from '../typed/typed-form.ts';
import { I32, type Opcode } from './encoder.ts';
import type { FunctionCode } from './function-code.ts';
import { isNullable, isScalar, type Kind, type Scalar } from './kinds.ts';
import { isSame } from './equality.ts';
import * as strings from './strings.ts';
import { unsupported } from './unsupported.ts';

export function unary(body: FunctionCode, { op, operand }: UnaryValue): Scalar {
  const { code } = body;
  const kind = body.value(operand);
  if (op === '!' && kind === 'bool') {
    code.op('i32.eqz');
    return kind;
  }
  if (op === '-' && kind === 'float') {
    code.op('f64.neg');
    return kind;
  }
  if (kind !== 'int') return unsupported();
  code.i64(-1n).op(op === '-' ? 'i64.mul' : 'i64.xor');
  return kind;
}

const INT: Readonly<Partial<Record<BinaryOp, Opcode>>> = {
  '+': 'i64.add',
  '-': 'i64.sub',
  '*': 'i64.mul',
  '/': 'i64.div_s',
  '&': 'i64.and',
  '|': 'i64.or',
  '^': 'i64.xor',
  '<<': 'i64.shl',
  '>>': 'i64.shr_s',
};
const FLOAT: Readonly<Partial<Record<BinaryOp, Opcode>>> = {
  '+': 'f64.add',
  '-': 'f64.sub',
  '*': 'f64.mul',
  '/': 'f64.div',
};
const COMPARISONS: Readonly<Record<Scalar, Readonly<Partial<Record<BinaryOp, Opcode>>>>> = {
  int: { '==': 'i64.eq', '!=': 'i64.ne', '<': 'i64.lt_s', '<=': 'i64.le_s', '>': 'i64.gt_s', '>=': 'i64.ge_s' },
  float: { '==': 'f64.eq', '!=': 'f64.ne', '<': 'f64.lt', '<=': 'f64.le', '>': 'f64.gt', '>=': 'f64.ge' },
  bool: { '==': 'i32.eq', '!=': 'i32.ne' },
  byte: { '==': 'i32.eq', '!=': 'i32.ne', '<': 'i32.lt_u', '<=': 'i32.le_u', '>': 'i32.gt_u', '>=': 'i32.ge_u' },
};

/** Emits an operator whose left operand is on the stack. */
export function binary(body: FunctionCode, op: BinaryOp, kind: Kind, right: TypedValue): Kind {
  const { code } = body;
  if (op === '+' && kind === 'string') return strings.joined(body, right);
  if (!isScalar(kind)) return compared(body, op, kind, right);
  if (op === '&&' || op === '||') {
    if (kind !== 'bool') return unsupported();
    return shortCircuit(body, op, right);
  }
  if (op === '%' && kind === 'int') return remainder(body, right);
  body.as(right, kind);
  const comparison = COMPARISONS[kind][op];
  if (comparison !== undefined) {
    code.op(comparison);
    return 'bool';
  }
  if (kind === 'float' && op === '%') {
    body.call('rem');
    return kind;
  }
  code.op((kind === 'int' ? INT[op] : kind === 'float' ? FLOAT[op] : undefined) ?? unsupported());
  return kind;
}

/** Compares a string, a list, a map, a set or an object on the stack with another one, or with `none`. */
function compared(body: FunctionCode, op: BinaryOp, kind: Kind, right: TypedValue): Scalar {
  const { code } = body;
  if (op !== '==' && op !== '!=') return unsupported();
  if (right.kind === 'none') code.op('ref.is_null');
  else {
    body.as(right, isNullable(kind) ? kind : (`${kind}?` as Kind));
    isSame(body, kind);
  }
  if (op === '!=') code.op('i32.eqz');
  return 'bool';
}

function shortCircuit(body: FunctionCode, op: '&&' | '||', right: TypedValue): Scalar {
  const { code } = body;
  body.open('if', I32);
  if (op === '&&') body.as(right, 'bool');
  else code.i32(1);
  code.op('else');
  if (op === '&&') code.i32(0);
  else body.as(right, 'bool');
  body.end();
  return 'bool';
}

const MIN_INT = -(2n ** 63n);

/** The smallest int divided by -1 overflows. WebAssembly notices that only in a division. */
function remainder(body: FunctionCode, divisor: TypedValue): Scalar {
  const { code } = body;
  if (divisor.kind === 'int') {
    code.i64(divisor.value).op('i64.rem_s');
    return 'int';
  }
  const a = body.local('int');
  const b = body.local('int');
  code.at('local.set', a);
  body.as(divisor, 'int');
  code.at('local.tee', b).i64(-1n).op('i64.eq').open('if');
  code.at('local.get', a).i64(MIN_INT).op('i64.eq').open('if');
  body.fail('pluto: integer overflow in division');
  code.op('end', 'end').at('local.get', a).at('local.get', b).op('i64.rem_s');
  return 'int';
}

export function absolute(body: FunctionCode, kind: Scalar): Scalar {
  const { code } = body;
  if (kind === 'float') code.op('f64.abs');
  else if (kind === 'int') {
    const value = body.local('int');
    code.at('local.tee', value).i64(-1n).op('i64.mul').at('local.get', value);
    code.at('local.get', value).i64(0n).op('i64.lt_s', 'select');
  } else return unsupported();
  return kind;
}

/** Like `a < b ? a : b`, also for NaN. */
export function extreme(body: FunctionCode, name: 'min' | 'max', kind: Scalar, second: TypedValue): Scalar {
  const { code } = body;
  const comparison = COMPARISONS[kind][name === 'min' ? '<' : '>'] ?? unsupported();
  const a = body.local(kind);
  const b = body.local(kind);
  code.at('local.set', a);
  body.as(second, kind);
  code.at('local.set', b).at('local.get', a).at('local.get', b);
  code.at('local.get', a).at('local.get', b).op(comparison, 'select');
  return kind;
}
