import type { CatchValue, ErrorField, ErrorMessage, RaiseStmt, TypedHandler, TypedValue } from '../typed/typed-form.ts';
import { blockValue } from './block-values.ts';
import { box, unbox } from './boxes.ts';
import type { Guard, Signature } from './callee.ts';
import { EXTERNREF, type TypeCode } from './encoder.ts';
import { type Calls, FunctionCode, type FunctionContext } from './function-code.ts';
import {
  codeOf,
  isBoxed,
  isForeign,
  isNullable,
  isObject,
  isShared,
  type Kind,
  presentOf,
  scalarOf,
  type Shared,
  sharedElement,
  structureType,
} from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** Emits a `raise`. The error is an object of JavaScript. */
export function raise(body: FunctionCode, { error, fields }: RaiseStmt): void {
  const { code } = body;
  const kinds = error.fields.map(({ type }) => body.kindOfType(type));
  const locals = kinds.map(kind => body.local(kind));
  for (const { index, value } of fields) {
    body.as(value, kinds[index] ?? unsupported());
    code.at('local.set', locals[index] ?? unsupported());
  }
  for (const [index, kind] of kinds.entries()) {
    addField(body, kind, locals[index] ?? unsupported());
  }
  code.i32(body.context.error(error));
  body.call('raise');
  code.op('unreachable');
}

/** Adds the value of a variable to the fields of the next error. */
function addField(body: FunctionCode, kind: Kind, value: number): void {
  const { code } = body;
  const present = presentOf(kind);
  const element = sharedElement(kind);
  code.at('local.get', value);
  if (isBoxed(kind)) {
    code.op('ref.is_null').open('if').nullExtern();
    body.call('error_string');
    code.op('else').at('local.get', value);
    unbox(code, kind);
    body.call(`error_${scalarOf(kind)}`);
    code.op('end');
  } else if (isForeign(present)) body.call('error_string');
  else if (isShared(present)) body.call(`error_${present}`);
  else if (element !== undefined) {
    body.context.sharesLists(element);
    code.i32(body.context.text(element));
    body.call('error_list');
  } else {
    valueText(body, present, value);
    body.call('error_value');
  }
}

/** Leaves the text for messages of a value that only WebAssembly code works on. */
function valueText(body: FunctionCode, kind: Kind, value: number): void {
  if (!isObject(kind) || body.context.enumOf(kind) === undefined) return body.text('<value>');
  body.code.at('local.get', value);
  body.callFunction(`name ${kind}`);
}

export function errorField(body: FunctionCode, { object, index, type }: ErrorField): Kind {
  const { code } = body;
  const kind = body.kindOfType(type);
  const present = presentOf(kind);
  const element = sharedElement(kind);
  const held = errorIn(body, object);
  const get = (of: Shared): void => {
    code.at('local.get', held).i32(index);
    body.call(`error_field_${of}`);
  };
  if (isBoxed(kind)) {
    get('string');
    code.op('ref.is_null').open('if', codeOf(kind)).nullCollected().op('else');
    get(scalarOf(kind));
    box(code, kind);
    code.op('end');
  } else if (isForeign(present)) get('string');
  else if (isShared(present)) get(present);
  else {
    code.at('local.get', held).i32(index);
    if (element === undefined) body.call('error_field_value');
    else {
      body.context.sharesLists(element);
      code.i32(body.context.text(element));
      body.call('error_field_list');
    }
    code.cast(structureType(present), isNullable(kind));
  }
  return kind;
}

export function errorMessage(body: FunctionCode, { object }: ErrorMessage): 'string' {
  body.code.at('local.get', errorIn(body, object));
  body.call('error_message');
  return 'string';
}

/** Emits an assignment to a field. @param emitAssigned leaves the new value */
export function assignErrorField(
  body: FunctionCode,
  { object, index, type }: ErrorField,
  emitAssigned: (kind: Kind) => void,
): void {
  const kind = body.kindOfType(type);
  const held = errorIn(body, object);
  const assigned = body.local(kind);
  emitAssigned(kind);
  body.code.at('local.set', assigned);
  // From here on, no code of the program runs: it could raise an error, which would get this field too.
  addField(body, kind, assigned);
  body.code.at('local.get', held).i32(index);
  body.call('error_set_field');
}

