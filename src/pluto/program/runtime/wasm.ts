import { decodeBase64 } from '../../../base/base64.ts';
import type { ProgramHost } from '../../ports/program-host.ts';
import type { ErrorType, Runtime, Value } from '../backend/contract.ts';
import { hasSpace, requireSpace } from './values/space.ts';
import { hashOfText } from './values/equality.ts';
import { type CompactInt, compactInts } from './values/compact-ints.ts';
import { fail, Raised } from './values/failures.ts';
import { roundHalfAway } from './values/floats.ts';
import { stringMethods } from './values/strings.ts';
import { messageOf, textOf } from './values/text-of.ts';
import { TOO_LARGE } from './values/hash-table.ts';
import { WasmLists } from './values/wasm-lists.ts';

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

const fieldOf = ({ value }: Raised, index: number): unknown => value.fields[index];

/** Starts the WebAssembly of a program. @returns `undefined` if the engine does not support it */
export function wasmOver(
  host: ProgramHost,
  module: string,
  texts: readonly string[],
  readsBytes: boolean,
  errors: () => readonly ErrorType[],
): ReturnType<Runtime['wasm']> {
  const print = (text: string): void => host.write('stdout', `${text}\n`);
  /** The fields of the error that is raised next. */
  let fields: Value[] = [];
  const textAt = (index: number): string => texts[index] ?? '';
  const bytes = decodeBase64(module);
  const call =
    bytes &&
    host.startWasm(bytes, readsBytes, {
      text: Object.fromEntries(texts.entries()),
      'wasm:js-string': JS_STRING,
      rt: {
        ...STRING_METHODS,
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
        split: (text: string, separator: string) => stringMethods.split(text, separator).items,
        array_length: (array: readonly string[]) => array.length,
        array_item: (array: readonly string[], index: number) => array[index],
        check_length: requireSpace,
        has_space: (length: number) => Number(hasSpace(length)),
        check_slots: (count: number) => requireSpace(count, TOO_LARGE),
        hash_text: hashOfText,
        error_int: (value: bigint) => void fields.push(compactInts.compact(value)),
        error_float: (value: number) => void fields.push(value),
        error_bool: (value: number) => void fields.push(value !== 0),
        error_string: (value: string) => void fields.push(value),
        raised: host.wasmErrors?.tag,
        raise(index: number): void {
          const type = errors()[index];
          const all = fields;
          fields = [];
          if (type !== undefined) throw host.wasmErrors?.exception(new Raised({ type, fields: all }));
        },
        error_type: ({ value }: Raised) => errors().indexOf(value.type),
        error_message: ({ value }: Raised) => messageOf(value),
        error_field_int: ({ value }: Raised, index: number) => compactInts.wide(value.fields[index] as CompactInt),
        error_field_float: fieldOf,
        error_field_bool: fieldOf,
        error_field_string: fieldOf,
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
  const lists = {
    int: new WasmLists(call, 'int'),
    float: new WasmLists(call, 'float'),
    bool: new WasmLists(call, 'bool'),
    string: new WasmLists(call, 'string'),
  };
  return {
    call,
    thrown: error => host.wasmErrors?.raisedIn(error) ?? error,
    enter: { int: lists.int.enter, float: lists.float.enter, bool: lists.bool.enter, string: lists.string.enter },
    leave: { int: lists.int.leave, float: lists.float.leave, bool: lists.bool.leave, string: lists.string.leave },
  };
}

/** The message for a trap of WebAssembly; `undefined` for another error. */
export function trapText(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'RuntimeError') return undefined;
  if (/divide by zero|remainder by zero/.test(error.message)) return 'pluto: division by zero';
  if (error.message.includes('divide result unrepresentable')) return 'pluto: integer overflow in division';
  return error.message.includes('array is too large') ? 'pluto: out of memory: a list is too long' : undefined;
}
