import type { Ref } from '../base/brand.ts';
import { type ByteReader, FormatError } from '../roblox/encoding/byte-reader.ts';
import type { ByteWriter } from '../roblox/encoding/byte-writer.ts';
import { axisNames, faceNames } from '../roblox/values/value-names.ts';
import type { CFrame, Mat3, Variant, VariantPayloads, VariantType, Vec2, Vec3 } from '../roblox/values/variant.ts';

/** Converts between instances and their indexes in the file; -1 means no instance. */
export interface References {
  indexOf(ref: Ref): number;
  refAt(index: number): Ref;
  /** Keeps bytes that no script reads outside the VM, which gets their index. If omitted, the bytes are passed to the VM. */
  readonly shared?: SharedBytes;
}

/** The shared strings of an open place, for example meshes of many megabytes that many instances share. */
export class SharedBytes {
  readonly #all: Uint8Array[] = [];
  readonly #indexes = new Map<Uint8Array, number>();

  indexOf(bytes: Uint8Array): number {
    const known = this.#indexes.get(bytes);
    if (known !== undefined) return known;
    const index = this.#all.push(bytes) - 1;
    this.#indexes.set(bytes, index);
    return index;
  }

  /** @throws FormatError for an unknown index */
  at(index: number): Uint8Array {
    const bytes = this.#all[index];
    if (bytes === undefined) throw new FormatError(`the shared string ${index}, which does not exist,`, 0);
    return bytes;
  }
}

interface ByteCodec<T> {
  write(writer: ByteWriter, value: T, references: References): void;
  read(reader: ByteReader, references: References): T;
}

/** One property value: the number of its type, then its payload. */
export function writeVariant(writer: ByteWriter, variant: Variant, references: References): void {
  writer.u8(variantTypes.indexOf(variant.type) + 1);
  writePayload<VariantType>(writer, variant.type, variant.value, references);
}

/** @throws FormatError */
export function readVariant(reader: ByteReader, references: References): Variant {
  const start = reader.at;
  const type = variantTypes[reader.u8() - 1];
  if (type === undefined) throw new FormatError('an unknown type of value', start);
  // The codec of `type` creates its payload, but TypeScript cannot relate both through the union.
  return { type, value: codecs[type].read(reader, references) } as Variant;
}

function writePayload<T extends VariantType>(
  writer: ByteWriter,
  type: T,
  value: VariantPayloads[T],
  references: References,
): void {
  codecs[type].write(writer, value, references);
}

const floats = (writer: ByteWriter, values: readonly number[]): void => values.forEach(value => writer.f32(value));
const readVec2 = (reader: ByteReader): Vec2 => [reader.f32(), reader.f32()];
const readVec3 = (reader: ByteReader): Vec3 => [reader.f32(), reader.f32(), reader.f32()];
const readMat3 = (reader: ByteReader): Mat3 => [readVec3(reader), readVec3(reader), readVec3(reader)];
const readShorts = (reader: ByteReader): Vec3 => [reader.i16(), reader.i16(), reader.i16()];
// The writer has no method for signed 16-bit numbers; the bits are the same.
const shorts = (writer: ByteWriter, values: readonly number[]): void =>
  values.forEach(value => writer.u16(value & 0xffff));

function list<T>(reader: ByteReader, read: () => T): T[] {
  return Array.from({ length: reader.count(1) }, read);
}

