import type { PausableWork } from '../../../base/time-slice.ts';
import { axisNames, faceNames, fontWeightNames } from '../../instances/value-names.ts';
import {
  type CFrame,
  type Font,
  identityCFrame,
  type Mat3,
  type Physical,
  type VariantPayloads,
  type VariantType,
  type Vec3,
} from '../../instances/variant.ts';
import { type ByteReader, FormatError } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { idOfRotation, rotationOfId } from '../rotation-id.ts';
import type { ReadContext, WriteContext } from './array-context.ts';
import { readContents, writeContents } from './content-array.ts';
import * as i from './interleaved.ts';
import { readUniqueIds, writeUniqueIds } from './unique-id-array.ts';

/** How the values of one property of all instances of a class stand in a `PROP` chunk: appendix A.1 of the format reference. */
export interface ArrayCodec<T extends VariantType> {
  readonly type: T;
  readonly id: number;
  read(reader: ByteReader, count: number, context: ReadContext): PausableWork<VariantPayloads[T][]>;
  write(writer: ByteWriter, values: readonly VariantPayloads[T][], context: WriteContext): void;
}

const each = <T>(count: number, read: () => T): T[] => Array.from({ length: count }, read);

/** Values that are made between two pauses. */
const VALUES_AT_ONCE = 2048;
/** Their bytes, where that is more. */
const BYTES_AT_ONCE = 1024 * 1024;

function* makeRows<T>(count: number, make: (row: number) => T): PausableWork<T[]> {
  const made: T[] = [];
  for (let row = 0; row < count; row++) {
    made.push(make(row));
    if (row % VALUES_AT_ONCE === VALUES_AT_ONCE - 1) yield;
  }
  return made;
}

/** Of a reader that is fast enough for any file. */
const atOnce = <V>(read: (reader: ByteReader, count: number, context: ReadContext) => V[]) =>
  // oxlint-disable-next-line require-yield -- there is nothing to wait for
  function* (reader: ByteReader, count: number, context: ReadContext): PausableWork<V[]> {
    return read(reader, count, context);
  };
const column = <T, V>(values: readonly T[], pick: (value: T) => V): V[] => values.map(pick);

/** Values made of `size` floats that stand as as many arrays. */
const floatColumns = <V>(
  size: number,
  make: (floats: readonly number[]) => V,
  split: (value: V) => readonly number[],
) => ({
  *read(reader: ByteReader, count: number): PausableWork<V[]> {
    const columns: number[][] = [];
    for (let at = 0; at < size; at++) {
      columns.push(i.readF32s(reader, count));
      yield;
    }
    return yield* makeRows(count, row => make(columns.map(values => values[row] ?? 0)));
  },
  write(writer: ByteWriter, values: readonly V[]): void {
    const rows = values.map(split);
    for (let at = 0; at < size; at++)
      i.writeF32s(
        writer,
        column(rows, row => row[at] ?? 0),
      );
  },
});

/** Values that stand one after another. */
const sequence = <V>(read: (reader: ByteReader) => V, write: (writer: ByteWriter, value: V) => void) => ({
  *read(reader: ByteReader, count: number): PausableWork<V[]> {
    const values: V[] = [];
    for (let last = reader.at; values.length < count;) {
      values.push(read(reader));
      if (values.length % VALUES_AT_ONCE !== 0 && reader.at - last < BYTES_AT_ONCE) continue;
      last = reader.at;
      yield;
    }
    return values;
  },
  write(writer: ByteWriter, values: readonly V[]): void {
    for (const value of values) write(writer, value);
  },
});

const pair = ([a = 0, b = 0]: readonly number[]) => [a, b] as const;
const triple = ([a = 0, b = 0, c = 0]: readonly number[]): Vec3 => [a, b, c];
const vec3s = floatColumns<Vec3>(3, triple, value => value);

const readF32x3 = (r: ByteReader): Vec3 => [r.f32(), r.f32(), r.f32()];
const writeF32x = (w: ByteWriter, values: readonly number[]): void => values.forEach(value => w.f32(value));

