import type { ByteReader } from '../encoding/byte-reader.ts';
import { floatColumns, sequentialColumn } from '../encoding/columns.ts';
import { readF32x2, readF32x3, writeF32List } from '../encoding/floats.ts';
import {
  readFloatGroups,
  readInt16,
  readVec2,
  readVec3,
  requireChild,
  writeFloats,
  writeTag,
  writeVec2,
  writeVec3,
  XmlValueError,
} from '../encoding/xml-values.ts';
import type { Vec2, Vec3 } from './variant.ts';
import { plainWire, type PropertyType, xmlElement } from './property-type.ts';
import { parseInt16, parsePair, parseRecord, parseTriple, parseVec2, parseVec3 } from './wire-parsers.ts';
import { i16, objectSchema, pairOf, tripleOf, vec2, vec3 } from './shapes.ts';

const pair = ([a = 0, b = 0]: readonly number[]): Vec2 => [a, b];
const triple = ([a = 0, b = 0, c = 0]: readonly number[]): Vec3 => [a, b, c];

const shortTriple = tripleOf(i16);

/** A column of three floats each, which several types have. */
export const vec3Column = floatColumns<Vec3>(3, triple, value => value);

export const vector2: PropertyType<Vec2> = {
  wire: plainWire('[x, y]', parseVec2),
  short: {},
  empty: [0, 0],
  column: { id: 0x0d, ...floatColumns<Vec2>(2, pair, value => value) },
  xml: { read: { Vector2: e => ({ type: 'Vector2', value: readVec2(e) }) }, write: xmlElement('Vector2', writeVec2) },
  attribute: { id: 0x10, read: r => ({ type: 'Vector2', value: readF32x2(r) }), write: writeF32List },
  shape: vec2,
  plugin: 'codec',
};

export const vector3: PropertyType<Vec3> = {
  wire: plainWire('[x, y, z]', parseVec3),
  short: {},
  empty: [0, 0, 0],
  column: { id: 0x0e, ...vec3Column },
  xml: { read: { Vector3: e => ({ type: 'Vector3', value: readVec3(e) }) }, write: xmlElement('Vector3', writeVec3) },
  attribute: { id: 0x11, read: r => ({ type: 'Vector3', value: readF32x3(r) }), write: writeF32List },
  shape: vec3,
  plugin: 'codec',
};

export const vector2int16: PropertyType<Vec2> = {
  wire: plainWire('[x, y], whole numbers of 16 bits', parsePair(parseInt16)),
  isExact: true,
  empty: [0, 0],
  xml: {
    read: {
      Vector2int16: e => ({
        type: 'Vector2int16',
        value: [readInt16(requireChild(e, 'X')), readInt16(requireChild(e, 'Y'))],
      }),
    },
    write: xmlElement('Vector2int16', writeVec2),
  },
  shape: pairOf(i16, i16),
  plugin: 'codec',
};

const readI16x3 = (reader: ByteReader): Vec3 => [reader.i16(), reader.i16(), reader.i16()];

export const vector3int16: PropertyType<Vec3> = {
  wire: plainWire('[x, y, z], whole numbers of 16 bits', parseTriple(parseInt16)),
  isExact: true,
  empty: [0, 0, 0],
  column: {
    id: 0x14,
    ...sequentialColumn<Vec3>(readI16x3, (writer, value) => value.forEach(part => writer.u16(part & 0xffff))),
  },
  xml: {
    read: {
      Vector3int16: e => ({
        type: 'Vector3int16',
        value: [readInt16(requireChild(e, 'X')), readInt16(requireChild(e, 'Y')), readInt16(requireChild(e, 'Z'))],
      }),
    },
    write: xmlElement('Vector3int16', writeVec3),
  },
  shape: shortTriple,
  plugin: 'codec',
};

