import type {
  BuiltinCall,
  BuiltinMethodCall,
  ClosureCall,
  Expectation,
  ExternCall,
  FunctionCall,
  MethodCall,
  TypedCall,
  TypedMethod,
  TypedValue,
} from '../typed/typed-form.ts';
import type { BodyEmitter } from './body.ts';
import { directTarget, mayBreakInvariants } from '../typed/children.ts';
import { closureKey, dispatchKey, INVARIANTS, isWait } from '../typed/call-graph.ts';
import type { ValueCode } from './int-code.ts';
import { localName, methodName } from './js-names.ts';
import { type IntRange, LENGTHS } from '../typed/int-range.ts';
import { hasIntKeys, textCode } from './literals.ts';

/** A call whose arguments have been emitted. */
interface Call {
  readonly code: string;
  readonly range?: IntRange | undefined;
  /** A statement that must follow the call. */
  readonly after?: string;
}

export const isCall = (value: TypedValue): value is TypedCall =>
  value.kind.startsWith('call') || value.kind === 'expect';

export const callCode = (body: BodyEmitter, call: TypedCall): ValueCode => finished(body, callOf(body, call, false));

function finished(body: BodyEmitter, { code, range, after }: Call): ValueCode {
  if (after === undefined) return { code, range };
  const result = body.temp(code);
  body.emit(after);
  return { code: result, range };
}

/** With `isSteady`, statements before the call evaluate its arguments, so that their errors are not attributed to the call. */
export function callOf(body: BodyEmitter, call: TypedCall, isSteady: boolean): Call {
  switch (call.kind) {
    case 'call':
      return functionCall(body, call, isSteady);
    case 'call-extern':
      return externCall(body, call, isSteady);
    case 'call-builtin':
      return builtinCall(body, call, isSteady);
    case 'call-closure':
      return closureCall(body, call, isSteady);
    case 'expect':
      return expectation(body, call);
    default:
      return methodCall(body, call, isSteady);
  }
}

function functionCall(body: BodyEmitter, { callee, args, type, range }: FunctionCall, isSteady: boolean): Call {
  const call = `${body.program.function(callee)}(${body.codes(args, isSteady).join(', ')})`;
  // The body of a stream runs when its elements are read, so the call never blocks.
  return { code: type.kind === 'stream' ? call : body.called(callee, call), range };
}

/** The host takes and gives ints as bigints. */
function externCall(body: BodyEmitter, { callee, args }: ExternCall, isSteady: boolean): Call {
  const codes = body.codes(args, isSteady).map((code, at) => (callee.params[at]?.kind === 'int' ? wide(code) : code));
  const call = `${body.program.extern(callee)}(${codes.join(', ')})`;
  return { code: callee.result.kind === 'int' ? `$$compact(${call})` : call };
}

/** An int as a bigint. */
const wide = (code: string): string => (/^-?\d+$/.test(code) ? `${code}n` : `$$wide(${code})`);

function builtinCall(body: BodyEmitter, { name, args }: BuiltinCall, isSteady: boolean): Call {
  const [first] = args;
  if (name === 'print' && first !== undefined) {
    const [text = ''] = body.sequence([() => textCode(body, first)], isSteady);
    return { code: `$rt.builtins.print(${text})` };
  }
  const codes = body.codes(args, isSteady).join(', ');
  const isOfInts = first?.type.kind === 'int' && (name === 'abs' || name === 'pow');
  return { code: isOfInts ? `$rt.ints.${name}(${codes})` : `$rt.builtins.${name}(${codes})` };
}

function closureCall(body: BodyEmitter, { variable, args, range }: ClosureCall, isSteady: boolean): Call {
  const call = `${localName(variable.name)}(${body.codes(args, isSteady).join(', ')})`;
  return { code: body.called(closureKey(args.length), call), range };
}

const EXPECTATIONS: Readonly<Record<string, string>> = {
  to_equal: 'expectEqual',
  to_be_true: 'expectTrue',
  to_be_false: 'expectFalse',
};

/** Messages show ints as bigints. */
function expectation(body: BodyEmitter, { name, args, line }: Expectation): Call {
  const codes = body.codes(args).map((code, at) => (isInt(args[at]) ? wide(code) : code));
  return { code: `$rt.${EXPECTATIONS[name] ?? ''}(${[...codes, line].join(', ')})` };
}

function isInt(value: TypedValue | undefined): boolean {
  const type = value?.type;
  return (type?.kind === 'nullable' ? type.element : type)?.kind === 'int';
}

type AnyMethodCall = MethodCall | BuiltinMethodCall;

const isMethodCall = (value: TypedValue): value is AnyMethodCall =>
  value.kind === 'call-method' || value.kind === 'call-builtin-method';