const udims = {
  *read(reader: ByteReader, count: number): PausableWork<VariantPayloads['UDim'][]> {
    const scales = i.readF32s(reader, count);
    const offsets = i.readI32s(reader, count);
    return yield* makeRows(count, row => [scales[row] ?? 0, offsets[row] ?? 0]);
  },
  write(writer: ByteWriter, values: readonly VariantPayloads['UDim'][]): void {
    i.writeF32s(
      writer,
      column(values, ([scale]) => scale),
    );
    i.writeI32s(
      writer,
      column(values, ([, offset]) => offset),
    );
  },
};

const udim2s = {
  *read(reader: ByteReader, count: number): PausableWork<VariantPayloads['UDim2'][]> {
    const [xs, ys] = [i.readF32s(reader, count), i.readF32s(reader, count)];
    yield;
    const [xo, yo] = [i.readI32s(reader, count), i.readI32s(reader, count)];
    yield;
    return yield* makeRows(count, row => [
      [xs[row] ?? 0, xo[row] ?? 0],
      [ys[row] ?? 0, yo[row] ?? 0],
    ]);
  },
  write(writer: ByteWriter, values: readonly VariantPayloads['UDim2'][]): void {
    for (const axis of [0, 1] as const)
      i.writeF32s(
        writer,
        column(values, value => value[axis][0]),
      );
    for (const axis of [0, 1] as const)
      i.writeI32s(
        writer,
        column(values, value => value[axis][1]),
      );
  },
};

function readRotation(reader: ByteReader): Mat3 {
  const start = reader.at;
  const id = reader.u8();
  if (id === 0) return [readF32x3(reader), readF32x3(reader), readF32x3(reader)];
  const rotation = rotationOfId(id);
  if (rotation === undefined) throw new FormatError(`the unknown rotation 0x${id.toString(16)}`, start);
  return rotation;
}

const cframes = {
  *read(reader: ByteReader, count: number): PausableWork<CFrame[]> {
    const orientations = yield* makeRows(count, () => readRotation(reader));
    const positions = yield* vec3s.read(reader, count);
    return yield* makeRows(count, row => ({
      position: positions[row] ?? identityCFrame.position,
      orientation: orientations[row] ?? identityCFrame.orientation,
    }));
  },
  write(writer: ByteWriter, values: readonly CFrame[]): void {
    for (const { orientation } of values) {
      const id = idOfRotation(orientation);
      writer.u8(id);
      if (id === 0) writeF32x(writer, orientation.flat());
    }
    vec3s.write(
      writer,
      column(values, value => value.position),
    );
  },
};

const CFRAME_ID = 0x10;
const BOOL_ID = 0x02;

const optionalCFrames = {
  *read(reader: ByteReader, count: number): PausableWork<(CFrame | null)[]> {
    const start = reader.at;
    const values = reader.u8() === CFRAME_ID ? yield* cframes.read(reader, count) : [];
    const isThere = reader.u8() === BOOL_ID ? Array.from(reader.take(count)) : [];
    if (values.length < count || isThere.length < count)
      throw new FormatError('optional CFrames in another form', start);
    return values.map((value, row) => (isThere[row] === 0 ? null : value));
  },
  write(writer: ByteWriter, values: readonly (CFrame | null)[]): void {
    writer.u8(CFRAME_ID);
    cframes.write(
      writer,
      column(values, value => value ?? identityCFrame),
    );
    writer.u8(BOOL_ID);
    for (const value of values) writer.u8(value === null ? 0 : 1);
  },
};

const physicals = sequence<Physical | 'Default'>(
  r => {
    const flags = r.u8();
    if ((flags & 1) === 0) return 'Default';
    const [density, friction, elasticity, frictionWeight, elasticityWeight] = [
      r.f32(),
      r.f32(),
      r.f32(),
      r.f32(),
      r.f32(),
    ];
    const acousticAbsorption = (flags & 2) === 0 ? 1 : r.f32();
    return { density, friction, elasticity, frictionWeight, elasticityWeight, acousticAbsorption };
  },
  (w, value) => {
    w.u8(value === 'Default' ? 2 : 3);
    if (value === 'Default') return;
    const { density, friction, elasticity, frictionWeight, elasticityWeight, acousticAbsorption = 1 } = value;
    writeF32x(w, [density, friction, elasticity, frictionWeight, elasticityWeight, acousticAbsorption]);
  },
);

