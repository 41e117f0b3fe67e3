import { sequentialColumn, wholeColumn } from '../encoding/columns.ts';
import {
  readI32s,
  readF32s,
  readI64s,
  readU32s,
  writeF32s,
  writeI32s,
  writeI64s,
  writeU32s,
} from '../encoding/interleaved.ts';
import {
  readBool,
  readDouble,
  readFloat,
  readInt32,
  readUint32,
  readWhole,
  writeDouble,
  writeFloat,
} from '../encoding/xml-values.ts';
import { plainWire, type PropertyType, type WireForm, xmlElement } from './property-type.ts';
import { toFileNumber } from './file-numbers.ts';
import {
  parseFloat32,
  parseFloat64,
  parseInt32,
  parseRecord,
  parseText,
  parseUint32,
  parseWhole,
  parseWhole64,
} from './wire-parsers.ts';
import { f32, f64, i32, i64, objectSchema, text, u32 } from './shapes.ts';

const u32Column = wholeColumn<number>(readU32s, writeU32s);

export const bool: PropertyType<boolean> = {
  wire: plainWire('true or false', raw => (typeof raw === 'boolean' ? raw : undefined)),
  short: {},
  empty: false,
  column: {
    id: 0x02,
    ...sequentialColumn<boolean>(
      reader => reader.u8() !== 0,
      (writer, value) => writer.u8(value ? 1 : 0),
    ),
  },
  xml: { read: { bool: e => ({ type: 'Bool', value: readBool(e) }) }, write: xmlElement('bool', String) },
  attribute: {
    id: 0x03,
    read: reader => ({ type: 'Bool', value: reader.u8() !== 0 }),
    write: (writer, value) => writer.u8(value ? 1 : 0),
  },
  shape: {
    schema: { type: 'boolean' },
    write: (writer, value) => writer.u8(value ? 1 : 0),
    read: reader => reader.u8() !== 0,
  },
  plugin: 'codec',
};

/** The engine reads a number in short form as a double. */
const truncate = (json: unknown, min: number, max: number): number | undefined => {
  const number = typeof json === 'bigint' ? Number(json) : json;
  if (typeof number !== 'number') return undefined;
  return Number.isNaN(number) ? 0 : Math.min(max, Math.max(min, Math.trunc(number))) + 0;
};

/** Any number is a short form of a whole number. */
const shortWhole = { expected: 'a number', schema: { type: 'number' } };

export const int32: PropertyType<number> = {
  wire: plainWire('a whole number of 32 bits', parseInt32),
  short: { ...shortWhole, read: json => truncate(json, -0x80000000, 0x7fffffff) },
  isExact: true,
  empty: 0,
  column: { id: 0x03, ...wholeColumn<number>(readI32s, writeI32s) },
  xml: { read: { int: e => ({ type: 'Int32', value: readInt32(e) }) }, write: xmlElement('int', String) },
  attribute: {
    id: 0x04,
    read: reader => ({ type: 'Int32', value: reader.i32() }),
    write: (writer, value) => writer.i32(value),
  },
  shape: i32,
  plugin: 'codec',
};

const whole64 = (expected: string, min: bigint, max: bigint): WireForm<bigint> => ({
  expected,
  // A double and a Lua number have 53 bits, so larger numbers are sent as digits.
  encode: value => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)),
  decode: parseWhole64(min, max),
});
/** A file can contain every digit, and other programs only read numbers. */
const whole64InFile = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

export const int64: PropertyType<bigint> = {
  wire: whole64('a whole number of 64 bits', -(2n ** 63n), 2n ** 63n - 1n),
  file: whole64InFile,
  short: {
    ...shortWhole,
    read(json) {
      const value = truncate(json, -(2 ** 63), 2 ** 63);
      // 2^63 is the nearest double to the largest value.
      return value === undefined ? undefined : value === 2 ** 63 ? 2n ** 63n - 1n : BigInt(value);
    },
  },
  empty: 0n,
  column: { id: 0x1b, ...wholeColumn<bigint>(readI64s, writeI64s) },
  xml: {
    read: { int64: e => ({ type: 'Int64', value: readWhole(e, -(2n ** 63n), 2n ** 63n - 1n) }) },
    write: xmlElement('int64', String),
  },
  shape: i64,
  plugin: 'codec',
};

