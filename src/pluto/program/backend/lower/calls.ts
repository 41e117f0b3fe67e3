import type { CallExpr, Expr, IdentExpr, MethodCallExpr, StaticCallExpr } from '../../../language/syntax/ast/code.ts';
import { isBuiltinFunction } from '../../../language/check/body/builtin-functions.ts';
import type {
  AppSymbol,
  Callable,
  ExternSymbol,
  FunctionSymbol,
  StageSymbol,
  TraitSymbol,
  Type,
} from '../../../language/check/types/type.ts';
import type { BodyLowering } from './body.ts';
import {
  type BlockKey,
  called,
  CHECKS,
  choice,
  closureKey,
  functionKey,
  methodKey,
  ownMethodKey,
  wideClosureKey,
  wideMethodKey,
} from './blocking.ts';
import { hasPlainInts } from './closures.ts';
import { type ClassMethod, directMethod, traitOf } from '../direct-methods.ts';
import { hasInvariants } from './declared.ts';
import { asWide, compactCode, passed, received, type ValueCode, wideCode } from './int-code.ts';
import { methodOfIntKeys } from './int-keys.ts';
import { localName, methodName } from '../js-names.ts';
import { isUnbound } from './members.ts';
import { type IntRange, LENGTHS } from '../ranges.ts';
import { reflect } from './reflection.ts';

type CallNode = CallExpr | MethodCallExpr | StaticCallExpr;

/** A call whose arguments have been lowered. */
interface Call {
  readonly code: string;
  readonly isCompact?: boolean;
  readonly range?: IntRange | undefined;
  /** A statement that must follow the call. */
  readonly after?: string;
}

export const isCall = (expr: Expr): expr is CallNode =>
  expr.kind === 'CallExpr' || expr.kind === 'MethodCallExpr' || expr.kind === 'StaticCallExpr';

export const lowerCall = (body: BodyLowering, expr: CallNode): ValueCode => finished(body, callOf(body, expr, false));

function finished(body: BodyLowering, { code, isCompact, range, after }: Call): ValueCode {
  if (after === undefined) return { code, isCompact: isCompact === true, range };
  const result = body.temp(code);
  body.emit(after);
  return { code: result, isCompact: isCompact === true, range };
}

/** With `isSteady`, statements before the call evaluate its arguments, so that their errors are not attributed to the call. */
export function callOf(body: BodyLowering, expr: CallNode, isSteady: boolean): Call {
  switch (expr.kind) {
    case 'CallExpr':
      return namedCall(body, expr, isSteady);
    case 'MethodCallExpr':
      return methodCall(body, expr, isSteady);
    default:
      return wideCode(reflect(body, expr));
  }
}

function namedCall(body: BodyLowering, expr: CallExpr, isSteady: boolean): ValueCode {
  const { name } = expr;
  if (body.facts.localAt(name.start) === undefined) {
    const symbol = body.program.checked.program.find(body.file, name.text, 'FunctionDecl', 'ExternDecl');
    if (symbol !== undefined) return callFunction(body, symbol, expr.args, isSteady);
    if (isBuiltinFunction(name.text))
      return wideCode(`$rt.builtins.${name.text}(${body.exprs(expr.args, isSteady).join(', ')})`);
  }
  // A closure in a variable. The checker resolves a variable of a type parameter's type as well.
  const key = closureKey(expr.args.length);
  const wideKey = wideClosureKey(expr.args.length);
  const type = body.facts.localAt(name.start)?.type;
  const fn = type?.kind === 'fn' ? type : undefined;
  if (type === undefined || !hasPlainInts(type)) body.program.blocking.block(wideKey);
  const codes = body.sequence(
    expr.args.map((arg, index) => () => argument(body, arg, fn?.params[index], wideKey)),
    isSteady,
  );
  body.calls(key);
  return result(called(key, `${localName(name.text)}(${codes.join(', ')})`), fn?.result, wideKey);
}

/** An argument for a parameter of a declared type. */
const argument = (body: BodyLowering, arg: Expr, declared: Type | undefined, wideKey: BlockKey | undefined): string =>
  declared?.kind === 'int' ? passed(wideKey, body.compact(arg)) : body.expr(arg);

/** The result of a call, of a declared type. */
const result = (code: string, declared: Type | undefined, wideKey: BlockKey | undefined): ValueCode =>
  declared?.kind === 'int' ? compactCode(received(wideKey, code)) : wideCode(code);

