import type { AssignStmt, BuiltinMethodCall, IndexValue, TypedValue } from '../typed/typed-form.ts';
import { type ListOperation, signatureOf } from './list-signatures.ts';
import { assignErrorField } from './errors.ts';
import type { FunctionCode, HoistedList, WasmLocal } from './function-code.ts';
import {
  arrayType,
  elementOf,
  elementsOf,
  isList,
  isScalar,
  type Kind,
  LIST,
  type ListKind,
  listType,
  presentOf,
} from './kinds.ts';
import * as maps from './maps.ts';
import { assignField } from './objects.ts';
import { binary } from './operators.ts';
import { ofBytes } from './strings.ts';
import { unsupported } from './unsupported.ts';
import { I32, refTo } from './encoder.ts';

/** Leaves the length of a list as an int. */
export function length({ code }: FunctionCode, { index, hoisted }: WasmLocal, element: Kind): void {
  if (hoisted !== undefined) code.at('local.get', hoisted.length);
  else code.at('local.get', index).gc('struct.get', listType(element), LIST.length).op('i64.extend_i32_u');
}

/** Reads the length and the array of a list into variables. */
export function hoist(body: FunctionCode, list: WasmLocal): HoistedList {
  const of = elementsOf(list.kind) ?? unsupported();
  const held = { length: body.local('int'), items: body.local(refTo(arrayType(of))) };
  length(body, list, of);
  body.code.at('local.set', held.length);
  items(body, list, of);
  body.code.at('local.set', held.items);
  return held;
}

/** Fails unless the index is inside the list. */
function check(body: FunctionCode, list: WasmLocal, at: WasmLocal, element: Kind): void {
  const { code } = body;
  code.at('local.get', at.index);
  length(body, list, element);
  code.op('i64.ge_u').open('if');
  code.at('local.get', at.index).at('local.get', list.index).gc('struct.get', listType(element), LIST.length);
  code.i32(body.context.text(list.kind === 'bytes' ? 'bytes' : 'array'));
  body.call('fail_index');
  code.op('unreachable', 'end');
}

function items({ code }: FunctionCode, { index, hoisted }: WasmLocal, element: Kind): void {
  if (hoisted !== undefined) code.at('local.get', hoisted.items);
  else code.at('local.get', index).gc('struct.get', listType(element), LIST.items);
}

/** Leaves an element of a list. @param isProven whether the index is known to be inside */
export function element(body: FunctionCode, list: WasmLocal, at: WasmLocal, of: Kind, isProven: boolean): void {
  if (!isProven) check(body, list, at, of);
  items(body, list, of);
  body.code.at('local.get', at.index).op('i32.wrap_i64');
  body.element(of);
}

/** Evaluates a list and an index. */
function heldIndex(
  body: FunctionCode,
  { object, index }: IndexValue,
): { readonly list: WasmLocal; readonly at: WasmLocal; readonly of: Kind } {
  const list = body.toLocal(object);
  const of = elementsOf(list.kind) ?? unsupported();
  const at = body.toLocal(index);
  return at.kind === 'int' ? { list, at, of } : unsupported();
}

export function indexed(body: FunctionCode, value: IndexValue): Kind {
  const { list, at, of } = heldIndex(body, value);
  element(body, list, at, of, body.isProven(value));
  return of;
}

/** Emits an assignment. A compound assignment is expanded, so parts of its target are evaluated twice. */
export function assign(body: FunctionCode, { target, op, value }: AssignStmt): void {
  const { code } = body;
  const emitAssigned = (kind: Kind): void => {
    body.as(op === undefined ? value : target, kind);
    if (op !== undefined) binary(body, op, kind, value);
  };
  if (target.kind === 'variable') {
    const { index, kind, isCounter } = body.variable(target.variable);
    if (isCounter === true) return unsupported();
    emitAssigned(kind);
    code.at('local.set', index);
    return;
  }
  if (target.kind === 'field') return assignField(body, target, emitAssigned);
  if (target.kind === 'error-field') return assignErrorField(body, target, emitAssigned);
  if (target.object.type.kind === 'map') return maps.assign(body, target, emitAssigned);
  const { list, at, of } = heldIndex(body, target);
  emitAssigned(of);
  const held = body.local(of);
  code.at('local.set', held);
  if (!body.isProven(target)) check(body, list, at, of);
  items(body, list, of);
  code.at('local.get', at.index).op('i32.wrap_i64').at('local.get', held).gc('array.set', arrayType(of));
}

