import type { BuiltinMethodCall, IndexValue, TypedValue } from '../typed/typed-form.ts';
import type { FunctionCode, WasmLocal } from './function-code.ts';
import { arrayType, isTable, keyOf, type Kind, TABLE, type TableKind, tableType, valueOf } from './kinds.ts';
import { findFunction, keysFunction, newTable, putFunction, removeFunction, valuesFunction } from './map-functions.ts';
import type { TableFunction } from './callee.ts';
import { unsupported } from './unsupported.ts';
import { I32 } from './encoder.ts';

interface HeldTable extends WasmLocal {
  readonly kind: TableKind;
}

function held(body: FunctionCode, value: TypedValue): HeldTable {
  const local = body.toLocal(value);
  return isTable(local.kind) ? { index: local.index, kind: local.kind } : unsupported();
}

function heldKey(body: FunctionCode, { kind }: HeldTable, key: TypedValue): number {
  const local = body.toLocal(key);
  return local.kind === keyOf(kind) ? local.index : unsupported();
}

const call = (body: FunctionCode, of: TableFunction): void => body.callFunction(of);

/** Emits a map or set literal. Later entries win. */
export function literal(
  body: FunctionCode,
  kind: Kind,
  entries: readonly (readonly [key: TypedValue, value?: TypedValue])[],
): Kind {
  if (!isTable(kind)) return unsupported();
  const table = { index: body.local(kind), kind };
  newTable(body, kind);
  body.code.at('local.set', table.index);
  for (const [key, value] of entries) put(body, table, heldKey(body, table, key), value);
  body.code.at('local.get', table.index);
  return kind;
}

/** Adds a key, or replaces its value. */
function put(body: FunctionCode, table: HeldTable, key: number, value: TypedValue | undefined): void {
  const of = valueOf(table.kind);
  const { code } = body;
  if (of === undefined || value === undefined) {
    if (of !== undefined || value !== undefined) return unsupported();
    code.at('local.get', table.index).at('local.get', key);
    call(body, putFunction(table.kind));
    code.op('drop');
    return;
  }
  body.as(value, of);
  store(body, table, key, of);
}

/** Puts the value on the stack into a map. */
function store(body: FunctionCode, { index, kind }: HeldTable, key: number, of: Kind): void {
  const { code } = body;
  const [value, slot] = [body.local(of), body.local(I32)];
  code.at('local.set', value).at('local.get', index).at('local.get', key);
  call(body, putFunction(kind));
  code.at('local.set', slot);
  values(body, index, kind, of);
  code.at('local.get', slot).at('local.get', value).gc('array.set', arrayType(of));
}

/** Leaves the array of the values of a map. */
function values({ code }: FunctionCode, index: number, kind: TableKind, of: Kind): void {
  code
    .at('local.get', index)
    .gc('struct.get', tableType(keyOf(kind)), TABLE.values)
    .cast(arrayType(of));
}

/** Emits `map[key]`. */
export function indexed(body: FunctionCode, { object, index }: IndexValue): Kind {
  const table = held(body, object);
  const of = valueOf(table.kind) ?? unsupported();
  const key = heldKey(body, table, index);
  const { code } = body;
  const slot = body.local(I32);
  code.at('local.get', table.index).at('local.get', key);
  call(body, findFunction(table.kind));
  code.at('local.tee', slot).i32(0).op('i32.lt_s').open('if');
  body.fail('pluto: map key not found');
  code.op('end');
  values(body, table.index, table.kind, of);
  code.at('local.get', slot);
  body.element(of);
  return of;
}

/** Emits `map[key] = value`. @param emitAssigned leaves the value */
export function assign(body: FunctionCode, { object, index }: IndexValue, emitAssigned: (kind: Kind) => void): void {
  const table = held(body, object);
  const of = valueOf(table.kind) ?? unsupported();
  const key = heldKey(body, table, index);
  emitAssigned(of);
  store(body, table, key, of);
}

/** Emits a method call on a map or set. @returns the kind of its result; `undefined` if there is none */
export function method(body: FunctionCode, { receiver, name, args }: BuiltinMethodCall): Kind | undefined {
  const { code } = body;
  const table = held(body, receiver);
  const [first, second] = args;
  const key = first && heldKey(body, table, first);
  code.at('local.get', table.index);
  const withKey = (of: TableFunction): void => {
    code.at('local.get', key ?? unsupported());
    call(body, of);
  };
  switch (name) {
    case 'len':
      code.gc('struct.get', tableType(keyOf(table.kind)), TABLE.size).op('i64.extend_i32_u');
      return 'int';
    case 'contains':
      withKey(findFunction(table.kind));
      code.i32(0).op('i32.lt_s', 'i32.eqz');
      return 'bool';
    case 'insert':
      code.op('drop');
      put(body, table, key ?? unsupported(), second);
      return undefined;
    case 'remove':
      withKey(removeFunction(table.kind));
      return undefined;
    case 'keys':
    case 'to_array':
      call(body, keysFunction(table.kind));
      return `[${keyOf(table.kind)}]`;
    case 'values': {
      const of = valueOf(table.kind) ?? unsupported();
      call(body, valuesFunction(table.kind));
      return `[${of}]`;
    }
    default:
      return unsupported();
  }
}
