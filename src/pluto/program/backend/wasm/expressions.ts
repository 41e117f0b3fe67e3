import type { Block, CallExpr, CastExpr, Expr, IfExpr, MethodCallExpr } from '../../../language/syntax/ast/code.ts';
import { withoutParens } from '../../../language/syntax/ast/code.ts';
import { isBuiltinFunction } from '../../../language/check/body/builtin-functions.ts';
import type { FunctionSymbol } from '../../../language/check/types/type.ts';
import { literalValue } from '../literal-value.ts';
import type { FunctionCode } from './function-code.ts';
import { codeOf, isScalar, type Kind, kindOf, type Scalar } from './kinds.ts';
import * as lists from './lists.ts';
import { absolute, binary, extreme, unary } from './operators.ts';
import { unsupported } from './unsupported.ts';

/** Lowers an expression without parentheses. @returns the kind of its value; `undefined` if there is none */
export function lowerExpr(body: FunctionCode, expr: Expr, wanted: Kind | undefined): Kind | undefined {
  const { code } = body;
  switch (expr.kind) {
    case 'IntExpr':
      code.i64(literalValue(expr.raw));
      return 'int';
    case 'FloatExpr':
      code.f64(Number(expr.raw.replaceAll('_', '')));
      return 'float';
    case 'BoolExpr':
      code.i32(expr.value ? 1 : 0);
      return 'bool';
    case 'IdentExpr': {
      const { index, kind } = body.variable(expr);
      code.at('local.get', index);
      return kind;
    }
    case 'UnaryExpr':
      return unary(body, expr);
    case 'BinaryExpr': {
      const links = [expr];
      // Long chains are nested on the left, so the left side is walked without recursion.
      for (let left = withoutParens(expr.left); left.kind === 'BinaryExpr'; left = withoutParens(left.left))
        links.push(left);
      let kind = body.value(links.at(-1)?.left ?? unsupported());
      for (const { op, right } of links.toReversed()) kind = binary(body, op, kind, right);
      return kind;
    }
    case 'CastExpr':
      return cast(body, expr);
    case 'IfExpr': {
      const kind = wanted ?? body.kindOf(expr);
      ifValue(body, expr, kind);
      return kind;
    }
    case 'ListExpr':
      return lists.literal(body, expr, wanted ?? body.kindOf(expr));
    case 'IndexExpr':
      return lists.indexed(body, expr);
    case 'CallExpr':
      return call(body, expr);
    case 'MethodCallExpr':
      return methodCall(body, expr);
    default:
      return unsupported();
  }
}

function cast(body: FunctionCode, { operand, type }: CastExpr): Scalar {
  const { code } = body;
  const from = body.value(operand);
  const to = kindOf(body.context.type(type));
  if (to === undefined || !isScalar(to) || !isScalar(from)) return unsupported();
  if (from === to) return to;
  if (from === 'int' && to === 'bool') code.i64(0n).op('i64.ne');
  else if (from === 'int') code.op('f64.convert_i64_s');
  else if (to !== 'int') return unsupported();
  else if (from === 'bool') code.op('i64.extend_i32_u');
  else code.truncate();
  return to;
}

function call(body: FunctionCode, { name, args }: CallExpr): Kind | undefined {
  const { context } = body;
  if (context.facts.localAt(name.start) !== undefined) return unsupported();
  const symbol = context.find(name.text);
  if (symbol !== undefined) return callFunction(body, symbol, args);
  return isBuiltinFunction(name.text) ? builtin(body, name.text, args) : unsupported();
}

function callFunction(body: FunctionCode, symbol: FunctionSymbol, args: readonly Expr[]): Kind | undefined {
  const { params, result } = body.context.callable(symbol);
  for (const [index, arg] of args.entries()) {
    const kind = body.kindOfType(params[index]?.type ?? unsupported());
    if (body.value(arg, kind) !== kind) unsupported();
  }
  body.code.at('call', body.context.functionIndex(symbol));
  return result.kind === 'void' ? undefined : body.kindOfType(result);
}

function methodCall(body: FunctionCode, expr: MethodCallExpr): Kind | undefined {
  const { object, name, args } = expr;
  const { context } = body;
  if (object.kind === 'IdentExpr' && context.facts.localAt(object.start) === undefined) {
    const symbol = context.findIn(object.name, name.text);
    return symbol === undefined ? unsupported() : callFunction(body, symbol, args);
  }
  return lists.method(body, expr);
}

function builtin(body: FunctionCode, name: string, [first, second]: readonly Expr[]): Kind | undefined {
  const { code } = body;
  if (first === undefined) return unsupported();
  const text = withoutParens(first);
  if (name === 'print' && text.kind === 'StringExpr') {
    code.i32(body.context.text(text.value));
    body.call('print_text');
    return undefined;
  }
  const kind = body.value(first);
  if (!isScalar(kind)) return unsupported();
  switch (name) {
    case 'print':
      body.call(`print_${kind}`);
      return undefined;
    case 'abs':
      return absolute(body, kind);
    case 'min':
    case 'max':
      return extreme(body, name, kind, second ?? unsupported());
    case 'pow':
      if (kind !== 'float' || second === undefined) return unsupported();
      body.scalar(second, kind);
      body.call(name);
      return kind;
    default:
      return kind === 'float' ? function1(body, name) : unsupported();
  }
}

function function1(body: FunctionCode, name: string): Scalar {
  switch (name) {
    case 'sqrt':
    case 'floor':
    case 'ceil':
      body.code.op(`f64.${name}`);
      return 'float';
    case 'round':
    case 'sin':
    case 'cos':
    case 'tan':
    case 'log':
      body.call(name);
      return 'float';
    default:
      return unsupported();
  }
}

/** Lowers an `if` whose branches leave a value. */
function ifValue(body: FunctionCode, { condition, body: then, otherwise }: IfExpr, kind: Kind): void {
  body.scalar(condition, 'bool');
  body.open('if', codeOf(kind));
  blockValue(body, then, kind);
  body.code.op('else');
  if (otherwise.kind === 'Block') blockValue(body, otherwise, kind);
  else ifValue(body, otherwise, kind);
  body.end();
}

/** Only single expressions, so that no expression assigns to a variable. */
function blockValue(body: FunctionCode, { stmts: [only, ...others] }: Block, kind: Kind): void {
  if (only?.kind !== 'ExprStmt' || others.length > 0) return unsupported();
  body.at(only, () => {
    if (body.value(only.expr, kind) !== kind) unsupported();
  });
}