/** Emits a list literal. */
export function literal(body: FunctionCode, elements: readonly TypedValue[], wanted: Kind): Kind {
  const kind = presentOf(wanted);
  if (!isList(kind)) return unsupported();
  const of = elementOf(kind);
  const { code } = body;
  const array = body.local(refTo(arrayType(of)));
  // A power of two, as when it grows.
  const capacity = elements.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(elements.length));
  code.i32(capacity).gc('array.new_default', arrayType(of)).at('local.set', array);
  for (const [index, one] of elements.entries()) {
    code.at('local.get', array).i32(index);
    body.as(one, of);
    code.gc('array.set', arrayType(of));
  }
  code.i32(elements.length).at('local.get', array).nullExtern().gc('struct.new', listType(of));
  return kind;
}

/** Emits new, empty `bytes`. */
export function newBytes({ code }: FunctionCode): 'bytes' {
  code.i32(0).i32(0).gc('array.new_default', arrayType('byte')).nullExtern().gc('struct.new', listType('byte'));
  return 'bytes';
}

const OPERATIONS = ['contains', 'index_of', 'reverse', 'slice', 'insert_at', 'remove_at'] as const;
type Operation = (typeof OPERATIONS)[number];
const isOperation = (name: string): name is Operation => OPERATIONS.some(one => one === name);

/** Emits a call of the function for an operation on a list. @returns the kind of its result; `undefined` if there is none */
function operation(
  body: FunctionCode,
  kind: ListKind,
  list: number,
  name: Operation,
  args: readonly TypedValue[],
): Kind | undefined {
  const { code } = body;
  const call: ListOperation = name === 'contains' ? 'index_of' : name;
  const { params, result } = signatureOf(call, kind);
  code.at('local.get', list);
  for (const [index, param] of params.entries()) body.as(args[index] ?? unsupported(), param);
  body.callFunction(`list ${call} ${kind}`);
  if (name !== 'contains') return result;
  code.i64(0n).op('i64.ge_s');
  return 'bool';
}

/** Emits a method call on a list or on `bytes`. @returns the kind of its result; `undefined` if there is none */
export function method(body: FunctionCode, { receiver, name, args }: BuiltinMethodCall): Kind | undefined {
  const { code } = body;
  const list = body.toLocal(receiver);
  if (list.kind === 'bytes' && name === 'to_string') return ofBytes(body, list.index);
  if (isList(list.kind) && isOperation(name)) return operation(body, list.kind, list.index, name, args);
  const of = elementsOf(list.kind) ?? unsupported();
  const [first] = args;
  switch (name) {
    case 'len':
      length(body, list, of);
      return 'int';
    case 'is_empty':
      length(body, list, of);
      code.op('i64.eqz');
      return 'bool';
    case 'first':
    case 'last': {
      length(body, list, of);
      const at = { index: body.local('int'), kind: 'int' as const };
      code.at('local.tee', at.index).op('i64.eqz').open('if');
      body.fail(`pluto: ${name}() on empty array`);
      code.op('end');
      if (name === 'first') code.i64(0n);
      else code.at('local.get', at.index).i64(1n).op('i64.sub');
      code.at('local.set', at.index);
      element(body, list, at, of, true);
      return of;
    }
    case 'push': {
      if (first === undefined) return unsupported();
      body.as(first, of);
      push(body, list.index, of);
      return undefined;
    }
    case 'pop': {
      length(body, list, of);
      code.op('i64.eqz').open('if');
      body.fail('pluto: pop from empty array');
      code.op('end');
      code.at('local.get', list.index).at('local.get', list.index).gc('struct.get', listType(of), LIST.length);
      code.i32(1).op('i32.sub').gc('struct.set', listType(of), LIST.length);
      items(body, list, of);
      code.at('local.get', list.index).gc('struct.get', listType(of), LIST.length);
      body.element(of);
      if (!isScalar(of)) {
        // A value that no list has must not stay in memory.
        items(body, list, of);
        code.at('local.get', list.index).gc('struct.get', listType(of), LIST.length);
        body.null(of);
        code.gc('array.set', arrayType(of));
      }
      return of;
    }
    case 'clear':
      code.at('local.get', list.index).i32(0).gc('struct.set', listType(of), LIST.length);
      if (isScalar(of)) return undefined;
      code.at('local.get', list.index).i32(0).gc('array.new_default', arrayType(of));
      code.gc('struct.set', listType(of), LIST.items);
      return undefined;
    default:
      return unsupported();
  }
}

