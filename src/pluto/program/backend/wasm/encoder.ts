/** WebAssembly's binary format, as far as programs need it. */
import type { PausableWork } from '../../../../base/time-slice.ts';

/** Appends signed LEB128, for integers of any size. */
function pushSigned(bytes: number[], value: bigint): void {
  const small = Number(value);
  // Operations on bigints take several times as long, and most integers are small.
  if (small >= -MAX_SMALL && small <= MAX_SMALL) return pushSmall(bytes, small);
  for (let rest = value; ;) {
    const byte = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && (byte & 0x40) === 0) || (rest === -1n && (byte & 0x40) !== 0);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return;
  }
}

const MAX_SMALL = 2 ** 31 - 1;

/** Appends signed LEB128. @param value -2^31 to 2^31 - 1 */
function pushSmall(bytes: number[], value: number): void {
  for (let rest = value; ;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0);
    bytes.push(isLast ? byte : byte | 0x80);
    if (isLast) return;
  }
}

/** Appends unsigned LEB128. @param value 0 to 2^31 */
function pushUnsigned(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  pushUnsigned(bytes, value);
  return bytes;
}

const PADDED_LENGTH = 5;

/** Unsigned LEB128 of a fixed length. */
const padded = (value: number): number[] =>
  Array.from(
    { length: PADDED_LENGTH },
    (_, index) => ((value >>> (7 * index)) & 0x7f) | (index < PADDED_LENGTH - 1 ? 0x80 : 0),
  );

/** One-byte instructions by their names in the specification. */
const OPCODES = {
  unreachable: 0x00,
  else: 0x05,
  end: 0x0b,
  return: 0x0f,
  drop: 0x1a,
  select: 0x1b,
  'ref.is_null': 0xd1,
  'ref.eq': 0xd3,
  'i32.eqz': 0x45,
  'i32.eq': 0x46,
  'i32.ne': 0x47,
  'i32.lt_s': 0x48,
  'i32.lt_u': 0x49,
  'i32.ge_u': 0x4f,
  'i32.gt_u': 0x4b,
  'i32.le_u': 0x4d,
  'i64.eqz': 0x50,
  'i64.eq': 0x51,
  'i64.ne': 0x52,
  'i64.lt_s': 0x53,
  'i64.lt_u': 0x54,
  'i64.gt_s': 0x55,
  'i64.le_s': 0x57,
  'i64.le_u': 0x58,
  'i64.ge_s': 0x59,
  'i64.ge_u': 0x5a,
  'f64.eq': 0x61,
  'f64.ne': 0x62,
  'f64.lt': 0x63,
  'f64.gt': 0x64,
  'f64.le': 0x65,
  'f64.ge': 0x66,
  'i32.clz': 0x67,
  'i32.add': 0x6a,
  'i32.sub': 0x6b,
  'i32.mul': 0x6c,
  'i32.and': 0x71,
  'i32.or': 0x72,
  'i32.xor': 0x73,
  'i32.shl': 0x74,
  'i64.add': 0x7c,
  'i64.sub': 0x7d,
  'i64.mul': 0x7e,
  'i64.div_s': 0x7f,
  'i64.rem_s': 0x81,
  'i64.and': 0x83,
  'i64.or': 0x84,
  'i64.xor': 0x85,
  'i64.shl': 0x86,
  'i64.shr_s': 0x87,
  'i64.shr_u': 0x88,
  'f64.abs': 0x99,
  'f64.neg': 0x9a,
  'f64.ceil': 0x9b,
  'f64.floor': 0x9c,
  'f64.sqrt': 0x9f,
  'f64.add': 0xa0,
  'f64.sub': 0xa1,
  'f64.mul': 0xa2,
  'f64.div': 0xa3,
  'i32.wrap_i64': 0xa7,
  'i64.extend_i32_u': 0xad,
  'i64.extend_i32_s': 0xac,
  'f64.convert_i64_s': 0xb9,
  'i64.reinterpret_f64': 0xbd,
} as const;

export type Opcode = keyof typeof OPCODES;

