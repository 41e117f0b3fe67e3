import type { BinaryExpr, CastExpr, IndexExpr, RangeExpr, UnaryExpr } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { CheckCode } from '../report/check-codes.ts';
import { BOOL, BYTE, FLOAT, INT, RANGE, STRING, UNKNOWN, VOID } from '../types/make.ts';
import { isSame } from '../types/relate.ts';
import { showType } from '../types/show.ts';
import type { Type } from '../types/type.ts';
import type { Body } from './body.ts';

/** Whether operations on a type cannot be checked here. */
export const isUnconstrained = ({ kind }: Type): boolean => kind === 'unknown' || kind === 'param' || kind === 'never';

export function checkUnary(body: Body, expr: UnaryExpr): Type {
  const type = body.expr(expr.operand);
  if (isUnconstrained(type)) return expr.op === '!' ? BOOL : type;
  switch (expr.op) {
    case '-':
      if (type === INT || type === FLOAT) return type;
      body.report('unary-type', expr, `cannot negate type ${showType(type)}`);
      return UNKNOWN;
    case '!':
      if (type !== BOOL) body.report('unary-type', expr, `cannot apply '!' to type ${showType(type)}`);
      return BOOL;
    default:
      if (type !== INT) body.report('unary-type', expr, `cannot apply '~' to type ${showType(type)}`);
      return INT;
  }
}

export function checkBinary(body: Body, expr: BinaryExpr): Type {
  const left = body.expr(expr.left);
  const right = body.expr(expr.right);
  switch (expr.op) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return arithmetic(body, expr, left, right, expr.op, lineHint(body, expr, left));
    case '==':
    case '!=':
      equality(body, expr, left, right);
      return BOOL;
    case '<':
    case '<=':
    case '>':
    case '>=':
      order(body, expr, left, right);
      return BOOL;
    case '&&':
    case '||':
      checkOperands(body, expr, left, right, BOOL, 'logical operators require bool');
      return BOOL;
    default:
      checkOperands(body, expr, left, right, INT, 'bitwise operators require int');
      return INT;
  }
}

/** @param hint ends the message about types that do not match */
export function arithmetic(body: Body, site: Span, left: Type, right: Type, op: string, hint = ''): Type {
  if (left.kind === 'unknown' || right.kind === 'unknown') return UNKNOWN;
  if (isUnconstrained(left)) return isUnconstrained(right) ? left : right;
  if (isUnconstrained(right)) return left;
  if (left !== right) {
    body.report(
      'arithmetic-type',
      site,
      `operand type mismatch: ${showType(left)} ${op} ${showType(right)}${castHint(left, right)}${hint}`,
    );
    return left === STRING || left === INT || left === FLOAT ? left : UNKNOWN;
  }
  if (left === INT || left === FLOAT || (op === '+' && left === STRING)) return left;
  body.report('arithmetic-type', site, `operator not supported for type ${showType(left)}: '${op}'`);
  return UNKNOWN;
}

const castHint = (left: Type, right: Type): string =>
  (left === INT && right === FLOAT) || (left === FLOAT && right === INT) ? "; convert one side with 'as'" : '';

/** A hint for an operand that was probably meant as a separate statement, because the operator starts its line. */
function lineHint({ context }: Body, { left, right, op }: BinaryExpr, type: Type): string {
  const isNextLine = /^\s*\n/.test(context.file.text.slice(left.end, right.start));
  return type === VOID && isNextLine ? `; a line that starts with '${op}' continues the line above` : '';
}

function equality(body: Body, site: Span, left: Type, right: Type): void {
  if (isUnconstrained(left) || isUnconstrained(right)) return;
  const isNone = (a: Type, b: Type): boolean => a.kind === 'none' && (b.kind === 'nullable' || b.kind === 'none');
  if (isNone(left, right) || isNone(right, left)) return;
  if (!isSame(left, right))
    body.report('comparison-type', site, `cannot compare ${showType(left)} with ${showType(right)}`);
  else if (left.kind === 'bytes') body.report('comparison-type', site, 'cannot compare bytes');
  else if (left.kind === 'void') body.report('comparison-type', site, 'cannot compare void');
}

function order(body: Body, site: Span, left: Type, right: Type): void {
  if (isUnconstrained(left) || isUnconstrained(right)) return;
  if (left !== right) body.report('comparison-type', site, `cannot compare ${showType(left)} with ${showType(right)}`);
  else if (left !== INT && left !== FLOAT && left !== BYTE)
    body.report('comparison-type', site, `comparison not supported for type ${showType(left)}`);
}

function checkOperands(body: Body, { left, right }: BinaryExpr, a: Type, b: Type, wanted: Type, rule: string): void {
  if (a !== wanted && !isUnconstrained(a)) body.report('operator-type', left, `${rule}, found ${showType(a)}`);
  if (b !== wanted && !isUnconstrained(b)) body.report('operator-type', right, `${rule}, found ${showType(b)}`);
}

const casts: ReadonlySet<string> = new Set(['int float', 'float int', 'int bool', 'bool int', 'int byte', 'byte int']);

export function checkCast(body: Body, expr: CastExpr): Type {
  const from = body.expr(expr.operand);
  const to = body.type(expr.type);
  if (!isUnconstrained(from) && !isUnconstrained(to) && !casts.has(`${from.kind} ${to.kind}`))
    body.report('cast-type', expr, `cannot cast from ${showType(from)} to ${showType(to)}`);
  return to;
}

export function checkRange(body: Body, { from, to }: RangeExpr): Type {
  expectType(body, from, body.expr(from), INT, 'range-type', 'range start must be int');
  expectType(body, to, body.expr(to), INT, 'range-type', 'range end must be int');
  return RANGE;
}

/** Reports `rule` unless a value has the expected type. */
export function expectType(body: Body, site: Span, found: Type, wanted: Type, code: CheckCode, rule: string): void {
  if (found !== wanted && !isUnconstrained(found)) body.report(code, site, `${rule}, found ${showType(found)}`);
}

export function checkIndex(body: Body, expr: IndexExpr): Type {
  const object = body.expr(expr.object);
  const index = body.expr(expr.index, object.kind === 'map' ? object.key : undefined);
  switch (object.kind) {
    case 'list':
      expectType(body, expr.index, index, INT, 'index-type', 'array index must be int');
      return object.element;
    case 'string':
      expectType(body, expr.index, index, INT, 'index-type', 'string index must be int');
      return STRING;
    case 'bytes':
      expectType(body, expr.index, index, INT, 'index-type', 'bytes index must be int');
      return BYTE;
    case 'map':
      if (!body.isCompatible(index, object.key))
        body.report(
          'index-type',
          expr.index,
          `map key type mismatch: expected ${showType(object.key)}, found ${showType(index)}`,
        );
      return object.value;
    default:
      if (!isUnconstrained(object)) body.report('index-type', expr, `index on non-indexable type ${showType(object)}`);
      return UNKNOWN;
  }
}