/** The part of a function that `push` needs. */
interface PushCode {
  local(kind: Kind | readonly number[]): number;
  readonly code: FunctionCode['code'];
  call(name: 'check_length'): void;
}

const MIN_CAPACITY = 8;
/** Numbers of elements for which space is reserved: fewer are appended fast enough. */
const MIN_RESERVED = 1024n;
const MAX_RESERVED = 2n ** 24n;

/** Makes space for as many further elements as the int on the stack says, if there is memory for them. */
export function reserve(body: FunctionCode, list: WasmLocal): void {
  const of = elementsOf(list.kind) ?? unsupported();
  const { code } = body;
  const type = listType(of);
  const array = arrayType(of);
  const more = body.local('int');
  const capacity = body.local(I32);
  const grown = body.local(refTo(array));
  code.at('local.tee', more).i64(MIN_RESERVED).op('i64.sub').i64(MAX_RESERVED).op('i64.ge_u', 'i32.eqz').open('if');
  // The capacity is the next power of two after the new length, as when it grows.
  code.i32(1).i32(32).at('local.get', list.index).gc('struct.get', type, LIST.length);
  code.at('local.get', more).op('i32.wrap_i64', 'i32.add', 'i32.clz', 'i32.sub', 'i32.shl').at('local.tee', capacity);
  items(body, list, of);
  code.arrayLen().op('i32.gt_u').open('if').at('local.get', capacity);
  body.call('has_space');
  code.open('if').at('local.get', capacity).gc('array.new_default', array).at('local.tee', grown).i32(0);
  items(body, list, of);
  code.i32(0).at('local.get', list.index).gc('struct.get', type, LIST.length).gc('array.copy', array, array);
  code.at('local.get', list.index).at('local.get', grown).gc('struct.set', type, LIST.items).op('end', 'end', 'end');
}

/** Appends the value on the stack to a list. An array that is full is replaced by one of twice its length. */
export function push(body: PushCode, list: number, of: Kind): void {
  const { code } = body;
  const value = body.local(of);
  const count = body.local(I32);
  const type = listType(of);
  const array = arrayType(of);
  const items = body.local(refTo(array));
  const grown = body.local(refTo(array));
  code.at('local.set', value);
  code.at('local.get', list).gc('struct.get', type, LIST.length).at('local.tee', count);
  code.at('local.get', list).gc('struct.get', type, LIST.items).at('local.tee', items).arrayLen();
  code.op('i32.eq').open('if');
  code.at('local.get', count);
  body.call('check_length');
  code.at('local.get', count).i32(1).op('i32.shl').i32(MIN_CAPACITY).at('local.get', count).op('select');
  code.gc('array.new_default', array).at('local.tee', grown).i32(0);
  code.at('local.get', items).i32(0).at('local.get', count).gc('array.copy', array, array);
  code.at('local.get', list).at('local.get', grown).at('local.tee', items).gc('struct.set', type, LIST.items).op('end');
  code.at('local.get', items).at('local.get', count).at('local.get', value).gc('array.set', array);
  code.at('local.get', list).at('local.get', count).i32(1).op('i32.add').gc('struct.set', type, LIST.length);
}
