import { type MethodCallExpr, withoutParens } from '../../syntax/ast/code.ts';
import { bodyKey, inheritedKey, taskKey, traitKey } from '../effects/call-site.ts';
import { type Substitution, substitute } from '../types/substitute.ts';
import { showType } from '../types/show.ts';
import type { AppType, Callable, ClassType, TraitSymbol, TraitType, Type, WrapType } from '../types/type.ts';
import { checkArguments, checkArgumentsOnly } from './arguments.ts';
import type { Body, Handling } from './body.ts';
import { builtinError, raiseBuiltin } from './builtin-errors.ts';
import { builtinMethod } from './builtin-methods.ts';
import { callInModule, isConcrete, recordCall } from './calls.ts';
import { checkExpectation } from './expectation.ts';
import { fieldOf, isUnbound, rootOf } from './member.ts';
import { appMethod, classSubstitution } from './members.ts';

/** Checks `module.function(…)`, or the call of a method. */
export function checkMethodCall(body: Body, expr: MethodCallExpr): Type {
  const { object, name } = expr;
  const { context } = body;
  if (object.kind === 'IdentExpr' && isUnbound(body, object.name)) {
    if (context.program.isUnresolved(context.file, object.name)) {
      body.takeHandling();
      return checkArgumentsOnly(body, expr.args);
    }
    const module = context.program.module(context.file, object.name);
    if (module !== undefined) {
      const symbol = context.program.findIn(module, name.text, 'FunctionDecl', 'ExternDecl');
      if (symbol !== undefined)
        return callInModule(
          body,
          symbol,
          { text: object.name, start: object.start, end: object.end },
          {
            name,
            args: expr.args,
            typeArgs: [],
            start: expr.start,
            end: expr.end,
          },
        );
      body.takeHandling();
      if (name.text !== '')
        body.report('function-undefined', name, `undefined function '${name.text}' in module '${object.name}'`);
      return checkArgumentsOnly(body, expr.args);
    }
  }
  if (object.kind === 'CallExpr' && object.name.text === 'expect') return checkExpectation(body, expr, object);
  const handling = body.takeHandling();
  const type = body.expr(object);
  switch (type.kind) {
    case 'class':
      return classCall(body, expr, type, handling);
    case 'trait':
      return traitCall(body, expr, type, handling);
    case 'app':
      return appCall(body, expr, type, handling);
    case 'unknown':
    case 'never':
      return checkArgumentsOnly(body, expr.args);
    case 'param':
      return boundCall(body, expr, type, handling);
    default:
      return builtinMethodCall(body, expr, type, handling);
  }
}

const what = ({ name }: MethodCallExpr): string => `method '${name.text}'`;

/** Checks the call of a method whose signature is known, except for its errors. @returns the type of the result */
function checkSignature(
  body: Body,
  expr: MethodCallExpr,
  type: Type,
  { id, receiver, params, result }: Callable,
  by?: Substitution,
): Type {
  body.use('call', id, expr.name, expr);
  if (receiver === 'mut' && type.kind !== 'param') checkMutable(body, expr, type);
  const expected = params.map(param => substitute(param.type, by));
  checkArguments(body, what(expr), expr.args, expected, expr);
  return substitute(result, by);
}

function classCall(body: Body, expr: MethodCallExpr, type: ClassType, handling: Handling): Type {
  const { signatures } = body.context;
  const { name } = expr;
  const callable = signatures.class(type.symbol).methods.get(name.text);
  const known = classSubstitution(signatures, type);
  if (callable === undefined) {
    // Default methods of the traits.
    for (const trait of signatures.class(type.symbol).impls) {
      const inherited = signatures.trait(trait).methods.get(name.text);
      if (inherited?.hasBody !== true || inherited.receiver === 'static') continue;
      return inheritedCall(body, expr, type, inherited, handling);
    }
    return noMethod(body, expr, type);
  }
  const result = checkSignature(body, expr, type, callable, known);
  if (type.args.length > 0 && type.args.every(isConcrete))
    body.instances.push({ symbol: type.symbol, args: type.args });
  const key = type.isOpen ? callable.id : bodyKey(callable.id, type.args);
  const raised = isRemote(body, expr)
    ? { direct: [builtinError(body, 'NetworkError')].filter(error => error !== undefined) }
    : { isOpen: type.isOpen };
  recordCall(body, handling, expr, what(expr), key, raised);
  return result;
}

function inheritedCall(
  body: Body,
  expr: MethodCallExpr,
  type: ClassType,
  callable: Callable,
  handling: Handling,
): Type {
  const result = checkSignature(body, expr, type, callable);
  recordCall(body, handling, expr, what(expr), inheritedKey(callable.id, type.symbol));
  return result;
}

