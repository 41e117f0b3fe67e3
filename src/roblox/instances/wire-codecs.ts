import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import { parseRef } from './ref.ts';
import { axisNames, faceNames, fontWeightNames, terrainColors } from './value-names.ts';
import type { CFrame, ColorKeypoint, Font, NumberKeypoint, Physical, VariantPayloads } from './variant.ts';
import type { VariantType } from './variant.ts';
import {
  type Parse,
  parseFloat32,
  parseFloat64,
  parseList,
  parseMap,
  parseMat3,
  parseNames,
  parsePair,
  parseRecord,
  parseText,
  parseTriple,
  parseVec2,
  parseVec3,
  parseWhole,
  parseWhole64,
} from './wire-parsers.ts';

/** `expected` finishes the sentence "expected …". `decode` answers `undefined` for what does not fit. */
export interface WireCodec<T> {
  readonly expected: string;
  encode(value: T): unknown;
  decode: Parse<T>;
}

const plain = <T>(expected: string, decode: Parse<T>): WireCodec<T> => ({ expected, encode: value => value, decode });

const parseInt16 = parseWhole(-0x8000, 0x7fff);
const parseInt32 = parseWhole(-0x80000000, 0x7fffffff);
const parseByte = parseWhole(0, 255);
const parseUint32 = parseWhole(0, 0xffffffff);
const parseRgb = parseTriple(parseByte);

const base64: WireCodec<Uint8Array> = {
  expected: 'a base64 string',
  encode: encodeBase64,
  decode: raw => (raw instanceof Uint8Array ? raw : typeof raw === 'string' ? decodeBase64(raw) : undefined),
};

const whole64 = (expected: string, min: bigint, max: bigint): WireCodec<bigint> => ({
  expected,
  // Neither a double nor a Lua number holds more than 53 bits: beyond, the digits travel as a string rather than wrong.
  encode: value => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value)),
  decode: parseWhole64(min, max),
});

const decodeCFrame: Parse<CFrame> = raw => {
  const record = parseRecord(raw);
  const position = parseVec3(record?.['position']);
  const orientation = parseMat3(record?.['orientation']);
  return position && orientation && { position, orientation };
};
const cframeExpected = '{"position": [x, y, z], "orientation": [[r00, r01, r02], [r10, r11, r12], [r20, r21, r22]]}';

const decodeNumberKeypoint: Parse<NumberKeypoint> = raw => {
  const record = parseRecord(raw);
  const time = parseFloat32(record?.['time']);
  const value = parseFloat32(record?.['value']);
  const envelope = parseFloat32(record?.['envelope']);
  return time === undefined || value === undefined || envelope === undefined ? undefined : { time, value, envelope };
};
const decodeColorKeypoint: Parse<ColorKeypoint> = raw => {
  const record = parseRecord(raw);
  const time = parseFloat32(record?.['time']);
  const color = parseVec3(record?.['color']);
  return time === undefined || color === undefined ? undefined : { time, color };
};
const sequence = <T>(expected: string, decode: Parse<T>): WireCodec<readonly T[]> => ({
  expected: `{"keypoints": [${expected}, …]}`,
  encode: keypoints => ({ keypoints }),
  decode: raw => parseList(parseRecord(raw)?.['keypoints'], decode),
});

const decodeContent: Parse<VariantPayloads['Content']> = raw => {
  if (raw === 'None') return { kind: 'none' };
  const record = parseRecord(raw);
  if (record === undefined || Object.keys(record).length !== 1) return undefined;
  const uri = parseText(record['Uri']);
  if (uri !== undefined) return { kind: 'uri', uri };
  const ref = parseRef(parseText(record['Object']) ?? '');
  return ref && { kind: 'object', ref };
};

const decodeFont: Parse<Font> = raw => {
  const record = parseRecord(raw);
  const family = parseText(record?.['family']);
  const weight = parseText(record?.['weight']);
  const style = record?.['style'];
  const cachedFaceId = record?.['cachedFaceId'] ?? undefined;
  if (family === undefined || weight === undefined || !fontWeightNames.includes(weight)) return undefined;
  if (style !== 'Normal' && style !== 'Italic') return undefined;
  if (cachedFaceId === undefined) return { family, weight, style };
  return typeof cachedFaceId === 'string' ? { family, weight, style, cachedFaceId } : undefined;
};

const decodePhysical: Parse<Physical | 'Default'> = raw => {
  if (raw === 'Default') return raw;
  const record = parseRecord(raw);
  const density = parseFloat32(record?.['density']);
  const friction = parseFloat32(record?.['friction']);
  const elasticity = parseFloat32(record?.['elasticity']);
  const frictionWeight = parseFloat32(record?.['frictionWeight']);
  const elasticityWeight = parseFloat32(record?.['elasticityWeight']);
  // Studios before 2025 have no acoustics; 1 is what the engine takes then.
  const acousticAbsorption = parseFloat32(record?.['acousticAbsorption'] ?? 1);
  if (density === undefined || friction === undefined || elasticity === undefined) return undefined;
  if (frictionWeight === undefined || elasticityWeight === undefined || acousticAbsorption === undefined)
    return undefined;
  return { density, friction, elasticity, frictionWeight, elasticityWeight, acousticAbsorption };
};

