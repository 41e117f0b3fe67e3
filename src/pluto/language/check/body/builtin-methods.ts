import { BOOL, BYTE, BYTES, FLOAT, INT, listOf, nullableOf, STRING, VOID } from '../types/make.ts';
import type { Type } from '../types/type.ts';

/** A method of a built-in type. `raises` names built-in errors. */
export interface BuiltinMethod {
  readonly params: readonly Type[];
  readonly result: Type;
  readonly raises: readonly string[];
}

const method = (params: readonly Type[], result: Type, ...raises: readonly string[]): BuiltinMethod => ({
  params,
  result,
  raises,
});

const strings: Readonly<Record<string, BuiltinMethod>> = {
  len: method([], INT),
  is_empty: method([], BOOL),
  is_whitespace: method([], BOOL),
  trim: method([], STRING),
  trim_start: method([], STRING),
  trim_end: method([], STRING),
  to_upper: method([], STRING),
  to_lower: method([], STRING),
  contains: method([STRING], BOOL),
  starts_with: method([STRING], BOOL),
  ends_with: method([STRING], BOOL),
  index_of: method([STRING], INT),
  last_index_of: method([STRING], INT),
  count: method([STRING], INT),
  char_at: method([INT], STRING),
  byte_at: method([INT], INT),
  substring: method([INT, INT], STRING),
  replace: method([STRING, STRING], STRING),
  split: method([STRING], listOf(STRING)),
  repeat: method([INT], STRING),
  to_int: method([], nullableOf(INT)),
  to_float: method([], nullableOf(FLOAT)),
  to_bytes: method([], BYTES),
};

const buffers: Readonly<Record<string, BuiltinMethod>> = {
  len: method([], INT),
  push: method([BYTE], VOID),
  to_string: method([], STRING),
};

const lists: Readonly<Record<string, (element: Type, list: Type) => BuiltinMethod>> = {
  len: () => method([], INT),
  is_empty: () => method([], BOOL),
  push: element => method([element], VOID),
  pop: element => method([], element),
  first: element => method([], element),
  last: element => method([], element),
  clear: () => method([], VOID),
  reverse: () => method([], VOID),
  remove_at: element => method([INT], element),
  insert_at: element => method([INT, element], VOID),
  slice: (_element, list) => method([INT, INT], list),
  contains: element => method([element], BOOL),
  index_of: element => method([element], INT),
};

const maps: Readonly<Record<string, (key: Type, value: Type) => BuiltinMethod>> = {
  len: () => method([], INT),
  contains: key => method([key], BOOL),
  insert: (key, value) => method([key, value], VOID),
  remove: key => method([key], VOID),
  keys: key => method([], listOf(key)),
  values: (_key, value) => method([], listOf(value)),
};

type Wrapped = 'set' | 'task' | 'sender' | 'receiver';
const wrapped: Readonly<Record<Wrapped, Readonly<Record<string, (element: Type) => BuiltinMethod>>>> = {
  set: {
    len: () => method([], INT),
    contains: element => method([element], BOOL),
    insert: element => method([element], VOID),
    remove: element => method([element], VOID),
    to_array: element => method([], listOf(element)),
  },
  task: {
    get: element => method([], element),
    detach: () => method([], VOID),
    cancel: () => method([], VOID),
  },
  sender: {
    send: element => method([element], VOID, 'ChannelClosed'),
    try_send: element => method([element], VOID, 'ChannelClosed', 'ChannelFull'),
    close: () => method([], VOID),
  },
  receiver: {
    recv: element => method([], element, 'ChannelClosed'),
    try_recv: element => method([], element, 'ChannelClosed', 'ChannelEmpty'),
  },
};

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Looks up a method of a built-in type. @returns `undefined` if the type has no such method, `no-methods` if it cannot have methods */
export function builtinMethod(type: Type, name: string): BuiltinMethod | undefined | 'no-methods' {
  switch (type.kind) {
    case 'string':
      return own(strings, name);
    case 'bytes':
      return own(buffers, name);
    case 'list':
      return own(lists, name)?.(type.element, type);
    case 'map':
      return own(maps, name)?.(type.key, type.value);
    case 'set':
    case 'task':
    case 'sender':
    case 'receiver':
      return own(wrapped[type.kind], name)?.(type.element);
    default:
      return 'no-methods';
  }
}