/** Emits a chain of method calls from its start, without recursion. */
function methodCall(body: BodyEmitter, call: AnyMethodCall, isSteady: boolean): Call {
  const chain: AnyMethodCall[] = [];
  let first: TypedValue = call;
  for (; isMethodCall(first); first = first.receiver) chain.push(first);
  let value: Call = body.value(first);
  for (const link of chain.toReversed())
    value = linked(body, link, finished(body, value).code, isSteady && link === call);
  return value;
}

function linked(body: BodyEmitter, call: AnyMethodCall, code: string, isSteady: boolean): Call {
  const steps = call.args.map(arg => () => body.code(arg));
  const [receiver = '', ...args] = body.sequence([() => code, ...steps], isSteady);
  return call.kind === 'call-method'
    ? ownMethod(body, call, receiver, args)
    : builtinMethod(body, call, receiver, args);
}

/** Calls a method of an object. Its invariants are checked after a mutating method. */
function ownMethod(body: BodyEmitter, call: MethodCall, object: string, args: readonly string[]): Call {
  const direct = directTarget(call);
  const run = (receiver: string): string =>
    direct === undefined ? dispatched(body, call.name, receiver, args) : directCall(body, direct, receiver, args);
  const { range } = call;
  if (!mayBreakInvariants(call)) return { code: run(object), range };
  const receiver = body.stable(object);
  return { code: run(receiver), range, after: `${body.called(INVARIANTS, checked(body, receiver, call))};` };
}

function directCall(body: BodyEmitter, method: TypedMethod, receiver: string, args: readonly string[]): string {
  return body.called(method, `${body.program.method(method)}(${[receiver, ...args].join(', ')})`);
}

const dispatched = (body: BodyEmitter, name: string, receiver: string, args: readonly string[]): string =>
  body.called(dispatchKey(name), `${receiver}.${methodName(name)}(${args.join(', ')})`);

/** Checks the invariants of an object, if its class has any. */
function checked(body: BodyEmitter, receiver: string, of: MethodCall): string {
  const { targets } = of;
  const owner = directTarget(of)?.owner;
  if (owner !== undefined) return `${body.program.invariants(owner)}(${receiver})`;
  if (targets.every(({ owner }) => owner.invariants.length > 0)) return `${receiver}.$$check()`;
  const call = `${receiver}.$$check?.()`;
  return body.isBlocking(INVARIANTS) ? `$rt.settle(${call})` : call;
}

/** Places in a string; -1 for none. */
const PLACES: IntRange = { ...LENGTHS, min: -1 };

/** Methods of maps and sets whose keys are ints. */
const OF_INT_KEYS: Readonly<Record<string, string>> = { contains: '$has', insert: '$put' };

function builtinMethod(
  body: BodyEmitter,
  { receiver: { type }, name, args: values }: BuiltinMethodCall,
  object: string,
  args: readonly string[],
): Call {
  const list = args.join(', ');
  switch (type.kind) {
    case 'string':
      if (name === 'len') return { code: `${object}.length`, range: LENGTHS };
      if (name === 'index_of') return { code: `${object}.indexOf(${list})`, range: PLACES };
      if (name === 'last_index_of') return { code: `${object}.lastIndexOf(${list})`, range: PLACES };
      return { code: `$rt.str.${name}(${[object, ...args].join(', ')})` };
    case 'list':
      return name === 'len' ? { code: `${object}.length`, range: LENGTHS } : { code: `${object}.${name}(${list})` };
    case 'bytes':
      return name === 'len'
        ? { code: `${object}.items.length`, range: LENGTHS }
        : { code: `${object}.${name}(${list})` };
    case 'map':
    case 'set':
      return { code: `${object}.${(hasIntKeys({ type }) ? OF_INT_KEYS[name] : undefined) ?? name}(${list})` };
    case 'task':
    case 'sender':
    case 'receiver':
      return { code: isWait(name) ? waitingCall(body, object, name, args) : `${object}.${name}(${list})` };
    default:
      // This code never runs: an expression of this type has no value.
      return { code: `${object}.${name}(${values.map(() => 'null').join(', ')})` };
  }
}

/** A call that makes a generator only if the other end is not ready. */
function waitingCall(body: BodyEmitter, object: string, name: string, args: readonly string[]): string {
  const receiver = body.stable(object);
  if (name !== 'send') return `(${receiver}.$${name}() ?? (yield* ${receiver}.${name}()))`;
  const value = body.stable(args[0] ?? '');
  return `(${receiver}.$send(${value}) ? undefined : yield* ${receiver}.send(${value}))`;
}