const decodeUDim: Parse<VariantPayloads['UDim']> = raw => {
  if (!Array.isArray(raw) || raw.length !== 2) return undefined;
  const scale = parseFloat32(raw[0]);
  const offset = parseInt32(raw[1]);
  return scale === undefined || offset === undefined ? undefined : [scale, offset];
};

/** One codec for each property type but Attributes, which is made of the others: `reference/project-format.md`, section 3.4. */
export const valueCodecs: { readonly [T in Exclude<VariantType, 'Attributes'>]: WireCodec<VariantPayloads[T]> } = {
  Axes: plain('an array of "X", "Y", "Z"', parseNames(axisNames)),
  BinaryString: base64,
  Bool: plain('true or false', raw => (typeof raw === 'boolean' ? raw : undefined)),
  BrickColor: plain('the number of a BrickColor', parseWhole(0, 0xffff)),
  CFrame: plain(cframeExpected, decodeCFrame),
  Color3: plain('[r, g, b], each from 0 to 1', parseVec3),
  Color3uint8: plain('[r, g, b], each a whole number from 0 to 255', parseRgb),
  ColorSequence: sequence('{"time": t, "color": [r, g, b]}', decodeColorKeypoint),
  Content: {
    expected: '"None", {"Uri": "…"} or {"Object": "32 hex digits"}',
    encode: value =>
      value.kind === 'none' ? 'None' : value.kind === 'uri' ? { Uri: value.uri } : { Object: value.ref },
    decode: decodeContent,
  },
  ContentId: plain('a string', parseText),
  Enum: plain('the number of an enum item', parseUint32),
  EnumItem: plain('{"type": "name of the enum", "value": number}', raw => {
    const record = parseRecord(raw);
    const type = parseText(record?.['type']);
    const value = parseUint32(record?.['value']);
    return type === undefined || value === undefined ? undefined : { type, value };
  }),
  Faces: plain(`an array of ${faceNames.map(name => `"${name}"`).join(', ')}`, parseNames(faceNames)),
  Float32: plain('a number', parseFloat32),
  Float64: plain('a number', parseFloat64),
  Font: {
    expected: '{"family": "…", "weight": "Regular", "style": "Normal"} with the name of a weight and of a style',
    encode: font => ({ ...font, cachedFaceId: font.cachedFaceId ?? null }),
    decode: decodeFont,
  },
  Int32: plain('a whole number of 32 bits', parseInt32),
  Int64: whole64('a whole number of 64 bits', -(2n ** 63n), 2n ** 63n - 1n),
  MaterialColors: {
    expected: 'an object of terrain material to [r, g, b], each a whole number from 0 to 255',
    encode: map => Object.fromEntries(map),
    decode: raw => parseMap(raw, (value, key) => (terrainColors.has(key) ? parseRgb(value) : undefined)),
  },
  NetAssetRef: base64,
  NumberRange: plain('[min, max]', parseVec2),
  NumberSequence: sequence('{"time": t, "value": v, "envelope": e}', decodeNumberKeypoint),
  OptionalCFrame: plain(`null or ${cframeExpected}`, raw => (raw === null ? null : decodeCFrame(raw))),
  PhysicalProperties: {
    expected:
      '"Default" or {"density", "friction", "elasticity", "frictionWeight", "elasticityWeight", "acousticAbsorption"}',
    encode: value => (value === 'Default' ? value : { ...value, acousticAbsorption: value.acousticAbsorption ?? 1 }),
    decode: decodePhysical,
  },
  Ray: plain('{"origin": [x, y, z], "direction": [x, y, z]}', raw => {
    const record = parseRecord(raw);
    const origin = parseVec3(record?.['origin']);
    const direction = parseVec3(record?.['direction']);
    return origin && direction && { origin, direction };
  }),
  Rect: plain('[[minX, minY], [maxX, maxY]]', parsePair(parseVec2)),
  Ref: plain('32 hex digits', raw => parseRef(parseText(raw) ?? '')),
  Region3: plain('[[x, y, z], [x, y, z]]', parsePair(parseVec3)),
  Region3int16: plain('[[x, y, z], [x, y, z]], whole numbers of 16 bits', parsePair(parseTriple(parseInt16))),
  SecurityCapabilities: whole64('a whole number of 64 bits without sign', 0n, 2n ** 64n - 1n),
  SharedString: base64,
  String: plain('a string', parseText),
  Tags: plain('an array of strings', raw => parseList(raw, parseText)),
  UDim: plain('[scale, offset] with a whole offset', decodeUDim),
  UDim2: plain('[[scale, offset], [scale, offset]] with whole offsets', parsePair(decodeUDim)),
  UniqueId: plain('32 hex digits', raw => parseRef(parseText(raw) ?? '')),
  Vector2: plain('[x, y]', parseVec2),
  Vector2int16: plain('[x, y], whole numbers of 16 bits', parsePair(parseInt16)),
  Vector3: plain('[x, y, z]', parseVec3),
  Vector3int16: plain('[x, y, z], whole numbers of 16 bits', parseTriple(parseInt16)),
};
