import type { CatchValue, ErrorField, ErrorMessage, RaiseStmt, TypedHandler, TypedValue } from '../typed/typed-form.ts';
import { blockValue } from './block-values.ts';
import { box, unbox } from './boxes.ts';
import { EXTERNREF } from './encoder.ts';
import type { FunctionCode } from './function-code.ts';
import { codeOf, isBoxed, isShared, type Kind, presentOf, scalarOf, type Shared } from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** Fields of errors are values that both languages use. */
function sharedOf(kind: Kind): Shared {
  const present = presentOf(kind);
  return isShared(present) ? present : unsupported();
}

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
  code.at('local.get', value);
  if (isBoxed(kind)) {
    code.op('ref.is_null').open('if').nullExtern();
    body.call('error_string');
    code.op('else').at('local.get', value);
    unbox(code, kind);
  }
  body.call(`error_${sharedOf(kind)}`);
  if (isBoxed(kind)) code.op('end');
}

export function errorField(body: FunctionCode, { object, index, type }: ErrorField): Kind {
  const { code } = body;
  const kind = body.kindOfType(type);
  const get = (of: Shared): void => {
    error(body, object);
    code.i32(index);
    body.call(`error_field_${of}`);
  };
  if (!isBoxed(kind)) get(sharedOf(kind));
  else {
    get('string');
    code.op('ref.is_null').open('if', codeOf(kind)).nullCollected().op('else');
    get(scalarOf(kind));
    box(code, kind);
    code.op('end');
  }
  return kind;
}

export function errorMessage(body: FunctionCode, { object }: ErrorMessage): 'string' {
  error(body, object);
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
  const assigned = body.local(kind);
  emitAssigned(kind);
  body.code.at('local.set', assigned);
  addField(body, kind, assigned);
  error(body, object);
  body.code.i32(index);
  body.call('error_set_field');
}

/** Leaves the error that a handler has received. */
function error(body: FunctionCode, object: TypedValue): void {
  body.code.at('local.get', body.error(object.kind === 'variable' ? object.variable : unsupported()));
}

/** Emits a `catch`. @param emitOperand leaves the value if there is one @param kind of the value; `undefined` if there is none */
export function catchValue(
  body: FunctionCode,
  { handlers }: CatchValue,
  kind: Kind | undefined,
  emitOperand: () => void,
): void {
  const { code } = body;
  const type = kind && codeOf(kind);
  const raised = body.local(EXTERNREF);
  const label = body.open('try', type);
  emitOperand();
  code.catchRaised().at('local.set', raised);
  const typed = handlers.filter(handler => handler.error !== undefined);
  const rest = handlers.find(handler => handler.error === undefined);
  const handle = ({ variable, body: block }: TypedHandler): void => {
    if (variable !== undefined) body.declareError(variable, raised);
    blockValue(body, block, kind);
  };
  for (const handler of typed) {
    code.at('local.get', raised).i32(body.context.error(handler.error ?? unsupported()));
    body.call('error_has_type');
    body.open('if', type);
    handle(handler);
    code.op('else');
  }
  if (rest === undefined) body.rethrow(label);
  else handle(rest);
  for (const _ of typed) body.end();
  body.end();
}