export const securityCapabilities: PropertyType<bigint> = {
  wire: whole64('a whole number of 64 bits without sign', 0n, 2n ** 64n - 1n),
  file: whole64InFile,
  empty: 0n,
  column: {
    id: 0x21,
    ...wholeColumn<bigint>(
      (reader, count) => readI64s(reader, count).map(value => BigInt.asUintN(64, value)),
      (writer, values) =>
        writeI64s(
          writer,
          values.map(value => BigInt.asIntN(64, value)),
        ),
    ),
  },
  xml: {
    read: {
      SecurityCapabilities: e => ({
        type: 'SecurityCapabilities',
        value: BigInt.asUintN(64, readWhole(e, -(2n ** 63n), 2n ** 64n - 1n)),
      }),
    },
    write: xmlElement('SecurityCapabilities', String),
  },
  shape: { ...i64, read: (...given) => BigInt.asUintN(64, i64.read(...given)) },
  plugin: 'none',
};

export const float32: PropertyType<number> = {
  wire: plainWire('a number', parseFloat32),
  short: {},
  empty: 0,
  column: { id: 0x04, ...wholeColumn<number>(readF32s, writeF32s) },
  xml: { read: { float: e => ({ type: 'Float32', value: readFloat(e) }) }, write: xmlElement('float', writeFloat) },
  attribute: {
    id: 0x05,
    read: reader => ({ type: 'Float32', value: reader.f32() }),
    write: (writer, value) => writer.f32(value),
  },
  shape: f32,
  plugin: 'codec',
};

export const float64: PropertyType<number> = {
  wire: plainWire('a number', parseFloat64),
  file: toFileNumber,
  short: {},
  empty: 0,
  column: {
    id: 0x05,
    ...sequentialColumn<number>(
      reader => reader.f64(),
      (writer, value) => writer.f64(value),
    ),
  },
  xml: { read: { double: e => ({ type: 'Float64', value: readDouble(e) }) }, write: xmlElement('double', writeDouble) },
  attribute: {
    id: 0x06,
    read: reader => ({ type: 'Float64', value: reader.f64() }),
    write: (writer, value) => writer.f64(value),
  },
  shape: f64,
  plugin: 'codec',
};

/** The short form, the name of an item, requires the enum of the property: see `resolve.ts` and `file-form.ts`. */
export const enumNumber: PropertyType<number> = {
  wire: plainWire('the number of an enum item', parseUint32),
  isExact: true,
  empty: 0,
  column: { id: 0x12, ...u32Column },
  xml: { read: { token: e => ({ type: 'Enum', value: readUint32(e) }) }, write: xmlElement('token', String) },
  shape: u32(),
  plugin: 'codec',
};

/** An enum item with its enum; only attributes have them. */
export const enumItem: PropertyType<{ readonly type: string; readonly value: number }> = {
  wire: plainWire('{"type": "name of the enum", "value": number}', raw => {
    const record = parseRecord(raw);
    const type = parseText(record?.['type']);
    const value = parseUint32(record?.['value']);
    return type === undefined || value === undefined ? undefined : { type, value };
  }),
  isExact: true,
  empty: { type: '', value: 0 },
  attribute: {
    id: 0x15,
    read: reader => ({ type: 'EnumItem', value: { type: reader.text(), value: reader.u32() } }),
    write(writer, value) {
      writer.text(value.type);
      writer.u32(value.value);
    },
  },
  shape: {
    schema: objectSchema({ type: text.schema, value: u32().schema }),
    write(writer, value) {
      writer.text(value.type);
      writer.u32(value.value);
    },
    read: reader => ({ type: reader.text(), value: reader.u32() }),
  },
  plugin: 'codec',
};

export const brickColor: PropertyType<number> = {
  wire: plainWire('the number of a BrickColor', parseWhole(0, 0xffff)),
  isExact: true,
  // Medium stone grey, the engine's color for an unknown number.
  empty: 194,
  column: { id: 0x0b, ...u32Column },
  xml: { read: { BrickColor: e => ({ type: 'BrickColor', value: readUint32(e) }) }, write: xmlElement('int', String) },
  attribute: {
    id: 0x0e,
    read: reader => ({ type: 'BrickColor', value: reader.u32() }),
    write: (writer, value) => writer.u32(value),
  },
  shape: u32(0xffff),
  plugin: 'codec',
};