/** Instructions with one index. */
const INDEXED = {
  br: 0x0c,
  br_if: 0x0d,
  call: 0x10,
  'local.get': 0x20,
  'local.set': 0x21,
  'local.tee': 0x22,
  'global.get': 0x23,
  'global.set': 0x24,
} as const;
/** Instructions on garbage-collected values, with type and field indices. */
const COLLECTED = {
  'struct.new': 0x00,
  'struct.get': 0x02,
  'struct.set': 0x05,
  'array.new_default': 0x07,
  'array.get': 0x0b,
  'array.get_u': 0x0d,
  'array.set': 0x0e,
  'array.fill': 0x10,
  'array.copy': 0x11,
} as const;

/** The index of the only tag, of the errors of programs. */
const RAISED_TAG = 0;
const FUNCTIONS_TABLE = 0;

/** The encoding of a type. */
export type TypeCode = readonly number[];
export const I32: TypeCode = [0x7f];
export const I64: TypeCode = [0x7e];
export const F64: TypeCode = [0x7c];
export const EXTERNREF: TypeCode = [0x6f];
/** A reference to a value of JavaScript that is not null. */
export const EXTERN: TypeCode = [0x64, 0x6f];
/** A reference to any array. */
export const ARRAYREF: TypeCode = [0x6a];
/** A reference to any structure or array. */
export const EQREF: TypeCode = [0x6d];
const FUNCREF: TypeCode = [0x70];
/** Only as the type of a block, and of array elements. */
const NO_TYPE: TypeCode = [0x40];
const PACKED_I8: TypeCode = [0x78];
/** A nullable reference to a defined type. */
export function refTo(type: number): TypeCode {
  const code = [0x63];
  pushSmall(code, type);
  return code;
}

const float = new Float64Array(1);
const FLOAT_BYTES = new Uint8Array(float.buffer);

/** The instructions of one function. */
export class WasmCode {
  readonly bytes: number[] = [];
  /** Where the code of a source place starts: pairs of an offset in `bytes` and a place. */
  readonly marks: (readonly [offset: number, mark: string])[] = [];

  /** Where the code uses globals of the module: pairs of the offset of the index in `bytes` and the global, whose index is known when all texts are. */
  readonly globals: (readonly [offset: number, global: number])[] = [];

  op(...names: readonly Opcode[]): this {
    for (const name of names) this.bytes.push(OPCODES[name]);
    return this;
  }

  at(name: keyof typeof INDEXED, index: number): this {
    this.bytes.push(INDEXED[name]);
    pushUnsigned(this.bytes, index);
    return this;
  }

  gc(name: keyof typeof COLLECTED, ...indices: readonly number[]): this {
    this.bytes.push(0xfb, COLLECTED[name]);
    for (const index of indices) pushUnsigned(this.bytes, index);
    return this;
  }

  arrayLen(): this {
    this.bytes.push(0xfb, 0x0f);
    return this;
  }

  /** Reads or writes a global of the module: the constant structures, then the singletons. */
  global(name: 'global.get' | 'global.set', index: number): this {
    this.bytes.push(INDEXED[name]);
    this.globals.push([this.bytes.length, index]);
    this.bytes.push(...padded(0));
    return this;
  }

  /** Branches to one of several labels by the int on the stack. */
  branchTable(depths: readonly number[], otherwise: number): this {
    this.bytes.push(0x0e, ...list(depths.map(unsigned)), ...unsigned(otherwise));
    return this;
  }

  /** Calls the function at the index on the stack in the table of functions. @param type its type */
  callByTable(type: number): this {
    this.bytes.push(0x11, ...unsigned(type), FUNCTIONS_TABLE);
    return this;
  }

  /** Converts a reference that is known to have a defined type. */
  cast(type: number, isNullable = false): this {
    this.bytes.push(0xfb, isNullable ? 0x17 : 0x16);
    pushSmall(this.bytes, type);
    return this;
  }

  /** Leaves whether a reference has a defined type. */
  hasType(type: number): this {
    this.bytes.push(0xfb, 0x14);
    pushSmall(this.bytes, type);
    return this;
  }

  /** Converts a float to an int; NaN becomes 0, and values beyond 64 bits the nearest limit. */
  truncate(): this {
    this.bytes.push(0xfc, 0x06);
    return this;
  }