const fonts = sequence<Font>(
  r => {
    const family = r.text();
    const weight = fontWeightNames[r.u16() / 100 - 1] ?? 'Regular';
    const style = r.u8() === 1 ? 'Italic' : 'Normal';
    const cachedFaceId = r.text();
    return cachedFaceId === '' ? { family, weight, style } : { family, weight, style, cachedFaceId };
  },
  (w, font) => {
    w.text(font.family);
    w.u16((fontWeightNames.indexOf(font.weight) + 1) * 100);
    w.u8(font.style === 'Italic' ? 1 : 0);
    w.text(font.cachedFaceId ?? '');
  },
);

const bitsOf = <T>(names: readonly T[], value: readonly T[]): number =>
  names.reduce((sum, name, index) => sum + (value.includes(name) ? 1 << index : 0), 0);

/** Views of the chunk: who keeps one copies it. */
const bytes = sequence<Uint8Array>(
  r => r.sized(),
  (w, value) => w.sized(value),
);
const colorBytes = {
  read(reader: ByteReader, count: number): PausableWork<Vec3[]> {
    const [r, g, b] = [reader.take(count), reader.take(count), reader.take(count)];
    return makeRows(count, row => [r[row] ?? 0, g[row] ?? 0, b[row] ?? 0]);
  },
  write(writer: ByteWriter, values: readonly Vec3[]): void {
    for (const at of [0, 1, 2] as const) for (const value of values) writer.u8(value[at]);
  },
};
const u32s = { read: atOnce(i.readU32s), write: i.writeU32s };
const shared = {
  *read(reader: ByteReader, count: number, context: ReadContext): PausableWork<Uint8Array[]> {
    const start = reader.at;
    const indexes = i.readU32s(reader, count);
    return yield* makeRows(count, row => {
      const found = context.sharedString(indexes[row] ?? -1);
      if (found === undefined)
        throw new FormatError(`the shared string ${indexes[row]}, which is not in the file,`, start);
      return found;
    });
  },
  write: (writer: ByteWriter, values: readonly Uint8Array[], context: WriteContext): void =>
    i.writeU32s(
      writer,
      column(values, value => context.sharedIndex(value)),
    ),
};

