import { directTarget, mayBreakInvariants } from '../typed/children.ts';
import type { FieldInit, FieldUse, MethodCall, NoneExit, ObjectValue, TypedValue } from '../typed/typed-form.ts';
import { unbox } from './boxes.ts';
import type { Calls, FunctionCode } from './function-code.ts';
import {
  ANY_OBJECT,
  indexOfKind,
  isBoxed,
  isNullable,
  isObject,
  type Kind,
  type ObjectKind,
  objectType,
  presentOf,
} from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** Emits a new object, whose invariants are checked. */
export function newObject(body: FunctionCode, { type, of, fields, isChecked }: ObjectValue): Kind {
  const { code } = body;
  const kind = body.kindOfType(type);
  if (!isObject(kind)) return unsupported();
  if (of.traits.length > 0) code.i32(indexOfKind(kind));
  fieldsInOrder(body, fields, of.fields.length, index => fieldOf(body, kind, of.fields[index]?.name ?? '').kind);
  code.gc('struct.new', objectType(kind));
  if (isChecked && of.invariants.length > 0) {
    const made = body.local(kind);
    code.at('local.tee', made);
    body.callFunction(of);
    code.at('local.get', made);
  }
  return kind;
}

/** Emits the values of all fields, and leaves them in the order of the declaration. */
export function fieldsInOrder(
  body: FunctionCode,
  fields: readonly FieldInit[],
  count: number,
  kindAt: (index: number) => Kind,
): void {
  const { code } = body;
  const isInOrder = fields.length === count && fields.every(({ index }, at) => index === at);
  if (isInOrder) {
    for (const { index, value } of fields) body.as(value, kindAt(index));
    return;
  }
  const locals = new Map<number, number>();
  for (const { index, value } of fields) {
    body.as(value, kindAt(index));
    const local = body.local(kindAt(index));
    code.at('local.set', local);
    locals.set(index, local);
  }
  for (let index = 0; index < count; index += 1) code.at('local.get', locals.get(index) ?? unsupported());
}

const fieldOf = (body: FunctionCode, kind: ObjectKind, name: string): { readonly index: number; readonly kind: Kind } =>
  body.context.field(kind, name) ?? unsupported();

export function field(body: FunctionCode, { object, name }: FieldUse): Kind {
  const kind = body.value(object);
  if (!isObject(kind)) return unsupported();
  const found = fieldOf(body, kind, name);
  body.code.gc('struct.get', objectType(kind), found.index);
  return found.kind;
}

/** @param emitAssigned leaves the new value */
export function assignField(body: FunctionCode, { object, name }: FieldUse, emitAssigned: (kind: Kind) => void): void {
  const held = body.toLocal(object);
  if (!isObject(held.kind)) return unsupported();
  const found = fieldOf(body, held.kind, name);
  body.code.at('local.get', held.index);
  emitAssigned(found.kind);
  body.code.gc('struct.set', objectType(held.kind), found.index);
}

/** Emits a method call. Its invariants are checked after a mutating method. @returns the kind of its result; `undefined` if there is none */
export function callMethod(body: FunctionCode, call: MethodCall, calls: Calls = body.calls): Kind | undefined {
  const { code } = body;
  const target = directTarget(call);
  const kind = body.value(call.receiver);
  if (!isObject(kind)) return unsupported();
  const { params, result } = (call.targets[0] ?? unsupported()).body;
  const resultKind = result.kind === 'void' ? undefined : body.kindOfType(result);
  if (target === undefined) {
    if (kind !== ANY_OBJECT) return unsupported();
    callArgs(body, params, call.args);
    calls.call(call.targets);
    return resultKind;
  }
  const own = body.context.kindOf(target.owner.type ?? unsupported());
  if (own === undefined || !isObject(own)) return unsupported();
  if (kind !== own) {
    if (kind !== ANY_OBJECT) return unsupported();
    code.cast(objectType(own));
  }
  const receiver = mayBreakInvariants(call) ? body.local(own) : undefined;
  if (receiver !== undefined) code.at('local.tee', receiver);
  callArgs(body, params, call.args);
  calls.call(target);
  if (receiver !== undefined)
    calls.after(() => {
      code.at('local.get', receiver);
      body.callFunction(target.owner);
    });
  return resultKind;
}

export function callArgs(
  body: FunctionCode,
  params: readonly { readonly type: ObjectValue['type'] }[],
  args: readonly TypedValue[],
): void {
  for (const [index, arg] of args.entries()) body.as(arg, body.kindOfType((params[index] ?? unsupported()).type));
}

/** Emits `value?`, which returns from the function if the value is `none`: with `none`, or with nothing. */
export function noneExit(body: FunctionCode, { operand }: NoneExit): Kind {
  const { code, result } = body;
  const kind = body.value(operand);
  if (!isNullable(kind)) return unsupported();
  const held = body.local(kind);
  code.at('local.tee', held).op('ref.is_null').open('if');
  if (result !== undefined) none(body, result);
  code.op('return', 'end').at('local.get', held);
  if (isBoxed(kind)) unbox(code, kind);
  return presentOf(kind);
}

/** Emits `none`. @param wanted the kind of the place that gets it */
export function none(body: FunctionCode, wanted: Kind | undefined): Kind {
  if (wanted === undefined || !isNullable(wanted)) return unsupported();
  body.null(wanted);
  return wanted;
}
