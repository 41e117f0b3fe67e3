import type { CallExpr, StaticCallExpr } from '../../syntax/ast/code.ts';
import type { Span } from '../../syntax/ast/span.ts';
import { bodyKey, type CallSite } from '../effects/call-site.ts';
import { checkVisible } from '../program/resolve-type.ts';
import { substitute } from '../types/substitute.ts';
import { UNKNOWN } from '../types/make.ts';
import type { ExternSymbol, FunctionSymbol, Type } from '../types/type.ts';
import { checkArguments, checkArgumentsOnly, checkGenericArguments } from './arguments.ts';
import type { Body, Handling } from './body.ts';
import { builtinCall, isBuiltinFunction } from './builtin-functions.ts';
import { readLocal } from './names.ts';

/** Checks `name(…)`: a call of a closure in a variable, of a built-in function, or of a function of the module. */
export function checkCall(body: Body, expr: CallExpr): Type {
  const handling = body.takeHandling();
  const { name } = expr;
  if (name.text === '') return checkUnknownCall(body, expr);
  const local = body.locals.find(name.text);
  if (local?.type.kind === 'fn') {
    readLocal(body, local);
    body.noteVariable(name, local);
    if (expr.typeArgs.length > 0) body.report('call-type-arguments', expr, `closure '${name.text}' is not generic`);
    checkArguments(body, `closure '${name.text}'`, expr.args, local.type.params, expr);
    recordCall(body, handling, expr, `closure '${name.text}'`, undefined);
    return local.type.result;
  }
  if (local?.type.kind === 'unknown' || (local?.type.kind === 'param' && local.type.isOpen)) {
    readLocal(body, local);
    return checkUnknownCall(body, expr);
  }
  const symbol = body.context.program.find(body.context.file, name.text, 'FunctionDecl', 'ExternDecl');
  if (symbol === undefined && isBuiltinFunction(name.text)) return builtinCall(body, expr, handling);
  if (symbol === undefined) {
    body.report(
      'function-undefined',
      name,
      local === undefined
        ? `undefined function '${name.text}'`
        : `undefined function '${name.text}': the variable of this name is not a closure`,
    );
    return checkUnknownCall(body, expr);
  }
  return callFunction(body, symbol, expr, handling);
}

/** Checks the parts of a call whose function is unknown. */
function checkUnknownCall(body: Body, { args, typeArgs }: CallExpr): Type {
  for (const arg of typeArgs) body.type(arg);
  return checkArgumentsOnly(body, args);
}

type FunctionCall = Pick<CallExpr, 'name' | 'args' | 'typeArgs' | 'start' | 'end'>;

function callFunction(body: Body, symbol: FunctionSymbol | ExternSymbol, call: FunctionCall, handling: Handling): Type {
  const callable = body.context.signatures.callable(symbol);
  const what = `function '${call.name.text}'`;
  if (callable.typeParams.length === 0) {
    if (call.typeArgs.length > 0) {
      for (const arg of call.typeArgs) body.type(arg);
      body.report('call-type-arguments', call, `${what} is not generic`);
    }
    checkArguments(
      body,
      what,
      call.args,
      callable.params.map(({ type }) => type),
      call,
    );
    recordCall(body, handling, call, what, symbol.kind === 'ExternDecl' ? undefined : symbol.id);
    return callable.result;
  }
  const { known, isFine } = checkGenericArguments(body, callable, call.typeArgs, call.args, call.name, call);
  const args = callable.typeParams.map(({ type }) => known.get(type) ?? UNKNOWN);
  body.context.observer?.typeArgs(call.name.start, args);
  if (symbol.kind === 'FunctionDecl' && isFine && args.every(isConcrete)) body.instances.push({ symbol, args });
  const isOpen = args.some(arg => arg.isOpen);
  recordCall(body, handling, call, what, isOpen ? symbol.id : bodyKey(symbol.id, args), { isOpen });
  return substitute(callable.result, known);
}

/** Whether a type argument is fully known, so that a body can be instantiated with it. */
export const isConcrete = (type: Type): boolean => !type.isOpen && type.kind !== 'unknown' && type.kind !== 'none';

/** Checks `module.name(…)` for a function of an imported module. */
export function callInModule(
  body: Body,
  symbol: FunctionSymbol | ExternSymbol,
  module: { readonly text: string; readonly start: number; readonly end: number },
  call: FunctionCall,
): Type {
  const handling = body.takeHandling();
  checkVisible(symbol, module, call.name, body);
  return callFunction(body, symbol, call, handling);
}

/** Records what a call can raise and how its errors are handled. `key` is `undefined` for a callee that raises nothing known. */
export function recordCall(
  body: Body,
  { how, covers }: Handling,
  { start, end }: Span,
  what: string,
  key: string | undefined,
  { isOpen = false, direct = NO_ERRORS }: Partial<Pick<CallSite, 'isOpen' | 'direct'>> = {},
): void {
  if (key === undefined && direct.length === 0 && how === 'bare') return;
  body.sites.push({ how, key, direct, covers, what, isOpen, start, end });
}

const NO_ERRORS: CallSite['direct'] = [];

/** Checks `Trait::method<T>(…)`. */
export function checkStaticCall(body: Body, expr: StaticCallExpr): Type {
  const handling = body.takeHandling();
  const { trait, method } = expr;
  for (const arg of expr.typeArgs) body.type(arg);
  const symbol = body.context.program.find(body.context.file, trait.text, 'TraitDecl');
  if (symbol === undefined) {
    if (trait.text !== '') body.report('static-call', trait, `unknown trait '${trait.text}'`);
    return checkArgumentsOnly(body, expr.args);
  }
  const callable = body.context.signatures.trait(symbol).methods.get(method.text);
  if (callable === undefined) {
    body.report('static-call', method, `trait '${trait.text}' has no method '${method.text}'`);
    return checkArgumentsOnly(body, expr.args);
  }
  if (callable.receiver !== 'static')
    body.report('static-call', method, `'${trait.text}.${method.text}' is not a static method: call it on a value`);
  checkArguments(
    body,
    `'${trait.text}::${method.text}'`,
    expr.args,
    callable.params.map(({ type }) => type),
    expr,
  );
  recordCall(body, handling, expr, `method '${method.text}'`, undefined);
  return callable.result;
}