function callFunction(
  body: BodyLowering,
  symbol: FunctionSymbol | ExternSymbol,
  args: readonly Expr[],
  isSteady: boolean,
): ValueCode {
  if (symbol.kind === 'ExternDecl')
    return wideCode(`${body.program.extern(symbol)}(${body.exprs(args, isSteady).join(', ')})`);
  const { params, result } = body.program.checked.signatures.callable(symbol);
  const codes = body.sequence(
    args.map((arg, index) => () => (params[index]?.type.kind === 'int' ? body.compact(arg) : body.expr(arg))),
    isSteady,
  );
  const call = `${body.program.function(symbol)}(${codes.join(', ')})`;
  // The body of a stream runs when its elements are read, so the call never blocks.
  if (result.kind === 'stream') return wideCode(call);
  const key = functionKey(symbol.serial);
  body.calls(key);
  return { code: called(key, call), isCompact: result.kind === 'int' };
}

/** Lowers a chain of method calls from its start, without recursion. */
function methodCall(body: BodyLowering, expr: MethodCallExpr, isSteady: boolean): Call {
  const chain: MethodCallExpr[] = [];
  let first: Expr = expr;
  while (first.kind === 'MethodCallExpr' && !isNotOnValue(body, first)) {
    chain.push(first);
    first = unwrapCall(first.object);
  }
  const links = chain.toReversed();
  let call: Call = first.kind === 'MethodCallExpr' ? callOfNoValue(body, first, isSteady) : body.value(first);
  for (const link of links) call = linked(body, link, asWide(finished(body, call)), isSteady && link === expr);
  return call;
}

/** The expression without parentheses and `!`, which emit nothing. */
function unwrapCall(expr: Expr): Expr {
  let inner = expr;
  while (inner.kind === 'ParenExpr' || inner.kind === 'PropagateExpr')
    inner = inner.kind === 'ParenExpr' ? inner.inner : inner.operand;
  return inner;
}

function linked(body: BodyLowering, { object, name, args }: MethodCallExpr, code: string, isSteady: boolean): Call {
  const type = body.typeOf(unwrapCall(object));
  const direct = directMethod(body.program.checked, body.facts.symbol, type, name.text);
  const callable = direct?.callable ?? promisedMethod(body, type, name.text);
  const wideKey = direct === undefined ? wideMethodKey(name.text) : undefined;
  const ofInts = methodOfIntKeys(type, name.text);
  const lowerArg = (arg: (typeof args)[number], index: number): string => {
    if (ofInts?.compactArgs[index] === true) return body.compact(arg);
    // Methods of strings take ints of both forms.
    if (type.kind === 'string') return body.value(arg).code;
    return argument(body, arg, callable?.params[index]?.type, wideKey);
  };
  const lowered = args.map((arg, index) => () => lowerArg(arg, index));
  const [receiver = '', ...values] = body.sequence([() => code, ...lowered], isSteady);
  if (ofInts !== undefined) return wideCode(`${receiver}.${ofInts.name}(${values.join(', ')})`);
  const call =
    direct === undefined
      ? callMethod(body, type, receiver, name.text, values)
      : callDirect(body, direct, receiver, values);
  return callable?.result.kind === 'int' ? { ...call, ...result(call.code, callable.result, wideKey) } : call;
}