function traitCall(body: Body, expr: MethodCallExpr, type: TraitType, handling: Handling): Type {
  const callable = body.context.signatures.trait(type.symbol).methods.get(expr.name.text);
  if (callable === undefined) return noMethod(body, expr, type);
  const result = checkSignature(body, expr, type, callable);
  recordCall(body, handling, expr, what(expr), traitKey(callable.id));
  return result;
}

/** The trait bounds of a type parameter. */
function boundsOf({ context: { signatures, symbol } }: Body, type: Type): readonly TraitSymbol[] {
  if (symbol.kind !== 'FunctionDecl' && symbol.kind !== 'ClassDecl') return [];
  const { typeParams } = symbol.kind === 'FunctionDecl' ? signatures.callable(symbol) : signatures.class(symbol);
  return typeParams.find(param => param.type === type)?.bounds ?? [];
}

/** Checks a method call on a type parameter through its bounds. Without a bound the call is checked in each instance. */
function boundCall(body: Body, expr: MethodCallExpr, type: Type, handling: Handling): Type {
  for (const trait of boundsOf(body, type)) {
    const callable = body.context.signatures.trait(trait).methods.get(expr.name.text);
    if (callable === undefined) continue;
    const result = checkSignature(body, expr, type, callable);
    recordCall(body, handling, expr, what(expr), traitKey(callable.id), { isOpen: true });
    return result;
  }
  return checkArgumentsOnly(body, expr.args);
}

function appCall(body: Body, expr: MethodCallExpr, type: AppType, handling: Handling): Type {
  const callable = appMethod(body.context.signatures, type.symbol, expr.name.text);
  if (callable === undefined) return noMethod(body, expr, type);
  const result = checkSignature(body, expr, type, callable);
  recordCall(body, handling, expr, what(expr), callable.id);
  return result;
}

function noMethod(body: Body, expr: MethodCallExpr, type: Type): Type {
  body.takeHandling();
  if (expr.name.text !== '') {
    const isField = type.kind === 'class' && typeof fieldOf(body, type, expr.name.text) === 'object';
    const hint = isField ? ': it is a field; assign it to a variable to call the closure' : '';
    body.report('method-unknown', expr.name, `${showType(type)} has no method '${expr.name.text}'${hint}`);
  }
  return checkArgumentsOnly(body, expr.args);
}

/** Reports a mutating method call on an immutable variable or `self`. */
function checkMutable(body: Body, expr: MethodCallExpr, type: Type): void {
  const root = rootOf(expr.object);
  if (root?.kind === 'IdentExpr') {
    const local = body.locals.find(root.name);
    if (local?.isImmutable === true)
      body.report(
        'method-on-immutable',
        expr.name,
        `cannot call mutating method '${expr.name.text}' on immutable variable '${root.name}': declare it with 'let mut'`,
      );
  }
  if (
    withoutParens(expr.object).kind === 'SelfExpr' &&
    body.isSelfImmutable &&
    !body.frame.isClosure &&
    type === body.context.self
  )
    body.report(
      'self-mutation',
      expr.name,
      `cannot call 'mut self' method '${expr.name.text}' in a non-mut method: declare it with 'mut self'`,
    );
}

function builtinMethodCall(body: Body, expr: MethodCallExpr, type: Type, handling: Handling): Type {
  const { name } = expr;
  const method = builtinMethod(type, name.text);
  if (method === 'no-methods') {
    const hint = type.kind === 'nullable' || type.kind === 'none' ? ": unwrap the value with '?' first" : '';
    if (name.text !== '')
      body.report('method-of-non-class', expr, `method call on non-class type ${showType(type)}${hint}`);
    return checkArgumentsOnly(body, expr.args);
  }
  if (method === undefined) return noMethod(body, expr, type);
  checkArguments(body, `${name.text}()`, expr.args, method.params, expr);
  if (type.kind === 'task' && name.text === 'get') raiseTask(body, expr, type, handling);
  else if (method.raises.length > 0 || handling.how !== 'bare')
    raiseBuiltin(body, handling, method.raises, expr, what(expr));
  return method.result;
}

/** `get()` raises the errors of the spawned body; for a task of unknown origin, those of all tasks of its type. */
function raiseTask(body: Body, expr: MethodCallExpr, type: WrapType, handling: Handling): void {
  const local = expr.object.kind === 'IdentExpr' ? body.locals.find(expr.object.name) : undefined;
  if (local?.task !== undefined) recordCall(body, handling, expr, what(expr), local.task);
  else raiseBuiltin(body, handling, ['TaskCancelled'], expr, what(expr), taskKey(type.element));
}

/** Whether the object is a remote dependency: an instance in another process. */
function isRemote(body: Body, expr: MethodCallExpr): boolean {
  const object = withoutParens(expr.object);
  if (object.kind !== 'MemberExpr' || withoutParens(object.object).kind !== 'SelfExpr') return false;
  if (body.context.self === undefined) return false;
  const field = fieldOf(body, body.context.self, object.name.text);
  return typeof field === 'object' && field.use?.isRemote === true;
}