  /** Ends the code of a `try`. Leaves the error that it raised. */
  catchRaised(): this {
    this.bytes.push(0x07, RAISED_TAG);
    return this;
  }

  /** Raises the error on the stack again. */
  raise(): this {
    this.bytes.push(0x08, RAISED_TAG);
    return this;
  }

  /** A null reference to a value of JavaScript. */
  nullExtern(): this {
    this.bytes.push(0xd0, 0x6f);
    return this;
  }

  /** A null reference to a structure or an array of any type. */
  nullCollected(): this {
    this.bytes.push(0xd0, 0x71);
    return this;
  }

  i64(value: bigint): this {
    this.bytes.push(0x42);
    pushSigned(this.bytes, value);
    return this;
  }

  i32(value: number): this {
    this.bytes.push(0x41);
    pushSmall(this.bytes, value);
    return this;
  }

  f64(value: number): this {
    float[0] = value;
    this.bytes.push(0x44, ...FLOAT_BYTES);
    return this;
  }

  open(what: 'block' | 'loop' | 'if' | 'try', type: TypeCode = NO_TYPE): this {
    this.bytes.push({ block: 0x02, loop: 0x03, if: 0x04, try: 0x06 }[what], ...type);
    return this;
  }

  /** Appends code without marks and globals. */
  append({ bytes }: WasmCode): this {
    this.bytes.push(...bytes);
    return this;
  }

  mark(mark: string): void {
    this.marks.push([this.bytes.length, mark]);
  }
}

export type TypeDefinition =
  | { readonly kind: 'array'; readonly element: TypeCode | 'byte' }
  | {
      readonly kind: 'struct';
      readonly fields: readonly TypeCode[];
      /** Whether other types extend it. */
      readonly isOpen?: boolean;
      /** The index of the type that it extends. */
      readonly supertype?: number;
    }
  | { readonly kind: 'function'; readonly params: readonly TypeCode[]; readonly results: readonly TypeCode[] };

interface FunctionDefinition {
  /** Index of its type. */
  readonly type: number;
  readonly locals: readonly TypeCode[];
  readonly code: WasmCode;
  readonly exportedAs: string | undefined;
  /** Whether the engine starts with slow code, compiles that when the function is first called, and replaces it after many calls. */
  readonly isCompiledLater: boolean;
}

export interface WasmModule {
  /** Types that name each other, before all others in the index space. */
  readonly recursive: readonly TypeDefinition[];
  readonly types: readonly TypeDefinition[];
  /** The tag of the errors of programs, which the module imports, and the index of its type. */
  readonly tag: { readonly module: string; readonly name: string; readonly type: number };
  /** Imported functions come before defined ones in the index space. */
  readonly imports: readonly { readonly module: string; readonly name: string; readonly type: number }[];
  /** Number of constant texts, which the module imports as globals. */
  readonly textCount: number;
  /** Structures with only a tag, which are globals after the texts. */
  readonly constants: readonly { readonly type: number; readonly tag: number }[];
  /** The types of references that are globals after the constants, null at the start. */
  readonly singletons: readonly TypeCode[];
  readonly functions: readonly FunctionDefinition[];
  /** Whether all functions are in a table, by their indices. */
  readonly hasTable: boolean;
}

/** `\0asm`, version 1. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

const END_OF_FUNCTION = 0x0b;

/** The module that constant texts are imported from, by their indices. */
const TEXTS = 'text';

/** The section in which V8 finds how to compile each function. Other engines ignore it. */
const HINTS = 'compilationHints';
const COMPILE_LATER = 0;
/** Bits of the time and of both compilers: at once, with the optimizing one alone. */
const OPTIMIZE_EAGERLY = 2 | (2 << 2) | (2 << 4);

