import type {
  BinaryValue,
  BuiltinMethodCall,
  IndexValue,
  Interpolation,
  StringValue,
  TypedValue,
} from '../typed/typed-form.ts';
import { box } from './boxes.ts';
import { EXTERNREF, I32, refTo } from './encoder.ts';
import type { FunctionCode, WasmLocal } from './function-code.ts';
import { arrayType, codeOf, isStringMethod, LIST, type Kind, type ListKind, listType } from './kinds.ts';
import { unsupported } from './unsupported.ts';

/** Emits the text that `print` and interpolations show for a value. */
function shown(body: FunctionCode, value: TypedValue): void {
  const { code } = body;
  switch (body.value(value)) {
    case 'string':
      return;
    case 'int':
      return intText(body);
    case 'byte':
      code.op('i64.extend_i32_u');
      return intText(body);
    case 'float':
      return body.call('text_float');
    case 'bool':
      code.open('if', EXTERNREF);
      body.text('true');
      code.op('else');
      body.text('false');
      code.op('end');
      return;
    default:
      unsupported();
  }
}

const MAX_SAFE = 2n ** 53n - 1n;

/** An int becomes a bigint for JavaScript, which takes longer than the text of a number. */
function intText(body: FunctionCode): void {
  const { code } = body;
  const value = body.local('int');
  code
    .at('local.tee', value)
    .i64(MAX_SAFE)
    .op('i64.add')
    .i64(2n * MAX_SAFE)
    .op('i64.le_u')
    .open('if', EXTERNREF);
  code.at('local.get', value).op('f64.convert_i64_s');
  body.call('text_safe_int');
  code.op('else').at('local.get', value);
  body.call('text_int');
  code.op('end');
}

export function interpolation(body: FunctionCode, { pieces }: Interpolation): 'string' {
  if (pieces.length === 0) body.text('');
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === 'string') body.text(piece);
    else shown(body, piece);
    if (index > 0) body.call('concat');
  }
  return 'string';
}

/** Emits `+`, whose left operand is on the stack. */
export function joined(body: FunctionCode, right: TypedValue): 'string' {
  body.as(right, 'string');
  body.call('concat');
  return 'string';
}

function length(body: FunctionCode, { index }: WasmLocal): void {
  body.code.at('local.get', index);
  body.call('length');
}

/** Leaves a code unit of a string. @param what names the string in the failure */
function codeAt(body: FunctionCode, object: TypedValue, index: TypedValue, what: string): void {
  const { code } = body;
  const text = body.toLocal(object);
  const at = body.toLocal(index);
  if (text.kind !== 'string' || at.kind !== 'int') return unsupported();
  code.at('local.get', at.index);
  length(body, text);
  code.op('i64.extend_i32_u', 'i64.ge_u').open('if').at('local.get', at.index);
  length(body, text);
  code.i32(body.context.text(what));
  body.call('fail_index');
  code.op('unreachable', 'end').at('local.get', text.index).at('local.get', at.index).op('i32.wrap_i64');
  readByte(body);
}

/** Leaves the code unit at the index of the string on the stack. */
function readByte(body: FunctionCode): void {
  body.call('charCodeAt');
  body.context.readsBytes();
}

/** Leaves the string of the byte at the index of the string on the stack. */
export function characterAt(body: FunctionCode): void {
  readByte(body);
  body.call('fromCharCode');
}

/** Emits `text[i]`, a string of one byte. */
export function charAt(body: FunctionCode, { object, index }: IndexValue): 'string' {
  codeAt(body, object, index, 'string');
  body.call('fromCharCode');
  return 'string';
}

interface CharComparison extends BinaryValue {
  readonly left: IndexValue;
  readonly right: StringValue;
}

const isAsciiCharacter = (text: string): boolean => text.length === 1 && text.charCodeAt(0) < 0x80;

/** Whether a value is `text[i] == "x"`, which compares numbers. */
export const isCharComparison = (value: TypedValue): value is CharComparison =>
  value.kind === 'binary' &&
  (value.op === '==' || value.op === '!=') &&
  value.left.kind === 'index' &&
  value.left.object.type.kind === 'string' &&
  value.right.kind === 'string' &&
  isAsciiCharacter(value.right.value);

export function charComparison(body: FunctionCode, { op, left, right }: CharComparison): 'bool' {
  codeAt(body, left.object, left.index, 'string');
  body.code.i32(right.value.codePointAt(0) ?? 0).op(op === '==' ? 'i32.eq' : 'i32.ne');
  return 'bool';
}

/** Emits a method call on a string. @returns the kind of its result */
export function method(body: FunctionCode, { receiver, name, args }: BuiltinMethodCall): Kind {
  const { code } = body;
  const [first, second] = args;
  if (name === 'byte_at' && first !== undefined) {
    codeAt(body, receiver, first, 'string byte_at');
    code.op('i64.extend_i32_u');
    return 'int';
  }
  if (name === 'char_at' && first !== undefined) {
    codeAt(body, receiver, first, 'string');
    body.call('fromCharCode');
    return 'string';
  }
  body.as(receiver, 'string');
  if (name === 'to_int' || name === 'to_float') return parsed(body, name === 'to_int' ? 'int' : 'float');
  if (name === 'to_bytes') return toBytes(body);
  if (name === 'repeat' && first !== undefined) {
    body.as(first, 'int');
    body.call('string_repeat');
    return 'string';
  }
  if (name === 'len' || name === 'is_empty') {
    body.call('length');
    code.op(name === 'len' ? 'i64.extend_i32_u' : 'i32.eqz');
    return name === 'len' ? 'int' : 'bool';
  }
  if (name === 'substring' && first !== undefined && second !== undefined) return substring(body, first, second);
  if (name === 'split' && first !== undefined) return split(body, first);
  if (!isStringMethod(name)) return unsupported();
  for (const arg of args) body.as(arg, 'string');
  body.call(`string_${name}`);
  switch (name) {
    case 'index_of':
    case 'last_index_of':
    case 'count':
      code.op('i64.extend_i32_s');
      return 'int';
    case 'is_whitespace':
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return 'bool';
    default:
      return 'string';
  }
}

