import { decodeBase64 } from '../../../base/base64.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import type { ErrorType, ErrorValue, Runtime, Value } from '../backend/contract.ts';
import { type Byte, byteOf } from './values/byte.ts';
import { type ByteText, textOfBytes } from './values/byte-text.ts';
import { hasSpace, requireSpace } from './values/space.ts';
import { hashOfText } from './values/equality.ts';
import { type CompactInt, compactInts } from './values/compact-ints.ts';
import { Range } from './values/data.ts';
import type { List } from './values/collections.ts';
import { fail, negativeExponent, Raised, runtimeErrors } from './values/failures.ts';
import { parseFloat64, roundHalfAway } from './values/floats.ts';
import { parseInt64 } from './values/ints.ts';
import { stringMethods } from './values/strings.ts';
import { messageOf, textOf } from './values/text-of.ts';
import { TOO_LARGE } from './values/hash-table.ts';
import { WasmLists } from './values/wasm-lists.ts';
import { fromWasm, type SharedType, toWasm, type WasmRef, WasmValue } from './values/wasm-values.ts';
import type { ExternImport } from './wasm-externs.ts';

/** The functions that engines have themselves, for those that do not. */
const JS_STRING = {
  /** Reports to the module that the engine lacks these functions: its own `test` returns 1 for a string. */
  test: () => 0,
  length: (text: string) => text.length,
  charCodeAt: (text: string, index: number) => text.charCodeAt(index),
  fromCharCode: (code: number) => String.fromCharCode(code),
  concat: (a: string, b: string) => a + b,
  substring: (text: string, start: number, end: number) => text.substring(start, Math.max(start, end)),
  equals: (a: string, b: string) => Number(a === b),
};
const STRING_METHODS = Object.fromEntries(
  Object.entries(stringMethods).map(([name, method]) => [`string_${name}`, method]),
);

function mapShared<T>(of: (type: SharedType) => T): Readonly<Record<SharedType, T>> {
  return { int: of('int'), float: of('float'), bool: of('bool'), byte: of('byte'), string: of('string') };
}

const fieldOf = ({ fields }: ErrorValue, index: number): unknown => fields[index];

/** Whether a handler handles errors of a type. A runtime error matches the program's error of the same name. */
const isHandled = (type: ErrorType, of: ErrorType | undefined): boolean =>
  type === of || (type.name === of?.name && Object.values<ErrorType>(runtimeErrors).includes(type));