/** @returns the bytes, and the places of all functions with offsets in these bytes */
export function* encodeModule({
  recursive,
  types,
  tag,
  imports,
  textCount,
  constants,
  singletons,
  functions,
  hasTable,
}: WasmModule): PausableWork<{
  readonly bytes: Uint8Array;
  readonly marks: WasmCode['marks'];
}> {
  const exports: number[][] = [];
  const heads: number[][] = [];
  const count = unsigned(functions.length);
  let size = count.length;
  for (const [index, { exportedAs, locals, code }] of functions.entries()) {
    if (exportedAs !== undefined) exports.push([...text(exportedAs), 0x00, ...unsigned(imports.length + index)]);
    const declared = list(locals.map(type => [1, ...type]));
    const head = [...unsigned(declared.length + code.bytes.length + 1), ...declared];
    heads.push(head);
    size += head.length + code.bytes.length + 1;
    yield;
  }
  const functionCount = imports.length + functions.length;
  const indices = Array.from({ length: hasTable ? functionCount : 0 }, (_, index) => unsigned(index));
  const start = [
    MAGIC,
    ...section(1, list([[0x4e, ...list(recursive.map(typeBytes))], ...types.map(typeBytes)])),
    ...section(
      2,
      list([
        ...imports.map(({ module, name, type }) => [...text(module), ...text(name), 0x00, ...unsigned(type)]),
        ...Array.from({ length: textCount }, (_, index) => [
          ...text(TEXTS),
          ...text(String(index)),
          0x03,
          ...EXTERNREF,
          0x00,
        ]),
        [...text(tag.module), ...text(tag.name), 0x04, 0x00, ...unsigned(tag.type)],
      ]),
    ),
    ...section(3, list(functions.map(({ type }) => unsigned(type)))),
    ...(hasTable ? section(4, list([[...FUNCREF, 0x00, ...unsigned(functionCount)]])) : []),
    ...section(
      6,
      list([
        ...constants.map(({ type, tag }) => [
          ...refTo(type),
          0x00,
          ...new WasmCode().i32(tag).gc('struct.new', type).op('end').bytes,
        ]),
        ...singletons.map(type => [...type, 0x01, ...new WasmCode().nullCollected().op('end').bytes]),
      ]),
    ),
    ...section(7, list(exports)),
    ...(hasTable ? section(9, list([[0x00, ...new WasmCode().i32(0).op('end').bytes, ...list(indices)]])) : []),
    ...section(0, [
      ...text(HINTS),
      ...list(functions.map(one => [one.isCompiledLater ? COMPILE_LATER : OPTIMIZE_EAGERLY])),
    ]),
    [10, ...unsigned(size), ...count],
  ];
  const startLength = start.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(startLength - count.length + size);
  let at = 0;
  for (const part of start) {
    bytes.set(part, at);
    at += part.length;
  }
  const marks: (readonly [number, string])[] = [];
  for (const [index, { code }] of functions.entries()) {
    const head = heads[index] ?? [];
    bytes.set(head, at);
    at += head.length;
    for (const [offset, mark] of code.marks) marks.push([at + offset, mark]);
    bytes.set(code.bytes, at);
    for (const [offset, index] of code.globals) bytes.set(padded(textCount + index), at + offset);
    at += code.bytes.length;
    bytes[at++] = END_OF_FUNCTION;
    yield;
  }
  return { bytes, marks };
}

const list = (items: readonly (readonly number[])[]): number[] => [unsigned(items.length), ...items].flat();
const section = (id: number, body: readonly number[]): readonly (readonly number[])[] => [
  [id, ...unsigned(body.length)],
  body,
];
const text = (name: string): number[] => list(Array.from(new TextEncoder().encode(name), byte => [byte]));

function typeBytes(type: TypeDefinition): number[] {
  const IS_MUTABLE = 1;
  switch (type.kind) {
    case 'array':
      return [0x5e, ...(type.element === 'byte' ? PACKED_I8 : type.element), IS_MUTABLE];
    case 'struct': {
      const fields = [0x5f, ...list(type.fields.map(field => [...field, IS_MUTABLE]))];
      const supertypes = list(type.supertype === undefined ? [] : [unsigned(type.supertype)]);
      if (type.isOpen === true) return [0x50, ...supertypes, ...fields];
      return type.supertype === undefined ? fields : [0x4f, ...supertypes, ...fields];
    }
    case 'function':
      return [0x60, ...list(type.params.map(param => [...param])), ...list(type.results.map(result => [...result]))];
  }
}
