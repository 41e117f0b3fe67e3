import type { Ref } from '../../base/brand.ts';
import type { ByteReader } from '../encoding/byte-reader.ts';
import type { ByteWriter } from '../encoding/byte-writer.ts';
import type { Variant, Vec2, Vec3 } from './variant.ts';

/** JSON Schema, draft 7, of a payload in project files. */
export type PayloadSchema = Readonly<Record<string, unknown>>;

/** Converts between instances and their indexes in the file; -1 means no instance. */
export interface ReferenceIndex {
  indexOf(ref: Ref): number;
  refAt(index: number): Ref;
  /** Keeps bytes that no script reads outside the VM, which gets their index. If omitted, the bytes are passed to the VM. */
  readonly shared?: { indexOf(bytes: Uint8Array): number; at(index: number): Uint8Array };
}

/** Writes and reads values inside other values. */
export interface NestedValues {
  write(writer: ByteWriter, variant: Variant, references: ReferenceIndex): void;
  read(reader: ByteReader, references: ReferenceIndex): Variant;
}

/**
 * The structure of a payload: its JSON schema in project files, and its bytes between headless Studio and the Luau VM, which
 * `headless-studio/luau/place/variant.luau` mirrors.
 */
export interface Shape<T> {
  readonly schema: PayloadSchema;
  write(writer: ByteWriter, value: T, references: ReferenceIndex, nested: NestedValues): void;
  read(reader: ByteReader, references: ReferenceIndex, nested: NestedValues): T;
}

const whole = (minimum: number, maximum: number): PayloadSchema => ({ type: 'integer', minimum, maximum });
/** JSON has no infinities and no NaN, so they are strings. */
const number: PayloadSchema = { anyOf: [{ type: 'number' }, { enum: ['Infinity', '-Infinity', 'NaN'] }] };

export const f32: Shape<number> = {
  schema: number,
  write: (writer, value) => writer.f32(value),
  read: reader => reader.f32(),
};
export const f64: Shape<number> = {
  schema: number,
  write: (writer, value) => writer.f64(value),
  read: reader => reader.f64(),
};
const u8: Shape<number> = {
  schema: whole(0, 255),
  write: (writer, value) => writer.u8(value),
  read: reader => reader.u8(),
};
export const i16: Shape<number> = {
  schema: whole(-0x8000, 0x7fff),
  // The writer has no method for signed 16-bit numbers; the bits are the same.
  write: (writer, value) => writer.u16(value & 0xffff),
  read: reader => reader.i16(),
};
export const i32: Shape<number> = {
  schema: whole(-0x80000000, 0x7fffffff),
  write: (writer, value) => writer.i32(value),
  read: reader => reader.i32(),
};
export const u32 = (maximum = 0xffffffff): Shape<number> => ({
  schema: whole(0, maximum),
  write: (writer, value) => writer.u32(value),
  read: reader => reader.u32(),
});
export const i64: Shape<bigint> = {
  // Numbers beyond 53 bits are strings of digits.
  schema: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?\\d{1,20}$' }] },
  write(writer, value) {
    writer.u32(Number(value & 0xffff_ffffn));
    writer.i32(Number(BigInt.asIntN(32, value >> 32n)));
  },
  read: reader => BigInt(reader.u32()) + (BigInt(reader.i32()) << 32n),
};
export const text: Shape<string> = {
  schema: { type: 'string' },
  write: (writer, value) => writer.text(value),
  read: reader => reader.text(),
};
/** 32 hex digits, of which leading ones may be omitted in project files. */
export const idSchema: PayloadSchema = { type: 'string', pattern: '^[0-9a-fA-F]{1,32}$' };

export const bytes: Shape<Uint8Array> = {
  schema: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
  write: (writer, value) => writer.sized(value),
  read: reader => reader.sized().slice(),
};
const INDEX_BYTES = 4;
/** Bytes that no script reads, so that only their index crosses into the VM. */
export const sharedBytes: Shape<Uint8Array> = {
  schema: bytes.schema,
  write(writer, value, { shared }) {
    if (shared === undefined) return writer.sized(value);
    writer.u32(INDEX_BYTES);
    writer.u32(shared.indexOf(value));
  },
  read(reader, { shared }) {
    if (shared === undefined) return reader.sized().slice();
    reader.u32();
    return shared.at(reader.u32());
  },
};

const tupleSchema = (items: unknown, length: number): PayloadSchema => ({
  type: 'array',
  items,
  minItems: length,
  maxItems: length,
});

export const pairOf = <A, B>(first: Shape<A>, second: Shape<B>): Shape<readonly [A, B]> => ({
  schema: tupleSchema(first.schema === second.schema ? first.schema : [first.schema, second.schema], 2),
  write(writer, [a, b], references, nested) {
    first.write(writer, a, references, nested);
    second.write(writer, b, references, nested);
  },
  read: (reader, references, nested) => [
    first.read(reader, references, nested),
    second.read(reader, references, nested),
  ],
});

export const tripleOf = <T>(item: Shape<T>): Shape<readonly [T, T, T]> => ({
  schema: tupleSchema(item.schema, 3),
  write(writer, value, references, nested) {
    for (const part of value) item.write(writer, part, references, nested);
  },
  read: (reader, references, nested) => [
    item.read(reader, references, nested),
    item.read(reader, references, nested),
    item.read(reader, references, nested),
  ],
});

export const vec2: Shape<Vec2> = pairOf(f32, f32);
export const vec3: Shape<Vec3> = tripleOf(f32);
/** Red, green and blue from 0 to 255. */
export const rgb: Shape<Vec3> = tripleOf(u8);

/** The number of items, then the items. */
export const listOf = <T>(item: Shape<T>): Shape<readonly T[]> => ({
  schema: { type: 'array', items: item.schema },
  write(writer, value, references, nested) {
    writer.u32(value.length);
    for (const one of value) item.write(writer, one, references, nested);
  },
  read: (reader, references, nested) =>
    Array.from({ length: reader.count(1) }, () => item.read(reader, references, nested)),
});

/** The number of entries, then each name and value. */
export const mapOf = <T>(
  names: readonly string[],
  item: Pick<Shape<T>, 'write' | 'read'> & { readonly schema: PayloadSchema },
): Shape<ReadonlyMap<string, T>> => ({
  schema: objectSchema(Object.fromEntries(names.map(name => [name, item.schema])), []),
  write(writer, value, references, nested) {
    writer.u32(value.size);
    for (const [name, one] of value) {
      writer.text(name);
      item.write(writer, one, references, nested);
    }
  },
  read: (reader, references, nested) =>
    new Map(
      Array.from({ length: reader.count(1) }, () => [reader.text(), item.read(reader, references, nested)] as const),
    ),
});

export const objectSchema = (
  properties: Readonly<Record<string, PayloadSchema>>,
  required: readonly string[] = Object.keys(properties),
): PayloadSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** A set of names, as one bit per name in their order. */
export const setOf = <T extends string>(names: readonly T[]): Shape<readonly T[]> => ({
  schema: { type: 'array', items: { enum: names } },
  write: (writer, value) =>
    writer.u8(names.reduce((mask, name, bit) => mask | (value.includes(name) ? 1 << bit : 0), 0)),
  read(reader) {
    const mask = reader.u8();
    return names.filter((_, bit) => (mask & (1 << bit)) !== 0);
  },
});

/** Keypoints as project files wrap them. */
export const keypointsSchema = (item: PayloadSchema): PayloadSchema =>
  objectSchema({ keypoints: { type: 'array', items: item } });