/** Starts the WebAssembly of a program. @returns `undefined` if the engine does not support it */
export function wasmOver(
  host: ProgramHost,
  module: string,
  texts: readonly string[],
  readsBytes: boolean,
  errors: () => readonly ErrorType[],
  externs: readonly ExternImport[],
): ReturnType<Runtime['wasm']> {
  const print = (text: string): void => host.write('stdout', `${text}\n`);
  /** The fields of the error that is raised next. */
  let fields: Value[] = [];
  /** The bytes of the string that WebAssembly makes. */
  let codes: number[] = [];
  const parsed = { int: 0n, float: 0 };
  const textAt = (index: number): string => texts[index] ?? '';
  /** A type whose name is a constant text. */
  const sharedAt = (index: number): SharedType => textAt(index) as SharedType;
  const bytes = decodeBase64(module);
  const call =
    bytes &&
    host.startWasm(bytes, readsBytes, {
      text: Object.fromEntries(texts.entries()),
      'wasm:js-string': JS_STRING,
      extern: Object.fromEntries(
        externs.map(({ call: extern, element }, index): readonly [string, typeof extern] => [
          String(index),
          element === undefined ? extern : (...args) => lists[element].enter(extern(...args) as List),
        ]),
      ),
      rt: {
        ...STRING_METHODS,
        time_ns: () => host.monotonicNs(),
        gc_heap_size: () => BigInt(Math.round(host.heapBytes())),
        print_int: (value: bigint) => print(String(value)),
        print_float: (value: number) => print(textOf(value)),
        print_bool: (value: number) => print(String(value !== 0)),
        print_text: (index: number) => print(textAt(index)),
        fail: (index: number) => fail(textAt(index)),
        fail_index: (index: bigint, length: number, what: number) =>
          fail(`pluto: ${textAt(what)} index out of bounds: index ${index}, length ${length}`),
        print_string: print,
        text_int: String,
        text_safe_int: String,
        text_float: textOf,
        add_to_text: (code: number) => void codes.push(code),
        take_text(): ByteText {
          const text = textOfBytes(Uint8Array.from(codes));
          codes = [];
          return text;
        },
        split: (text: string, separator: string) => stringMethods.split(text, separator).items,
        array_length: (array: readonly string[]) => array.length,
        array_item: (array: readonly string[], index: number) => array[index],
        parse_int(text: string): number {
          const value = parseInt64(text);
          parsed.int = value ?? 0n;
          return Number(value !== null);
        },
        parsed_int: () => parsed.int,
        parse_float(text: string): number {
          const value = parseFloat64(text);
          parsed.float = value ?? 0;
          return Number(value !== null);
        },
        parsed_float: () => parsed.float,
        check_length: requireSpace,
        has_space: (length: number) => Number(hasSpace(length)),
        check_slots: (count: number) => requireSpace(count, TOO_LARGE),
        hash_text: hashOfText,
        error_int: (value: bigint) => void fields.push(compactInts.compact(value)),
        error_float: (value: number) => void fields.push(value),
        error_bool: (value: number) => void fields.push(value !== 0),
        error_byte: (value: number) => void fields.push(byteOf(value)),
        error_string: (value: string) => void fields.push(value),
        error_list: (list: WasmRef | null, type: number) => void fields.push(lists[sharedAt(type)].leave(list)),
        error_value: (ref: WasmRef | null, text: ByteText) =>
          void fields.push(ref === null ? null : new WasmValue(ref, text)),
        error_set_field(error: ErrorValue, index: number): void {
          (error.fields as Value[])[index] = fields.pop();
        },
        caught: ({ value }: Raised) => value,
        raised: host.wasmErrors?.tag,
        raise(index: number): void {
          const type = errors()[index];
          const all = fields;
          fields = [];
          if (type !== undefined) throw host.wasmErrors?.exception(new Raised({ type, fields: all }));
        },
        raise_negative_exponent(): void {
          throw host.wasmErrors?.exception(new Raised(negativeExponent()));
        },
        error_has_type: ({ type }: ErrorValue, index: number) => Number(isHandled(type, errors()[index])),
        error_message: messageOf,
        error_field_int: (error: ErrorValue, index: number) => compactInts.wide(fieldOf(error, index) as CompactInt),
        error_field_float: fieldOf,
        error_field_bool: fieldOf,
        error_field_byte: (error: ErrorValue, index: number) => (fieldOf(error, index) as Byte).value,
        error_field_string: fieldOf,
        error_field_list: (error: ErrorValue, index: number, type: number) =>
          lists[sharedAt(type)].enter(fieldOf(error, index) as List | null),
        error_field_value: (error: ErrorValue, index: number) =>
          (fieldOf(error, index) as WasmValue | null)?.ref ?? null,
        range: (from: bigint, to: bigint, isInclusive: number) => new Range(from, to, isInclusive !== 0),
        range_first: ({ from, end }: Range) => (from < end ? from : 1n),
        range_last: ({ from, end }: Range) => (from < end ? end - 1n : 0n),
        is_same: (a: unknown, b: unknown) => Number(a === b),
        rem: (a: number, b: number) => a % b,
        pow: (a: number, b: number) => a ** b,
        round: roundHalfAway,
        sin: Math.sin,
        cos: Math.cos,
        tan: Math.tan,
        log: Math.log,
      },
    });
  if (call === undefined) return undefined;
  const lists = mapShared(type => new WasmLists(call, type));
  return {
    call,
    thrown: error => host.wasmErrors?.raisedIn(error) ?? error,
    enter: mapShared(type => lists[type].enter),
    leave: mapShared(type => lists[type].leave),
    box: mapShared(
      type => (value: Value) => (value === null ? null : call[`box_${type}`]?.(toWasm(type, value) as never)),
    ),
    unbox: mapShared(
      type => (ref: Value) => (ref === null ? null : fromWasm(type, call[`unbox_${type}`]?.(ref as never))),
    ),
  };
}

/** The message for a trap of WebAssembly; `undefined` for another error. */
export function trapText(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'RuntimeError') return undefined;
  if (/divide by zero|remainder by zero/.test(error.message)) return 'pluto: division by zero';
  if (error.message.includes('divide result unrepresentable')) return 'pluto: integer overflow in division';
  return error.message.includes('array is too large') ? 'pluto: out of memory: a list is too long' : undefined;
}