/** The declaration of a method of a trait or an app. */
function promisedMethod(body: BodyLowering, type: Type, name: string): Callable | undefined {
  const { checked } = body.program;
  const { signatures } = checked;
  const trait = traitOf(checked, body.facts.symbol, type, name);
  if (trait !== undefined) return signatures.trait(trait).methods.get(name);
  if (type.kind !== 'app') return undefined;
  let app: AppSymbol | StageSymbol | undefined = type.symbol;
  for (; app !== undefined; app = signatures.app(app).parent) {
    const found = signatures.app(app).methods.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the call is a function of a module or an assertion, not a method of a value. */
function isNotOnValue(body: BodyLowering, { object, name }: MethodCallExpr): boolean {
  if (object.kind === 'CallExpr') return object.name.text === 'expect';
  return object.kind === 'IdentExpr' && functionOf(body, object, name.text) !== undefined;
}

function functionOf(body: BodyLowering, module: IdentExpr, name: string): FunctionSymbol | ExternSymbol | undefined {
  if (!isUnbound(body, module.start)) return undefined;
  const { program } = body.program.checked;
  const imported = program.module(body.file, module.name);
  return imported && program.findIn(imported, name, 'FunctionDecl', 'ExternDecl');
}

function callOfNoValue(body: BodyLowering, { object, name, args }: MethodCallExpr, isSteady: boolean): Call {
  if (object.kind === 'CallExpr') return { code: expectation(body, name, [...object.args, ...args]) };
  const symbol = object.kind === 'IdentExpr' ? functionOf(body, object, name.text) : undefined;
  return symbol === undefined ? wideCode('null') : callFunction(body, symbol, args, isSteady);
}

const EXPECTATIONS: Readonly<Record<string, string>> = {
  to_equal: 'expectEqual',
  to_be_true: 'expectTrue',
  to_be_false: 'expectFalse',
};

function expectation(body: BodyLowering, name: MethodCallExpr['name'], values: readonly Expr[]): string {
  const line = body.program.lineOf(body.file, name.start);
  return `$rt.${EXPECTATIONS[name.text] ?? ''}(${[...body.exprs(values), line].join(', ')})`;
}

/** Places in a string; -1 for none. */
const PLACES: IntRange = { ...LENGTHS, min: -1 };
const BLOCKING = new Set(['send', 'recv', 'get']);

function callMethod(body: BodyLowering, type: Type, object: string, name: string, values: readonly string[]): Call {
  const args = values.join(', ');
  const trait = traitOf(body.program.checked, body.facts.symbol, type, name);
  if (trait !== undefined) return callOfTrait(body, trait, object, name, args);
  switch (type.kind) {
    case 'app':
      return { code: callOwn(body, object, name, args) };
    case 'string':
      if (name === 'len') return compactCode(`${object}.length`, LENGTHS);
      if (name === 'index_of') return compactCode(`${object}.indexOf(${args})`, PLACES);
      if (name === 'last_index_of') return compactCode(`${object}.lastIndexOf(${args})`, PLACES);
      return { code: `$rt.str.${name}(${[object, ...values].join(', ')})` };
    case 'list':
    case 'bytes':
      if (name === 'len') return compactCode(`${object}.${type.kind === 'list' ? '' : 'items.'}length`, LENGTHS);
      return { code: `${object}.${name}(${args})` };
    case 'map':
    case 'set':
      return { code: `${object}.${name}(${args})` };
    case 'task':
    case 'sender':
    case 'receiver':
      if (!BLOCKING.has(name)) return { code: `${object}.${name}(${args})` };
      return { code: blockingCall(body, object, name, values) };
    default:
      return callUnknown(body, object, name, args);
  }
}

/** A call that makes a generator only if the other end is not ready. */
function blockingCall(body: BodyLowering, object: string, name: string, values: readonly string[]): string {
  body.blocks();
  const receiver = body.stable(object);
  if (name !== 'send') return `(${receiver}.$${name}() ?? (yield* ${receiver}.${name}()))`;
  const value = body.stable(values[0] ?? '');
  return `(${receiver}.$send(${value}) ? undefined : yield* ${receiver}.send(${value}))`;
}

function callOwn(body: BodyLowering, object: string, name: string, args: string): string {
  const key = methodKey(name);
  body.calls(key);
  return called(key, `${object}.${methodName(name)}(${args})`);
}

/** Calls the only method that a call can run. Invariants are checked after a mutating method. */
function callDirect(body: BodyLowering, method: ClassMethod, object: string, values: readonly string[]): Call {
  const { symbol, callable } = method;
  const key = ownMethodKey(symbol.serial, callable.name);
  const call = (receiver: string): string =>
    called(key, `${body.program.method(method)}(${[receiver, ...values].join(', ')})`);
  body.calls(key);
  if (!hasInvariants(symbol) || callable.receiver !== 'mut') return { code: call(object) };
  const receiver = body.stable(object);
  body.calls(CHECKS);
  return { code: call(receiver), after: `${called(CHECKS, `${receiver}.$$check()`)};` };
}

/** Calls a method of a trait. The object may be of a class with invariants. */
function callOfTrait(body: BodyLowering, trait: TraitSymbol, object: string, name: string, args: string): Call {
  const { signatures } = body.program.checked;
  if (!body.program.traitsWithInvariants.has(trait) || signatures.trait(trait).methods.get(name)?.receiver !== 'mut')
    return { code: callOwn(body, object, name, args) };
  const receiver = body.stable(object);
  return { code: callOwn(body, receiver, name, args), after: checkOfAny(body, receiver) };
}

/** Checks the invariants of an object, if its class has any. */
function checkOfAny(body: BodyLowering, receiver: string): string {
  body.calls(CHECKS);
  return `${settled(CHECKS, `${receiver}.$$check?.()`)};`;
}

/** A call of any method of this name on a value of unknown type. */
const settled = (key: string, call: string): string =>
  `${choice(key, '(yield* $rt.settle(', '')}${call}${choice(key, '))', '')}`;

/** Calls a method on a value of a type parameter. */
function callUnknown(body: BodyLowering, object: string, name: string, args: string): Call {
  body.program.blocking.block(wideMethodKey(name));
  const receiver = body.stable(object);
  const call = `$rt.call(${receiver}, "${methodName(name)}", [${args}])`;
  const after = checkOfAny(body, receiver);
  const key = methodKey(name);
  body.calls(key);
  if (!BLOCKING.has(name)) return { code: settled(key, call), after };
  body.blocks();
  return { code: `(yield* $rt.settle(${call}))`, after };
}
