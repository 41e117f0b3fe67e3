import type { ByteReader } from '../encoding/byte-reader.ts';
import type { ByteWriter } from '../encoding/byte-writer.ts';
import { type ColumnCodec, makeValues } from '../encoding/columns.ts';
import { readF32s, readI32s, writeF32s, writeI32s } from '../encoding/interleaved.ts';
import { readFloat, readInt32, requireChild, writeFloat, writeTag } from '../encoding/xml-values.ts';
import { plainWire, type PropertyType, xmlElement } from './property-type.ts';
import { parseFloat32, parseInt32, parsePair } from './wire-parsers.ts';
import { f32, i32, pairOf } from './shapes.ts';

type UDim = readonly [scale: number, offset: number];
type UDim2 = readonly [x: UDim, y: UDim];

function decode(raw: unknown): UDim | undefined {
  if (!Array.isArray(raw) || raw.length !== 2) return undefined;
  const scale = parseFloat32(raw[0]);
  const offset = parseInt32(raw[1]);
  return scale === undefined || offset === undefined ? undefined : [scale, offset];
}

/** Offsets are whole numbers, which are compared exactly, so they are `bigint`. */
const comparable = ([scale, offset]: UDim): unknown => [scale, BigInt(offset)];

const readUDim = (reader: ByteReader): UDim => [reader.f32(), reader.i32()];
function writeUDim(writer: ByteWriter, [scale, offset]: UDim): void {
  writer.f32(scale);
  writer.i32(offset);
}

const udimColumns: ColumnCodec<UDim> = {
  *read(reader, count) {
    const scales = readF32s(reader, count);
    const offsets = readI32s(reader, count);
    return yield* makeValues(count, row => [scales[row] ?? 0, offsets[row] ?? 0]);
  },
  write(writer, values) {
    writeF32s(
      writer,
      values.map(([scale]) => scale),
    );
    writeI32s(
      writer,
      values.map(([, offset]) => offset),
    );
  },
};

export const udim: PropertyType<UDim> = {
  wire: plainWire('[scale, offset] with a whole offset', decode),
  comparable,
  empty: [0, 0],
  column: { id: 0x06, ...udimColumns },
  xml: {
    read: {
      UDim: e => ({ type: 'UDim', value: [readFloat(requireChild(e, 'S')), readInt32(requireChild(e, 'O'))] }),
    },
    write: xmlElement('UDim', ([scale, offset]) => writeTag('S', writeFloat(scale)) + writeTag('O', offset)),
  },
  attribute: { id: 0x09, read: r => ({ type: 'UDim', value: readUDim(r) }), write: writeUDim },
  shape: pairOf(f32, i32),
  plugin: 'codec',
};

const udim2Columns: ColumnCodec<UDim2> = {
  *read(reader, count) {
    const [xs, ys] = [readF32s(reader, count), readF32s(reader, count)];
    yield;
    const [xo, yo] = [readI32s(reader, count), readI32s(reader, count)];
    yield;
    return yield* makeValues(count, row => [
      [xs[row] ?? 0, xo[row] ?? 0],
      [ys[row] ?? 0, yo[row] ?? 0],
    ]);
  },
  write(writer, values) {
    for (const axis of [0, 1] as const)
      writeF32s(
        writer,
        values.map(value => value[axis][0]),
      );
    for (const axis of [0, 1] as const)
      writeI32s(
        writer,
        values.map(value => value[axis][1]),
      );
  },
};

export const udim2: PropertyType<UDim2> = {
  wire: plainWire('[[scale, offset], [scale, offset]] with whole offsets', parsePair(decode)),
  comparable: ([x, y]) => [comparable(x), comparable(y)],
  empty: [
    [0, 0],
    [0, 0],
  ],
  column: { id: 0x07, ...udim2Columns },
  xml: {
    read: {
      UDim2: e => ({
        type: 'UDim2',
        value: [
          [readFloat(requireChild(e, 'XS')), readInt32(requireChild(e, 'XO'))],
          [readFloat(requireChild(e, 'YS')), readInt32(requireChild(e, 'YO'))],
        ],
      }),
    },
    write: xmlElement(
      'UDim2',
      ([x, y]) =>
        writeTag('XS', writeFloat(x[0])) +
        writeTag('XO', x[1]) +
        writeTag('YS', writeFloat(y[0])) +
        writeTag('YO', y[1]),
    ),
  },
  attribute: {
    id: 0x0a,
    read: r => ({ type: 'UDim2', value: [readUDim(r), readUDim(r)] }),
    write(writer, [x, y]) {
      writeUDim(writer, x);
      writeUDim(writer, y);
    },
  },
  shape: pairOf(udim.shape, udim.shape),
  plugin: 'codec',
};
