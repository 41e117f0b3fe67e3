import { type ColumnCodec, makeValues } from '../encoding/columns.ts';
import { readF32x3, writeF32List } from '../encoding/floats.ts';
import { readFloat, readUint32, requireChild, writeFloat, writeTag } from '../encoding/xml-values.ts';
import { terrainColors } from './value-names.ts';
import type { Vec3 } from './variant.ts';
import { plainWire, type PropertyType, xmlElement } from './property-type.ts';
import { vec3Column } from './vectors.ts';
import { parseByte, parseMap, parseTriple, parseVec3 } from './wire-parsers.ts';
import { mapOf, rgb, vec3 } from './shapes.ts';

const parseRgb = parseTriple(parseByte);
const unpackColor = (packed: number): Vec3 => [(packed >>> 16) & 255, (packed >>> 8) & 255, packed & 255];
const packColor = ([r, g, b]: Vec3): number => 0xff000000 + r * 0x10000 + g * 0x100 + b;

export const color3: PropertyType<Vec3> = {
  wire: plainWire('[r, g, b], each from 0 to 1', parseVec3),
  short: {},
  empty: [0, 0, 0],
  column: { id: 0x0c, ...vec3Column },
  xml: {
    read: {
      Color3(e) {
        // Old files have one number instead of three.
        if (e.children.length === 0) return { type: 'Color3uint8', value: unpackColor(readUint32(e)) };
        const part = (name: string): number => readFloat(requireChild(e, name));
        return { type: 'Color3', value: [part('R'), part('G'), part('B')] };
      },
    },
    write: xmlElement(
      'Color3',
      ([r, g, b]) => writeTag('R', writeFloat(r)) + writeTag('G', writeFloat(g)) + writeTag('B', writeFloat(b)),
    ),
  },
  attribute: { id: 0x0f, read: r => ({ type: 'Color3', value: readF32x3(r) }), write: writeF32List },
  shape: vec3,
  plugin: 'codec',
};

const byteColumns: ColumnCodec<Vec3> = {
  read(reader, count) {
    const [r, g, b] = [reader.take(count), reader.take(count), reader.take(count)];
    return makeValues(count, row => [r[row] ?? 0, g[row] ?? 0, b[row] ?? 0]);
  },
  write(writer, values) {
    for (const at of [0, 1, 2] as const) for (const value of values) writer.u8(value[at]);
  },
};

export const color3uint8: PropertyType<Vec3> = {
  wire: plainWire('[r, g, b], each a whole number from 0 to 255', parseRgb),
  isExact: true,
  empty: [0, 0, 0],
  column: { id: 0x1a, ...byteColumns },
  xml: {
    read: { Color3uint8: e => ({ type: 'Color3uint8', value: unpackColor(readUint32(e)) }) },
    write: xmlElement('Color3uint8', value => String(packColor(value))),
  },
  shape: rgb,
  plugin: 'codec',
};

/** Files store the colors as a `BinaryString`: see `value-conversion.ts`. */
export const materialColors: PropertyType<ReadonlyMap<string, Vec3>> = {
  wire: {
    expected: 'an object of terrain material to [r, g, b], each a whole number from 0 to 255',
    encode: map => Object.fromEntries(map),
    decode: raw => parseMap(raw, (value, key) => (terrainColors.has(key) ? parseRgb(value) : undefined)),
  },
  short: { expected: 'an object of terrain material to [r, g, b], each from 0 to 255' },
  isExact: true,
  empty: new Map(),
  shape: mapOf(Array.from(terrainColors.keys()), rgb),
  plugin: 'codec',
};