/** Emits the number that the string on the stack is, or `none`. */
function parsed(body: FunctionCode, scalar: 'int' | 'float'): Kind {
  const { code } = body;
  body.call(`parse_${scalar}`);
  code.open('if', codeOf(`${scalar}?`));
  body.call(`parsed_${scalar}`);
  box(code, `${scalar}?`);
  code.op('else').nullCollected().op('end');
  return `${scalar}?`;
}

/** Emits the bytes of the string on the stack. */
function toBytes(body: FunctionCode): 'bytes' {
  const { code } = body;
  const text = body.local('string');
  const [count, at] = [body.local(I32), body.local(I32)];
  const array = body.local(refTo(arrayType('byte')));
  code.at('local.tee', text);
  body.call('length');
  code.at('local.tee', count);
  body.call('check_length');
  newArray(body, count, 'byte');
  code.at('local.set', array).i32(0).at('local.set', at).open('block').open('loop');
  code.at('local.get', at).at('local.get', count).op('i32.ge_u').at('br_if', 1);
  code.at('local.get', array).at('local.get', at).at('local.get', text).at('local.get', at);
  readByte(body);
  code.gc('array.set', arrayType('byte')).at('local.get', at).i32(1).op('i32.add').at('local.set', at);
  code.at('br', 0).op('end', 'end');
  code.at('local.get', count).at('local.get', array).nullExtern().gc('struct.new', listType('byte'));
  return 'bytes';
}

/** Emits the string of a list of bytes. */
export function ofBytes(body: FunctionCode, bytes: number): 'string' {
  const { code } = body;
  const [count, at] = [body.local(I32), body.local(I32)];
  code.at('local.get', bytes).gc('struct.get', listType('byte'), LIST.length).at('local.set', count);
  code.i32(0).at('local.set', at).open('block').open('loop');
  code.at('local.get', at).at('local.get', count).op('i32.ge_u').at('br_if', 1);
  code.at('local.get', bytes).gc('struct.get', listType('byte'), LIST.items).at('local.get', at);
  body.element('byte');
  body.call('add_to_text');
  code.at('local.get', at).i32(1).op('i32.add').at('local.set', at).at('br', 0).op('end', 'end');
  body.call('take_text');
  return 'string';
}

/** Leaves an array for a list of the length in a variable. Its capacity is a power of two, as when a list grows. */
function newArray({ code }: FunctionCode, count: number, of: Kind): void {
  code.i32(1).i32(32).at('local.get', count).i32(1).op('i32.sub', 'i32.clz', 'i32.sub', 'i32.shl');
  code.gc('array.new_default', arrayType(of));
}

/** Emits the list of the parts of the string on the stack. */
function split(body: FunctionCode, separator: TypedValue): ListKind {
  const { code } = body;
  const parts = body.local(EXTERNREF);
  const count = body.local(I32);
  const at = body.local(I32);
  const array = body.local(refTo(arrayType('string')));
  body.as(separator, 'string');
  body.call('split');
  code.at('local.tee', parts);
  body.call('array_length');
  code.at('local.set', count);
  newArray(body, count, 'string');
  code.at('local.set', array);
  code.i32(0).at('local.set', at).open('block').open('loop');
  code.at('local.get', at).at('local.get', count).op('i32.ge_u').at('br_if', 1);
  code.at('local.get', array).at('local.get', at).at('local.get', parts).at('local.get', at);
  body.call('array_item');
  code.gc('array.set', arrayType('string')).at('local.get', at).i32(1).op('i32.add').at('local.set', at);
  code.at('br', 0).op('end', 'end');
  code.at('local.get', count).at('local.get', array).nullExtern().gc('struct.new', listType('string'));
  return '[string]';
}

/** Longer than any string. */
const MAX_LENGTH = 2n ** 30n;

/** Emits a part of the string on the stack. Its start and its end are limited by the length. */
function substring(body: FunctionCode, start: TypedValue, count: TypedValue): 'string' {
  const { code } = body;
  const from = body.local('int');
  body.as(start, 'int');
  clamp(body, from);
  code.at('local.get', from).op('i32.wrap_i64').at('local.get', from);
  const length = body.local('int');
  body.as(count, 'int');
  clamp(body, length);
  code.at('local.get', length).op('i64.add', 'i32.wrap_i64');
  body.call('substring');
  return 'string';
}

/** Stores the int on the stack, limited to 0 and `MAX_LENGTH`. */
function clamp({ code }: FunctionCode, into: number): void {
  code.at('local.tee', into).i64(0n).op('i64.lt_s').open('if').i64(0n).at('local.set', into).op('end');
  code.at('local.get', into).i64(MAX_LENGTH).op('i64.gt_s').open('if').i64(MAX_LENGTH).at('local.set', into).op('end');
}