const text: ByteCodec<string> = { write: (writer, value) => writer.text(value), read: reader => reader.text() };
const blob: ByteCodec<Uint8Array> = {
  write: (writer, value) => writer.sized(value),
  read: reader => reader.sized().slice(),
};
const INDEX_BYTES = 4;
const sharedBlob: ByteCodec<Uint8Array> = {
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
const int64: ByteCodec<bigint> = {
  write(writer, value) {
    writer.u32(Number(value & 0xffff_ffffn));
    writer.i32(Number(BigInt.asIntN(32, value >> 32n)));
  },
  read: reader => BigInt(reader.u32()) + (BigInt(reader.i32()) << 32n),
};
const vec3: ByteCodec<Vec3> = { write: floats, read: readVec3 } as ByteCodec<Vec3>;
const colorBytes: ByteCodec<Vec3> = {
  write: (writer, value) => value.forEach(part => writer.u8(part)),
  read: reader => [reader.u8(), reader.u8(), reader.u8()],
};
const cframe: ByteCodec<CFrame> = {
  write: (writer, value) => floats(writer, [...value.position, ...value.orientation.flat()]),
  read: reader => ({ position: readVec3(reader), orientation: readMat3(reader) }),
};
const udim: ByteCodec<readonly [scale: number, offset: number]> = {
  write(writer, [scale, offset]) {
    writer.f32(scale);
    writer.i32(offset);
  },
  read: reader => [reader.f32(), reader.i32()],
};

/** Encodes a set of names as one bit per name, in their order. */
function nameSet<T extends string>(names: readonly T[]): ByteCodec<readonly T[]> {
  return {
    write: (writer, value) =>
      writer.u8(names.reduce((mask, name, bit) => mask | (value.includes(name) ? 1 << bit : 0), 0)),
    read(reader) {
      const mask = reader.u8();
      return names.filter((_, bit) => (mask & (1 << bit)) !== 0);
    },
  };
}

const codecs: { readonly [T in VariantType]: ByteCodec<VariantPayloads[T]> } = {
  Attributes: {
    write(writer, value, references) {
      writer.u32(value.size);
      for (const [name, attribute] of value) {
        writer.text(name);
        writeVariant(writer, attribute, references);
      }
    },
    read: (reader, references) =>
      new Map(list(reader, () => [reader.text(), readVariant(reader, references)] as const)),
  },
  Axes: nameSet(axisNames),
  BinaryString: blob,
  Bool: { write: (writer, value) => writer.u8(value ? 1 : 0), read: reader => reader.u8() !== 0 },
  BrickColor: { write: (writer, value) => writer.u32(value), read: reader => reader.u32() },
  CFrame: cframe,
  Color3: vec3,
  Color3uint8: colorBytes,
  ColorSequence: {
    write(writer, value) {
      writer.u32(value.length);
      for (const { time, color } of value) floats(writer, [time, ...color]);
    },
    read: reader => list(reader, () => ({ time: reader.f32(), color: readVec3(reader) })),
  },
  Content: {
    write(writer, value, references) {
      writer.u8(['none', 'uri', 'object'].indexOf(value.kind));
      if (value.kind === 'uri') writer.text(value.uri);
      if (value.kind === 'object') writer.i32(references.indexOf(value.ref));
    },
    read(reader, references) {
      const kind = reader.u8();
      if (kind === 1) return { kind: 'uri', uri: reader.text() };
      return kind === 2 ? { kind: 'object', ref: references.refAt(reader.i32()) } : { kind: 'none' };
    },
  },
  ContentId: text,
  Enum: { write: (writer, value) => writer.u32(value), read: reader => reader.u32() },
  EnumItem: {
    write(writer, value) {
      writer.text(value.type);
      writer.u32(value.value);
    },
    read: reader => ({ type: reader.text(), value: reader.u32() }),
  },
  Faces: nameSet(faceNames),
  Float32: { write: (writer, value) => writer.f32(value), read: reader => reader.f32() },
  Float64: { write: (writer, value) => writer.f64(value), read: reader => reader.f64() },
  Font: {
    write(writer, value) {
      writer.text(value.family);
      writer.text(value.weight);
      writer.u8(value.style === 'Italic' ? 1 : 0);
      writer.text(value.cachedFaceId ?? '');
    },
    read(reader) {
      const font = { family: reader.text(), weight: reader.text(), style: italic(reader.u8()) };
      const cachedFaceId = reader.text();
      return cachedFaceId === '' ? font : { ...font, cachedFaceId };
    },
  },
  Int32: { write: (writer, value) => writer.i32(value), read: reader => reader.i32() },
  Int64: int64,
  MaterialColors: {
    write(writer, value, references) {
      writer.u32(value.size);
      for (const [material, color] of value) {
        writer.text(material);
        colorBytes.write(writer, color, references);
      }
    },
    read: (reader, references) =>
      new Map(list(reader, () => [reader.text(), colorBytes.read(reader, references)] as const)),
  },
  NetAssetRef: sharedBlob,
  NumberRange: { write: (writer, value) => floats(writer, value), read: readVec2 },
  NumberSequence: {
    write(writer, value) {
      writer.u32(value.length);
      for (const { time, value: at, envelope } of value) floats(writer, [time, at, envelope]);
    },
    read: reader => list(reader, () => ({ time: reader.f32(), value: reader.f32(), envelope: reader.f32() })),
  },
  OptionalCFrame: {
    write(writer, value, references) {
      writer.u8(value === null ? 0 : 1);
      if (value !== null) cframe.write(writer, value, references);
    },
    read: (reader, references) => (reader.u8() === 0 ? null : cframe.read(reader, references)),
  },
  PhysicalProperties: {
    write(writer, value) {
      if (value === 'Default') return writer.u8(0);
      const acoustic = value.acousticAbsorption === undefined ? [] : [value.acousticAbsorption];
      writer.u8(1 + acoustic.length);
      const { density, friction, elasticity, frictionWeight, elasticityWeight } = value;
      floats(writer, [density, friction, elasticity, frictionWeight, elasticityWeight, ...acoustic]);
    },
    read(reader) {
      const kind = reader.u8();
      if (kind === 0) return 'Default';
      const [density, friction, elasticity] = readVec3(reader);
      const [frictionWeight, elasticityWeight] = readVec2(reader);
      const common = { density, friction, elasticity, frictionWeight, elasticityWeight };
      return kind === 1 ? common : { ...common, acousticAbsorption: reader.f32() };
    },
  },
  Ray: {
    write: (writer, value) => floats(writer, [...value.origin, ...value.direction]),
    read: reader => ({ origin: readVec3(reader), direction: readVec3(reader) }),
  },
  Rect: {
    write: (writer, value) => floats(writer, value.flat()),
    read: reader => [readVec2(reader), readVec2(reader)],
  },
  Ref: {
    write: (writer, value, references) => writer.i32(references.indexOf(value)),
    read: (reader, references) => references.refAt(reader.i32()),
  },
  Region3: {
    write: (writer, value) => floats(writer, value.flat()),
    read: reader => [readVec3(reader), readVec3(reader)],
  },
  Region3int16: {
    write: (writer, value) => shorts(writer, value.flat()),
    read: reader => [readShorts(reader), readShorts(reader)],
  },
  SecurityCapabilities: { ...int64, read: (reader, references) => BigInt.asUintN(64, int64.read(reader, references)) },
  SharedString: sharedBlob,
  String: text,
  Tags: {
    write(writer, value) {
      writer.u32(value.length);
      for (const tag of value) writer.text(tag);
    },
    read: reader => list(reader, reader.text),
  },
  UDim: udim,
  UDim2: {
    write(writer, [x, y], references) {
      udim.write(writer, x, references);
      udim.write(writer, y, references);
    },
    read: (reader, references) => [udim.read(reader, references), udim.read(reader, references)],
  },
  UniqueId: text,
  Vector2: { write: (writer, value) => floats(writer, value), read: readVec2 },
  Vector2int16: {
    write: (writer, value) => shorts(writer, value),
    read: reader => [reader.i16(), reader.i16()],
  },
  Vector3: vec3,
  Vector3int16: { write: (writer, value) => shorts(writer, value), read: readShorts },
};

/** Types by number, from 1; `luau/place/variant.luau` numbers them in the same alphabetical order. */
const variantTypes = (Object.keys(codecs) as VariantType[]).toSorted();

const italic = (flag: number): 'Italic' | 'Normal' => (flag === 1 ? 'Italic' : 'Normal');