/** Emits an error into a variable. @returns the index of the variable */
function errorIn(body: FunctionCode, object: TypedValue): number {
  const { kind, index } = body.toLocal(object);
  return kind === 'error' ? index : unsupported();
}

/**
 * Emits a `catch` of the errors of a call, not of its arguments.
 *
 * @param emitCall @returns the kind of its result; `undefined` if there is none
 * @param kind of the value; `undefined` if there is none
 */
export function catchValue(
  body: FunctionCode,
  { handlers }: CatchValue,
  kind: Kind | undefined,
  emitCall: (calls: Calls) => Kind | undefined,
): void {
  const { code } = body;
  const raised = body.local(EXTERNREF);
  let isGuarded = false;
  const ifReturned = (type: TypeCode | undefined, emit: () => void): void => {
    code.at('local.get', raised).op('ref.is_null');
    body.open('if', type);
    emit();
  };
  const found = emitCall({
    call(callee) {
      isGuarded = true;
      body.callByTable(body.context.guardOf(callee));
      code.at('local.set', raised);
    },
    after(emit) {
      ifReturned(undefined, emit);
      body.end();
    },
  });
  if ((found === undefined) !== (kind === undefined)) return unsupported();
  if (!isGuarded) {
    if (found !== undefined && kind !== undefined) body.convert(found, kind);
    return;
  }
  const type = kind && codeOf(kind);
  const value = found && body.local(found);
  if (value !== undefined) code.at('local.set', value);
  ifReturned(type, () => {
    if (value === undefined || found === undefined || kind === undefined) return;
    code.at('local.get', value);
    body.convert(found, kind);
  });
  code.op('else');
  handle(body, handlers, kind, raised);
  body.end();
}

/** Emits handlers of the error in a variable, which is raised again if none handles it. */
function handle(body: FunctionCode, handlers: CatchValue['handlers'], kind: Kind | undefined, raised: number): void {
  const { code } = body;
  const error = body.local('error');
  code.at('local.get', raised);
  body.call('caught');
  code.at('local.set', error);
  const typed = handlers.filter(handler => handler.error !== undefined);
  const rest = handlers.find(handler => handler.error === undefined);
  const emit = ({ variable, body: block }: TypedHandler): void => {
    if (variable !== undefined) code.at('local.get', error).at('local.set', body.declare(variable, 'error'));
    blockValue(body, block, kind);
  };
  for (const handler of typed) {
    code.at('local.get', error).i32(body.context.error(handler.error ?? unsupported()));
    body.call('error_has_type');
    body.open('if', kind && codeOf(kind));
    emit(handler);
    code.op('else');
  }
  if (rest === undefined) code.at('local.get', raised).raise();
  else emit(rest);
  for (const _ of typed) body.end();
}

export const guardSignature = (guarded: Signature | undefined): Signature | undefined =>
  guarded && { ...guarded, hasError: true };

/**
 * Emits the function that calls other code, and returns the error that it raises. V8 loses the source places of calls in a `try`, also in functions that it
 * inlines there: the only call in a `try` is this one, which has no place and is not inlined.
 */
export function guardFunction(
  context: FunctionContext,
  { guarded }: Guard,
  { self, params, result }: Signature,
): FunctionCode {
  const body = new FunctionCode(context, () => unsupported(), result);
  const { code } = body;
  code.mark('');
  const args = (self === undefined ? params : [self, ...params]).map(() => body.argument());
  const value = result && body.local(result);
  const raised = body.local(EXTERNREF);
  body.open('try');
  for (const arg of args) code.at('local.get', arg);
  body.callByTable(guarded);
  if (value !== undefined) code.at('local.set', value);
  code.catchRaised().at('local.set', raised);
  body.end();
  if (value !== undefined) code.at('local.get', value);
  code.at('local.get', raised);
  return body;
}
