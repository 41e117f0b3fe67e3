import { sequentialColumn } from '../encoding/columns.ts';
import { readF32x2, readF32x3, writeF32List } from '../encoding/floats.ts';
import { childOf, type XmlElement } from '../encoding/xml-element.ts';
import { readBool, readFloat, requireChild, writeFloat, writeTag } from '../encoding/xml-values.ts';
import type { Physical } from './variant.ts';
import { type PropertyType, xmlElement } from './property-type.ts';
import { parseFloat32, parseRecord } from './wire-parsers.ts';
import { f32, objectSchema } from './shapes.ts';

/** The engine's absorption for files and Studios from before 2025, which do not have it. */
const DEFAULT_ABSORPTION = 1;

function decode(raw: unknown): Physical | 'Default' | undefined {
  if (raw === 'Default') return raw;
  const record = parseRecord(raw);
  const density = parseFloat32(record?.['density']);
  const friction = parseFloat32(record?.['friction']);
  const elasticity = parseFloat32(record?.['elasticity']);
  const frictionWeight = parseFloat32(record?.['frictionWeight']);
  const elasticityWeight = parseFloat32(record?.['elasticityWeight']);
  const acousticAbsorption = parseFloat32(record?.['acousticAbsorption'] ?? DEFAULT_ABSORPTION);
  if (density === undefined || friction === undefined || elasticity === undefined) return undefined;
  if (frictionWeight === undefined || elasticityWeight === undefined || acousticAbsorption === undefined)
    return undefined;
  return { density, friction, elasticity, frictionWeight, elasticityWeight, acousticAbsorption };
}

function readXml(e: XmlElement): Physical | 'Default' {
  if (!readBool(requireChild(e, 'CustomPhysics'))) return 'Default';
  const absorption = childOf(e, 'AcousticAbsorption');
  return {
    density: readFloat(requireChild(e, 'Density')),
    friction: readFloat(requireChild(e, 'Friction')),
    elasticity: readFloat(requireChild(e, 'Elasticity')),
    frictionWeight: readFloat(requireChild(e, 'FrictionWeight')),
    elasticityWeight: readFloat(requireChild(e, 'ElasticityWeight')),
    acousticAbsorption: absorption === undefined ? DEFAULT_ABSORPTION : readFloat(absorption),
  };
}

const writeXml = (value: Physical | 'Default'): string =>
  value === 'Default'
    ? writeTag('CustomPhysics', 'false')
    : writeTag('CustomPhysics', 'true') +
      writeTag('Density', writeFloat(value.density)) +
      writeTag('Friction', writeFloat(value.friction)) +
      writeTag('Elasticity', writeFloat(value.elasticity)) +
      writeTag('FrictionWeight', writeFloat(value.frictionWeight)) +
      writeTag('ElasticityWeight', writeFloat(value.elasticityWeight)) +
      writeTag('AcousticAbsorption', writeFloat(value.acousticAbsorption ?? DEFAULT_ABSORPTION));

const requiredParts = {
  density: f32.schema,
  friction: f32.schema,
  elasticity: f32.schema,
  frictionWeight: f32.schema,
  elasticityWeight: f32.schema,
};

const IS_CUSTOM = 1;
const HAS_ABSORPTION = 2;

export const physicalProperties: PropertyType<Physical | 'Default'> = {
  wire: {
    expected:
      '"Default" or {"density", "friction", "elasticity", "frictionWeight", "elasticityWeight", "acousticAbsorption"}',
    encode: value =>
      value === 'Default' ? value : { ...value, acousticAbsorption: value.acousticAbsorption ?? DEFAULT_ABSORPTION },
    decode,
  },
  comparable: value => (value === 'Default' ? value : { acousticAbsorption: DEFAULT_ABSORPTION, ...value }),
  empty: 'Default',
  column: {
    id: 0x19,
    ...sequentialColumn<Physical | 'Default'>(
      reader => {
        const flags = reader.u8();
        if ((flags & IS_CUSTOM) === 0) return 'Default';
        const [density, friction, elasticity] = readF32x3(reader);
        const [frictionWeight, elasticityWeight] = readF32x2(reader);
        const acousticAbsorption = (flags & HAS_ABSORPTION) === 0 ? DEFAULT_ABSORPTION : reader.f32();
        return { density, friction, elasticity, frictionWeight, elasticityWeight, acousticAbsorption };
      },
      (writer, value) => {
        if (value === 'Default') return writer.u8(HAS_ABSORPTION);
        writer.u8(IS_CUSTOM | HAS_ABSORPTION);
        const { density, friction, elasticity, frictionWeight, elasticityWeight } = value;
        const absorption = value.acousticAbsorption ?? DEFAULT_ABSORPTION;
        writeF32List(writer, [density, friction, elasticity, frictionWeight, elasticityWeight, absorption]);
      },
    ),
  },
  xml: {
    read: { PhysicalProperties: e => ({ type: 'PhysicalProperties', value: readXml(e) }) },
    write: xmlElement('PhysicalProperties', writeXml),
  },
  shape: {
    schema: {
      anyOf: [
        { enum: ['Default'] },
        objectSchema({ ...requiredParts, acousticAbsorption: f32.schema }, Object.keys(requiredParts)),
      ],
    },
    write(writer, value) {
      if (value === 'Default') return writer.u8(0);
      const acoustic = value.acousticAbsorption === undefined ? [] : [value.acousticAbsorption];
      writer.u8(1 + acoustic.length);
      const { density, friction, elasticity, frictionWeight, elasticityWeight } = value;
      writeF32List(writer, [density, friction, elasticity, frictionWeight, elasticityWeight, ...acoustic]);
    },
    read(reader) {
      const kind = reader.u8();
      if (kind === 0) return 'Default';
      const [density, friction, elasticity] = readF32x3(reader);
      const [frictionWeight, elasticityWeight] = readF32x2(reader);
      const common = { density, friction, elasticity, frictionWeight, elasticityWeight };
      return kind === 1 ? common : { ...common, acousticAbsorption: reader.f32() };
    },
  },
  plugin: 'codec',
};
