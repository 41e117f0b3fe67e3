import { isBuiltinFunction } from '../../../../language/check/body/builtin-functions.ts';
import { VOID } from '../../../../language/check/types/make.ts';
import type { ExternSymbol, FunctionSymbol, Type } from '../../../../language/check/types/type.ts';
import type {
  CallExpr,
  Expr,
  IdentExpr,
  MethodCallExpr,
  StaticCallExpr,
} from '../../../../language/syntax/ast/code.ts';
import type { MethodCall, TypedMethod, TypedValue } from '../typed-form.ts';
import type { BodyBuilder } from './body-builder.ts';
import { reflect } from './reflection.ts';

type CallNode = CallExpr | MethodCallExpr | StaticCallExpr;

export const isCall = (expr: Expr): expr is CallNode =>
  expr.kind === 'CallExpr' || expr.kind === 'MethodCallExpr' || expr.kind === 'StaticCallExpr';

export function buildCall(body: BodyBuilder, expr: CallNode): TypedValue {
  switch (expr.kind) {
    case 'CallExpr':
      return namedCall(body, expr);
    case 'MethodCallExpr':
      return methodCall(body, expr);
    default:
      return reflect(body, expr);
  }
}

function namedCall(body: BodyBuilder, expr: CallExpr): TypedValue {
  const { name } = expr;
  const type = body.typeOf(expr);
  const variable = body.variableAt(name.start);
  if (variable !== undefined)
    return { kind: 'call-closure', type, variable, args: body.values(expr.args), range: undefined };
  const symbol = body.program.checked.program.find(body.file, name.text, 'FunctionDecl', 'ExternDecl');
  if (symbol !== undefined) return functionCall(body, symbol, name.start, expr.args, type);
  if (isBuiltinFunction(name.text))
    return { kind: 'call-builtin', type, name: name.text, args: body.values(expr.args) };
  return { kind: 'none', type };
}

function functionCall(
  body: BodyBuilder,
  symbol: FunctionSymbol | ExternSymbol,
  nameStart: number,
  args: readonly Expr[],
  type: Type,
): TypedValue {
  const values = body.values(args);
  if (symbol.kind === 'ExternDecl')
    return { kind: 'call-extern', type, callee: body.program.extern(symbol), args: values };
  const callee = body.program.function(symbol, body.facts.typeArgsAt(nameStart));
  return { kind: 'call', type, callee, args: values, range: undefined };
}

function methodCall(body: BodyBuilder, expr: MethodCallExpr): TypedValue {
  const { object, name, args } = expr;
  const type = body.typeOf(expr);
  if (object.kind === 'CallExpr' && object.name.text === 'expect') {
    const line = body.program.lineOf(body.file, name.start);
    return { kind: 'expect', type: VOID, name: name.text, args: body.values([...object.args, ...args]), line };
  }
  const symbol = object.kind === 'IdentExpr' ? functionOf(body, object, name.text) : undefined;
  if (symbol !== undefined) return functionCall(body, symbol, name.start, args, type);
  const receiver = body.value(object);
  const method = methodsFor(body, receiver.type, name.text);
  const values = body.values(args);
  if (method === undefined) return { kind: 'call-builtin-method', type, receiver, name: name.text, args: values };
  return { kind: 'call-method', type, receiver, name: name.text, args: values, ...method, range: undefined };
}

/** A function of an imported module. */
function functionOf(body: BodyBuilder, module: IdentExpr, name: string): FunctionSymbol | ExternSymbol | undefined {
  if (!body.facts.isUnbound(module.start)) return undefined;
  const { program } = body.program.checked;
  const imported = program.module(body.file, module.name);
  return imported && program.findIn(imported, name, 'FunctionDecl', 'ExternDecl');
}

/** The methods that a call can run: one method of a class or the app, or those of all classes with a trait. */
function methodsFor(
  { program, signatures }: BodyBuilder,
  type: Type,
  name: string,
): Pick<MethodCall, 'targets' | 'isMut'> | undefined {
  const only = (method: TypedMethod | undefined): Pick<MethodCall, 'targets' | 'isMut'> => ({
    targets: method === undefined ? [] : [method],
    isMut: method?.isMut === true,
  });
  switch (type.kind) {
    case 'class':
      return only(program.class(type).methods.get(name));
    case 'app':
      return only(program.app?.methods.get(name));
    case 'trait':
      return {
        targets: program.targetsOf(type.symbol, name),
        isMut: signatures.trait(type.symbol).methods.get(name)?.receiver === 'mut',
      };
    default:
      return undefined;
  }
}
