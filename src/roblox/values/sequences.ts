import type { ByteReader } from '../encoding/byte-reader.ts';
import { sequentialColumn } from '../encoding/columns.ts';
import { readF32x3, writeF32List } from '../encoding/floats.ts';
import { readFloatGroups, writeFloats } from '../encoding/xml-values.ts';
import type { ColorKeypoint, NumberKeypoint } from './variant.ts';
import { type PropertyType, type WireForm, xmlElement } from './property-type.ts';
import { type Parse, parseFloat32, parseList, parseRecord, parseVec3 } from './wire-parsers.ts';
import { f32, keypointsSchema, objectSchema, vec3 } from './shapes.ts';

const keypointsWire = <T>(expected: string, decode: Parse<T>): WireForm<readonly T[]> => ({
  expected: `{"keypoints": [${expected}, …]}`,
  encode: keypoints => ({ keypoints }),
  decode: raw => parseList(parseRecord(raw)?.['keypoints'], decode),
});
const byTime = <T extends { readonly time: number }>(keypoints: readonly T[]): T[] =>
  keypoints.toSorted((a, b) => a.time - b.time);
const readList = <T>(reader: ByteReader, size: number, read: () => T): T[] =>
  Array.from({ length: reader.count(size) }, read);

export const numberSequence: PropertyType<readonly NumberKeypoint[]> = {
  wire: keypointsWire('{"time": t, "value": v, "envelope": e}', raw => {
    const record = parseRecord(raw);
    const time = parseFloat32(record?.['time']);
    const value = parseFloat32(record?.['value']);
    const envelope = parseFloat32(record?.['envelope']);
    return time === undefined || value === undefined || envelope === undefined ? undefined : { time, value, envelope };
  }),
  comparable: byTime,
  empty: [
    { time: 0, value: 0, envelope: 0 },
    { time: 1, value: 0, envelope: 0 },
  ],
  column: {
    id: 0x15,
    ...sequentialColumn<readonly NumberKeypoint[]>(
      reader => readList(reader, 12, () => ({ time: reader.f32(), value: reader.f32(), envelope: reader.f32() })),
      (writer, keypoints) => {
        writer.u32(keypoints.length);
        for (const { time, value, envelope } of keypoints) writeF32List(writer, [time, value, envelope]);
      },
    ),
  },
  xml: {
    read: {
      NumberSequence: e => ({
        type: 'NumberSequence',
        value: readFloatGroups(e, 3).map(([time = 0, value = 0, envelope = 0]) => ({ time, value, envelope })),
      }),
    },
    write: xmlElement('NumberSequence', keypoints =>
      keypoints.map(({ time, value, envelope }) => writeFloats([time, value, envelope])).join(''),
    ),
  },
  attribute: {
    id: 0x17,
    read: reader => ({
      type: 'NumberSequence',
      value: readList(reader, 12, () => {
        const envelope = reader.f32();
        return { time: reader.f32(), value: reader.f32(), envelope };
      }),
    }),
    write(writer, keypoints) {
      writer.u32(keypoints.length);
      for (const { time, value, envelope } of keypoints) writeF32List(writer, [envelope, time, value]);
    },
  },
  shape: {
    schema: keypointsSchema(objectSchema({ time: f32.schema, value: f32.schema, envelope: f32.schema })),
    write(writer, keypoints) {
      writer.u32(keypoints.length);
      for (const { time, value, envelope } of keypoints) writeF32List(writer, [time, value, envelope]);
    },
    read: reader => readList(reader, 12, () => ({ time: reader.f32(), value: reader.f32(), envelope: reader.f32() })),
  },
  plugin: 'codec',
};

/** Files have a fifth number for each keypoint, an envelope that is always 0. */
export const colorSequence: PropertyType<readonly ColorKeypoint[]> = {
  wire: keypointsWire('{"time": t, "color": [r, g, b]}', raw => {
    const record = parseRecord(raw);
    const time = parseFloat32(record?.['time']);
    const color = parseVec3(record?.['color']);
    return time === undefined || color === undefined ? undefined : { time, color };
  }),
  comparable: byTime,
  empty: [
    { time: 0, color: [1, 1, 1] },
    { time: 1, color: [1, 1, 1] },
  ],
  column: {
    id: 0x16,
    ...sequentialColumn<readonly ColorKeypoint[]>(
      reader =>
        readList(reader, 20, () => {
          const keypoint = { time: reader.f32(), color: readF32x3(reader) };
          reader.f32();
          return keypoint;
        }),
      (writer, keypoints) => {
        writer.u32(keypoints.length);
        for (const { time, color } of keypoints) writeF32List(writer, [time, ...color, 0]);
      },
    ),
  },
  xml: {
    read: {
      ColorSequence: e => ({
        type: 'ColorSequence',
        value: readFloatGroups(e, 5).map(([time = 0, r = 0, g = 0, b = 0]) => ({ time, color: [r, g, b] as const })),
      }),
    },
    write: xmlElement('ColorSequence', keypoints =>
      keypoints.map(({ time, color }) => writeFloats([time, ...color, 0])).join(''),
    ),
  },
  attribute: {
    id: 0x19,
    read: reader => ({
      type: 'ColorSequence',
      value: readList(reader, 20, () => {
        reader.f32();
        return { time: reader.f32(), color: readF32x3(reader) };
      }),
    }),
    write(writer, keypoints) {
      writer.u32(keypoints.length);
      for (const { time, color } of keypoints) writeF32List(writer, [0, time, ...color]);
    },
  },
  shape: {
    schema: keypointsSchema(objectSchema({ time: f32.schema, color: vec3.schema })),
    write(writer, keypoints) {
      writer.u32(keypoints.length);
      for (const { time, color } of keypoints) writeF32List(writer, [time, ...color]);
    },
    read: reader => readList(reader, 16, () => ({ time: reader.f32(), color: readF32x3(reader) })),
  },
  plugin: 'codec',
};
