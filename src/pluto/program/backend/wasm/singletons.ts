import type { EmptyValue, TypedSingleton } from '../typed/typed-form.ts';
import { type EmitValue, FunctionCode, type FunctionContext } from './function-code.ts';
import type { Kind } from './kinds.ts';
import * as lists from './lists.ts';
import * as maps from './maps.ts';
import { unsupported } from './unsupported.ts';

/** Emits the function that gives the only instance of a class, and makes it at its first call. */
export function singletonFunction(
  context: FunctionContext,
  of: TypedSingleton,
  emitValue: EmitValue,
  result: Kind,
): FunctionCode {
  const body = new FunctionCode(context, emitValue, result);
  const global = context.singletonGlobal(of);
  body.code.mark('');
  body.code.global('global.get', global).op('ref.is_null').open('if');
  body.as(of.value, result);
  body.code.global('global.set', global).op('end').global('global.get', global);
  return body;
}

/** Emits the value of a field that is never set. */
export function empty(body: FunctionCode, { type }: EmptyValue): Kind {
  const kind = body.kindOfType(type);
  const { code } = body;
  switch (kind) {
    case 'int':
      code.i64(0n);
      return kind;
    case 'float':
      code.f64(0);
      return kind;
    case 'bool':
    case 'byte':
      code.i32(0);
      return kind;
    case 'string':
      body.text('');
      return kind;
    case 'bytes':
      return lists.newBytes(body);
    default:
  }
  switch (type.kind) {
    case 'nullable':
      body.null(kind);
      return kind;
    case 'list':
      return lists.literal(body, [], kind);
    case 'map':
    case 'set':
      return maps.literal(body, kind, []);
    default:
      return unsupported();
  }
}