/** By type. `String` values are read as bytes: only the declared type tells text from bytes. */
export const arrayCodecs: { readonly [T in VariantType]?: ArrayCodec<T> } = {
  BinaryString: { type: 'BinaryString', id: 0x01, ...bytes },
  Bool: {
    type: 'Bool',
    id: BOOL_ID,
    ...sequence<boolean>(
      r => r.u8() !== 0,
      (w, value) => w.u8(value ? 1 : 0),
    ),
  },
  Int32: { type: 'Int32', id: 0x03, read: atOnce(i.readI32s), write: i.writeI32s },
  Float32: { type: 'Float32', id: 0x04, read: atOnce(i.readF32s), write: i.writeF32s },
  Float64: {
    type: 'Float64',
    id: 0x05,
    ...sequence<number>(
      r => r.f64(),
      (w, value) => w.f64(value),
    ),
  },
  UDim: { type: 'UDim', id: 0x06, ...udims },
  UDim2: { type: 'UDim2', id: 0x07, ...udim2s },
  Ray: {
    type: 'Ray',
    id: 0x08,
    ...sequence<VariantPayloads['Ray']>(
      r => ({ origin: readF32x3(r), direction: readF32x3(r) }),
      (w, { origin, direction }) => writeF32x(w, [...origin, ...direction]),
    ),
  },
  Faces: {
    type: 'Faces',
    id: 0x09,
    ...sequence<VariantPayloads['Faces']>(
      r => {
        const bits = r.u8();
        // The bits are numbered as Enum.NormalId is.
        return faceNames.filter((_, index) => (bits & (1 << index)) !== 0);
      },
      (w, value) => w.u8(bitsOf(faceNames, value)),
    ),
  },
  Axes: {
    type: 'Axes',
    id: 0x0a,
    ...sequence<VariantPayloads['Axes']>(
      r => {
        const bits = r.u8();
        return axisNames.filter((_, index) => (bits & (1 << index)) !== 0);
      },
      (w, value) => w.u8(bitsOf(axisNames, value)),
    ),
  },
  BrickColor: { type: 'BrickColor', id: 0x0b, ...u32s },
  Color3: { type: 'Color3', id: 0x0c, ...vec3s },
  Vector2: { type: 'Vector2', id: 0x0d, ...floatColumns(2, pair, value => value) },
  Vector3: { type: 'Vector3', id: 0x0e, ...vec3s },
  CFrame: { type: 'CFrame', id: CFRAME_ID, ...cframes },
  Enum: { type: 'Enum', id: 0x12, ...u32s },
  Ref: {
    type: 'Ref',
    id: 0x13,
    read: atOnce((reader, count, context) => i.readReferents(reader, count).map(number => context.refOf(number))),
    write: (writer, values, context) =>
      i.writeReferents(
        writer,
        column(values, ref => context.numberOf(ref)),
      ),
  },
  Vector3int16: {
    type: 'Vector3int16',
    id: 0x14,
    ...sequence<Vec3>(
      r => [r.i16(), r.i16(), r.i16()],
      (w, value) => value.forEach(component => w.u16(component & 0xffff)),
    ),
  },
  NumberSequence: {
    type: 'NumberSequence',
    id: 0x15,
    ...sequence<VariantPayloads['NumberSequence']>(
      r => each(r.count(12), () => ({ time: r.f32(), value: r.f32(), envelope: r.f32() })),
      (w, keypoints) => {
        w.u32(keypoints.length);
        for (const { time, value, envelope } of keypoints) writeF32x(w, [time, value, envelope]);
      },
    ),
  },
  ColorSequence: {
    type: 'ColorSequence',
    id: 0x16,
    ...sequence<VariantPayloads['ColorSequence']>(
      r =>
        each(r.count(20), () => {
          const keypoint = { time: r.f32(), color: readF32x3(r) };
          r.f32();
          return keypoint;
        }),
      (w, keypoints) => {
        w.u32(keypoints.length);
        for (const { time, color } of keypoints) writeF32x(w, [time, ...color, 0]);
      },
    ),
  },
  NumberRange: {
    type: 'NumberRange',
    id: 0x17,
    ...sequence<VariantPayloads['NumberRange']>(r => [r.f32(), r.f32()], writeF32x),
  },
  Rect: {
    type: 'Rect',
    id: 0x18,
    ...floatColumns<VariantPayloads['Rect']>(
      4,
      ([minX = 0, minY = 0, maxX = 0, maxY = 0]) => [
        [minX, minY],
        [maxX, maxY],
      ],
      value => value.flat(),
    ),
  },
  PhysicalProperties: { type: 'PhysicalProperties', id: 0x19, ...physicals },
  Color3uint8: { type: 'Color3uint8', id: 0x1a, ...colorBytes },
  Int64: { type: 'Int64', id: 0x1b, read: atOnce(i.readI64s), write: i.writeI64s },
  SharedString: { type: 'SharedString', id: 0x1c, ...shared },
  OptionalCFrame: { type: 'OptionalCFrame', id: 0x1e, ...optionalCFrames },
  UniqueId: { type: 'UniqueId', id: 0x1f, read: atOnce(readUniqueIds), write: writeUniqueIds },
  Font: { type: 'Font', id: 0x20, ...fonts },
  SecurityCapabilities: {
    type: 'SecurityCapabilities',
    id: 0x21,
    read: atOnce((reader, count) => i.readI64s(reader, count).map(value => BigInt.asUintN(64, value))),
    write: (writer, values) =>
      i.writeI64s(
        writer,
        column(values, value => BigInt.asIntN(64, value)),
      ),
  },
  Content: { type: 'Content', id: 0x22, read: atOnce(readContents), write: writeContents },
};