export const rect: PropertyType<readonly [min: Vec2, max: Vec2]> = {
  wire: plainWire('[[minX, minY], [maxX, maxY]]', parsePair(parseVec2)),
  empty: [
    [0, 0],
    [0, 0],
  ],
  column: {
    id: 0x18,
    ...floatColumns<readonly [min: Vec2, max: Vec2]>(
      4,
      ([minX = 0, minY = 0, maxX = 0, maxY = 0]) => [
        [minX, minY],
        [maxX, maxY],
      ],
      value => value.flat(),
    ),
  },
  xml: {
    read: {
      Rect2D: e => ({ type: 'Rect', value: [readVec2(requireChild(e, 'min')), readVec2(requireChild(e, 'max'))] }),
    },
    write: xmlElement('Rect2D', ([min, max]) => writeTag('min', writeVec2(min)) + writeTag('max', writeVec2(max))),
  },
  attribute: {
    id: 0x1c,
    read: r => ({ type: 'Rect', value: [readF32x2(r), readF32x2(r)] }),
    write: (writer, value) => writeF32List(writer, value.flat()),
  },
  shape: pairOf(vec2, vec2),
  plugin: 'codec',
};

/** No file format contains a region, and scripts have no property of this type. */
export const region3: PropertyType<readonly [min: Vec3, max: Vec3]> = {
  wire: plainWire('[[x, y, z], [x, y, z]]', parsePair(parseVec3)),
  empty: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  shape: pairOf(vec3, vec3),
  plugin: 'none',
};

export const region3int16: PropertyType<readonly [min: Vec3, max: Vec3]> = {
  wire: plainWire('[[x, y, z], [x, y, z]], whole numbers of 16 bits', parsePair(parseTriple(parseInt16))),
  isExact: true,
  empty: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  shape: pairOf(shortTriple, shortTriple),
  plugin: 'codec',
};

export const ray: PropertyType<{ readonly origin: Vec3; readonly direction: Vec3 }> = {
  wire: plainWire('{"origin": [x, y, z], "direction": [x, y, z]}', raw => {
    const record = parseRecord(raw);
    const origin = parseVec3(record?.['origin']);
    const direction = parseVec3(record?.['direction']);
    return origin && direction && { origin, direction };
  }),
  empty: { origin: [0, 0, 0], direction: [0, 0, 0] },
  column: {
    id: 0x08,
    ...sequentialColumn<{ readonly origin: Vec3; readonly direction: Vec3 }>(
      reader => ({ origin: readF32x3(reader), direction: readF32x3(reader) }),
      (writer, { origin, direction }) => writeF32List(writer, [...origin, ...direction]),
    ),
  },
  xml: {
    read: {
      Ray: e => ({
        type: 'Ray',
        value: { origin: readVec3(requireChild(e, 'origin')), direction: readVec3(requireChild(e, 'direction')) },
      }),
    },
    write: xmlElement(
      'Ray',
      ({ origin, direction }) => writeTag('origin', writeVec3(origin)) + writeTag('direction', writeVec3(direction)),
    ),
  },
  shape: {
    schema: objectSchema({ origin: vec3.schema, direction: vec3.schema }),
    write: (writer, { origin, direction }) => writeF32List(writer, [...origin, ...direction]),
    read: reader => ({ origin: readF32x3(reader), direction: readF32x3(reader) }),
  },
  plugin: 'codec',
};

export const numberRange: PropertyType<readonly [min: number, max: number]> = {
  wire: plainWire('[min, max]', parseVec2),
  empty: [0, 0],
  column: { id: 0x17, ...sequentialColumn<Vec2>(readF32x2, writeF32List) },
  xml: {
    read: {
      NumberRange(e) {
        const [[min = 0, max = 0] = [], ...rest] = readFloatGroups(e, 2);
        if (rest.length > 0) throw new XmlValueError('two numbers', e);
        return { type: 'NumberRange', value: [min, max] };
      },
    },
    write: xmlElement('NumberRange', writeFloats),
  },
  attribute: { id: 0x1b, read: r => ({ type: 'NumberRange', value: readF32x2(r) }), write: writeF32List },
  shape: vec2,
  plugin: 'codec',
};
