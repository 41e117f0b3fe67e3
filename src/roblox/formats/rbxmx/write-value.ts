import { encodeBase64 } from '../../../base/base64.ts';
import { shortenFloat32 } from '../../instances/file-form.ts';
import { NULL_REF } from '../../instances/ref.ts';
import { axisNames, faceNames, fontWeightNames } from '../../instances/value-names.ts';
import type { CFrame, Font, Physical, VariantPayloads, VariantType, Vec2, Vec3 } from '../../instances/variant.ts';
import { escapeXml, isXmlText } from './xml-element.ts';

/** The element of a value and what stands inside it. */
export interface WrittenValue {
  readonly element: string;
  readonly inside: string;
}

/** @param sharedKey remembers shared bytes for the end of the file and answers their key; `undefined`: XML has no form for the type */
export function writeValue<T extends VariantType>(
  type: T,
  value: VariantPayloads[T],
  sharedKey: (bytes: Uint8Array) => string,
): WrittenValue | undefined {
  return writers[type]?.(value, sharedKey);
}

type Writer<T extends VariantType> = (
  value: VariantPayloads[T],
  sharedKey: (bytes: Uint8Array) => string,
) => WrittenValue;

const inside =
  <V>(element: string, format: (value: V) => string) =>
  (value: V): WrittenValue => ({ element, inside: format(value) });

const tag = (name: string, content: string | number | bigint): string => `<${name}>${content}</${name}>`;

const special = (value: number): string => (Number.isNaN(value) ? 'NAN' : value > 0 ? 'INF' : '-INF');
const double = (value: number): string =>
  Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : String(value)) : special(value);
const float = (value: number): string => double(shortenFloat32(value));

const vec2 = ([x, y]: Vec2): string => tag('X', float(x)) + tag('Y', float(y));
const vec3 = ([x, y, z]: Vec3): string => tag('X', float(x)) + tag('Y', float(y)) + tag('Z', float(z));
const cframe = ({ position, orientation }: CFrame): string =>
  vec3(position) + orientation.flatMap((row, r) => row.map((value, c) => tag(`R${r}${c}`, float(value)))).join('');

const bits = <T>(names: readonly T[], value: readonly T[]): number =>
  names.reduce((sum, name, index) => sum + (value.includes(name) ? 1 << index : 0), 0);

const packedColor = ([r, g, b]: Vec3): number => 0xff000000 + r * 0x10000 + g * 0x100 + b;
const numbers = (values: readonly number[]): string => values.map(value => `${float(value)} `).join('');

/** Text that XML has no characters for travels as bytes; the reader goes by the declared type. */
function text(value: string): WrittenValue {
  if (isXmlText(value)) return { element: 'string', inside: escapeXml(value) };
  return { element: 'BinaryString', inside: encodeBase64(new TextEncoder().encode(value)) };
}

const uri = (value: string): string => tag('url', escapeXml(value));

const font = (value: Font): string =>
  tag('Family', uri(value.family)) +
  tag('Weight', (fontWeightNames.indexOf(value.weight) + 1) * 100) +
  tag('Style', value.style) +
  (value.cachedFaceId === undefined ? '' : tag('CachedFaceId', uri(value.cachedFaceId)));

const physical = (value: Physical | 'Default'): string =>
  value === 'Default'
    ? tag('CustomPhysics', 'false')
    : tag('CustomPhysics', 'true') +
      tag('Density', float(value.density)) +
      tag('Friction', float(value.friction)) +
      tag('Elasticity', float(value.elasticity)) +
      tag('FrictionWeight', float(value.frictionWeight)) +
      tag('ElasticityWeight', float(value.elasticityWeight)) +
      tag('AcousticAbsorption', float(value.acousticAbsorption ?? 1));

const referent = (value: string): string => (value === NULL_REF ? 'null' : escapeXml(value));

function content(value: VariantPayloads['Content']): string {
  if (value.kind === 'none') return tag('null', '');
  return value.kind === 'uri' ? tag('uri', escapeXml(value.uri)) : tag('Ref', referent(value.ref));
}

const writers: { readonly [T in VariantType]?: Writer<T> } = {
  Axes: inside('Axes', value => tag('axes', bits(axisNames, value))),
  BinaryString: inside('BinaryString', encodeBase64),
  Bool: inside('bool', String),
  BrickColor: inside('int', String),
  CFrame: inside('CoordinateFrame', cframe),
  Color3: inside('Color3', ([r, g, b]: Vec3) => tag('R', float(r)) + tag('G', float(g)) + tag('B', float(b))),
  Color3uint8: inside('Color3uint8', value => String(packedColor(value))),
  ColorSequence: inside('ColorSequence', value =>
    value.map(({ time, color }) => numbers([time, ...color, 0])).join(''),
  ),
  Content: inside('Content', content),
  ContentId: inside('Content', uri),
  Enum: inside('token', String),
  Faces: inside('Faces', value => tag('faces', bits(faceNames, value))),
  Float32: inside('float', float),
  Float64: inside('double', double),
  Font: inside('Font', font),
  Int32: inside('int', String),
  Int64: inside('int64', String),
  NetAssetRef: (value, sharedKey) => ({ element: 'NetAssetRef', inside: sharedKey(value) }),
  NumberRange: inside('NumberRange', numbers),
  NumberSequence: inside('NumberSequence', value =>
    value.map(keypoint => numbers([keypoint.time, keypoint.value, keypoint.envelope])).join(''),
  ),
  OptionalCFrame: inside('OptionalCoordinateFrame', value => (value === null ? '' : tag('CFrame', cframe(value)))),
  PhysicalProperties: inside('PhysicalProperties', physical),
  Ray: inside('Ray', value => tag('origin', vec3(value.origin)) + tag('direction', vec3(value.direction))),
  Rect: inside('Rect2D', ([min, max]) => tag('min', vec2(min)) + tag('max', vec2(max))),
  Ref: inside('Ref', referent),
  SecurityCapabilities: inside('SecurityCapabilities', String),
  SharedString: (value, sharedKey) => ({ element: 'SharedString', inside: sharedKey(value) }),
  String: text,
  UDim: inside('UDim', ([scale, offset]) => tag('S', float(scale)) + tag('O', offset)),
  UDim2: inside(
    'UDim2',
    ([x, y]) => tag('XS', float(x[0])) + tag('XO', x[1]) + tag('YS', float(y[0])) + tag('YO', y[1]),
  ),
  UniqueId: inside('UniqueId', String),
  Vector2: inside('Vector2', vec2),
  Vector2int16: inside('Vector2int16', vec2),
  Vector3: inside('Vector3', vec3),
  Vector3int16: inside('Vector3int16', vec3),
};
