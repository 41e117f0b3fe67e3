import type { TypedEnum } from '../typed/typed-form.ts';
import { FunctionCode, type FunctionContext } from './function-code.ts';
import { isNullable, isObject, type Kind, objectOf, type ObjectKind, objectType, TAG } from './kinds.ts';
import { unsupported } from './unsupported.ts';

/**
 * Emits the function that compares two values of an enum, either of which may be `none`: by identity first, then by fields, as in JavaScript.
 *
 * @throws Unsupported for an enum that contains itself, because a chain of values may be deeper than the stack
 */
export function equalityFunction(context: FunctionContext, of: TypedEnum): FunctionCode {
  const kind = context.kindOf(of.type);
  if (kind === undefined || !isObject(kind) || containsItself(context, kind)) return unsupported();
  const { variants } = context.enumOf(kind) ?? unsupported();
  const body = new FunctionCode(context, unsupported, 'bool');
  const { code } = body;
  const sides = [body.argument(), body.argument()] as const;
  const type = objectType(kind);
  const tag = (side: number): void => void code.at('local.get', side).gc('struct.get', type, TAG);
  const returnIf = (value: 0 | 1): void => void code.open('if').i32(value).op('return', 'end');
  for (const side of sides) code.at('local.get', side);
  code.op('ref.eq');
  returnIf(1);
  for (const side of sides) {
    code.at('local.get', side).op('ref.is_null');
    returnIf(0);
  }
  for (const side of sides) tag(side);
  code.op('i32.ne');
  returnIf(0);
  for (const [index, variant] of variants.entries()) {
    if (variant.constant !== undefined) continue;
    tag(sides[0]);
    code.i32(index).op('i32.eq').open('if');
    for (const [field, fieldKind] of variant.fields.entries()) {
      for (const side of sides)
        code
          .at('local.get', side)
          .cast(variant.type)
          .gc('struct.get', variant.type, field + 1);
      isSame(body, fieldKind);
      code.op('i32.eqz');
      returnIf(0);
    }
    code.op('end');
  }
  code.i32(1);
  return body;
}

/** Compares the values of two fields on the stack. */
function isSame(body: FunctionCode, kind: Kind): void {
  const { code } = body;
  switch (kind) {
    case 'int':
      code.op('i64.eq');
      return;
    case 'float':
      code.op('f64.eq');
      return;
    case 'bool':
      code.op('i32.eq');
      return;
    case 'string':
      return body.call('equals');
    default: {
      const object = isNullable(kind) ? objectOf(kind) : kind;
      if (isObject(object)) isSameObject(body, object);
      else code.op('ref.eq');
    }
  }
}

/** Compares two objects, or two values of an enum, on the stack; either may be `none`. */
export function isSameObject(body: FunctionCode, kind: ObjectKind): void {
  const found = body.context.enumOf(kind);
  if (found === undefined || found.variants.every(({ constant }) => constant !== undefined)) body.code.op('ref.eq');
  else body.code.at('call', body.context.functionIndex(found.of));
}

/** Whether a value of an enum may contain another one, not through objects and lists, which are compared by identity. */
function containsItself(context: FunctionContext, start: ObjectKind): boolean {
  const seen = new Set<ObjectKind>();
  const open = [start];
  for (let kind = open.pop(); kind !== undefined; kind = open.pop())
    for (const { fields } of context.enumOf(kind)?.variants ?? [])
      for (const field of fields) {
        const inner = isNullable(field) ? objectOf(field) : field;
        if (inner === start) return true;
        if (!isObject(inner) || seen.has(inner)) continue;
        seen.add(inner);
        open.push(inner);
      }
  return false;
}
