import { type ByteReader, FormatError } from '../encoding/byte-reader.ts';
import type { ByteWriter } from '../encoding/byte-writer.ts';
import { type ColumnCodec, makeValues } from '../encoding/columns.ts';
import { readF32x3, writeF32List } from '../encoding/floats.ts';
import { idOfRotation, rotationOfId } from '../encoding/rotation-id.ts';
import { childOf, type XmlElement } from '../encoding/xml-element.ts';
import { readFloat, readVec3, requireChild, writeFloat, writeTag, writeVec3 } from '../encoding/xml-values.ts';
import { type CFrame, identityCFrame, type Mat3, type Vec3 } from './variant.ts';
import { shortenFloats } from './file-numbers.ts';
import { plainWire, type PropertyType, xmlElement } from './property-type.ts';
import { vec3Column } from './vectors.ts';
import { parseMat3, parseRecord, parseVec3 } from './wire-parsers.ts';
import { f32, objectSchema, tripleOf, vec3 } from './shapes.ts';

const CFRAME_ID = 0x10;
const BOOL_ID = 0x02;

function decode(raw: unknown): CFrame | undefined {
  const record = parseRecord(raw);
  const position = parseVec3(record?.['position']);
  const orientation = parseMat3(record?.['orientation']);
  return position && orientation && { position, orientation };
}
const expected = '{"position": [x, y, z], "orientation": [[r00, r01, r02], [r10, r11, r12], [r20, r21, r22]]}';

/** The id of a rotation, or 0 and the matrix. */
function readRotation(reader: ByteReader): Mat3 {
  const start = reader.at;
  const id = reader.u8();
  if (id === 0) return [readF32x3(reader), readF32x3(reader), readF32x3(reader)];
  const rotation = rotationOfId(id);
  if (rotation === undefined) throw new FormatError(`the unknown rotation 0x${id.toString(16)}`, start);
  return rotation;
}

function writeRotation(writer: ByteWriter, orientation: Mat3): void {
  const id = idOfRotation(orientation);
  writer.u8(id);
  if (id === 0) writeF32List(writer, orientation.flat());
}

const column: ColumnCodec<CFrame> = {
  *read(reader, count, context) {
    const orientations = yield* makeValues(count, () => readRotation(reader));
    const positions = yield* vec3Column.read(reader, count, context);
    return yield* makeValues(count, row => ({
      position: positions[row] ?? identityCFrame.position,
      orientation: orientations[row] ?? identityCFrame.orientation,
    }));
  },
  write(writer, values, context) {
    for (const { orientation } of values) writeRotation(writer, orientation);
    vec3Column.write(
      writer,
      values.map(value => value.position),
      context,
    );
  },
};

function readXml(e: XmlElement): CFrame {
  const cell = (row: number, at: number): number => readFloat(requireChild(e, `R${row}${at}`));
  const row = (n: number): Vec3 => [cell(n, 0), cell(n, 1), cell(n, 2)];
  return { position: readVec3(e), orientation: [row(0), row(1), row(2)] };
}

const writeXml = ({ position, orientation }: CFrame): string =>
  writeVec3(position) +
  orientation.flatMap((row, r) => row.map((value, c) => writeTag(`R${r}${c}`, writeFloat(value)))).join('');

export const cframe: PropertyType<CFrame> = {
  wire: plainWire(expected, decode),
  short: {
    expected: '12 numbers: x, y, z, then the rotation row by row',
    schema: { type: 'array', items: f32.schema, minItems: 12, maxItems: 12 },
    read(json) {
      if (!Array.isArray(json) || json.length !== 12) return undefined;
      const orientation = [json.slice(3, 6), json.slice(6, 9), json.slice(9, 12)];
      return decode({ position: json.slice(0, 3), orientation });
    },
    write: ({ position, orientation }) => shortenFloats([...position, ...orientation.flat()]),
  },
  empty: identityCFrame,
  column: { id: CFRAME_ID, ...column },
  xml: {
    read: { CoordinateFrame: e => ({ type: 'CFrame', value: readXml(e) }) },
    write: xmlElement('CoordinateFrame', writeXml),
  },
  attribute: {
    id: 0x14,
    read: reader => ({ type: 'CFrame', value: { position: readF32x3(reader), orientation: readRotation(reader) } }),
    write(writer, { position, orientation }) {
      writeF32List(writer, position);
      writeRotation(writer, orientation);
    },
  },
  shape: {
    schema: objectSchema({ position: vec3.schema, orientation: tripleOf(vec3).schema }),
    write: (writer, { position, orientation }) => writeF32List(writer, [...position, ...orientation.flat()]),
    read: reader => ({
      position: readF32x3(reader),
      orientation: [readF32x3(reader), readF32x3(reader), readF32x3(reader)],
    }),
  },
  plugin: 'codec',
};

/** A column of CFrames and one of booleans, each with the number of its type. */
const optionalColumn: ColumnCodec<CFrame | null> = {
  *read(reader, count, context) {
    const start = reader.at;
    const values = reader.u8() === CFRAME_ID ? yield* column.read(reader, count, context) : [];
    const isPresent = reader.u8() === BOOL_ID ? Array.from(reader.take(count)) : [];
    if (values.length < count || isPresent.length < count)
      throw new FormatError('optional CFrames in another form', start);
    return values.map((value, row) => (isPresent[row] === 0 ? null : value));
  },
  write(writer, values, context) {
    writer.u8(CFRAME_ID);
    column.write(
      writer,
      values.map(value => value ?? identityCFrame),
      context,
    );
    writer.u8(BOOL_ID);
    for (const value of values) writer.u8(value === null ? 0 : 1);
  },
};

export const optionalCFrame: PropertyType<CFrame | null> = {
  wire: plainWire(`null or ${expected}`, raw => (raw === null ? null : decode(raw))),
  empty: null,
  column: { id: 0x1e, ...optionalColumn },
  xml: {
    read: {
      OptionalCoordinateFrame(e) {
        const inner = childOf(e, 'CFrame');
        return { type: 'OptionalCFrame', value: inner ? readXml(inner) : null };
      },
    },
    write: xmlElement('OptionalCoordinateFrame', value => (value === null ? '' : writeTag('CFrame', writeXml(value)))),
  },
  shape: {
    schema: { anyOf: [{ type: 'null' }, cframe.shape.schema] },
    write(writer, value, references, nested) {
      writer.u8(value === null ? 0 : 1);
      if (value !== null) cframe.shape.write(writer, value, references, nested);
    },
    read: (reader, references, nested) => (reader.u8() === 0 ? null : cframe.shape.read(reader, references, nested)),
  },
  plugin: 'codec',
};
