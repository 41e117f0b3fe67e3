import type { DeclaredType } from '../instances/reflection.ts';
import { terrainColors } from '../values/value-names.ts';
import type { Variant, Vec3 } from '../values/variant.ts';
import { readAttributesBlob, writeAttributesBlob } from './attributes-blob.ts';
import { decodeUtf8 } from '../encoding/byte-reader.ts';

const utf8 = new TextEncoder();

/**
 * Converts a value to another type: files store many values in other types than Roblox declares (tags and attributes as bytes, integers of
 * another width, colors as bytes). Returns the value unchanged if there is no conversion, so that nothing is lost.
 */
export function convertVariant(variant: Variant, to: DeclaredType): Variant {
  if (typeof to === 'object') return variant.type === 'Int32' ? { type: 'Enum', value: variant.value >>> 0 } : variant;
  if (variant.type === to) return variant;
  switch (variant.type) {
    case 'BinaryString':
      return fromBytes(variant.value, to) ?? variant;
    case 'SharedString':
      return to === 'BinaryString' || to === 'NetAssetRef' ? { type: to, value: variant.value } : variant;
    case 'NetAssetRef':
      return to === 'BinaryString' || to === 'SharedString' ? { type: to, value: variant.value } : variant;
    case 'String':
      return fromText(variant.value, to) ?? variant;
    case 'ContentId':
      return fromText(variant.value, to) ?? variant;
    case 'Content':
      return fromContent(variant, to);
    case 'Int32':
    case 'Float32':
    case 'Float64':
    case 'Enum':
    case 'BrickColor':
      return fromNumber(variant.value, to) ?? variant;
    case 'Int64':
    case 'SecurityCapabilities':
      return fromWhole(variant, to);
    case 'Color3':
      return to === 'Color3uint8' ? { type: to, value: mapVec3(variant.value, toByte) } : variant;
    case 'CFrame':
      return to === 'OptionalCFrame' ? { type: to, value: variant.value } : variant;
    case 'Attributes':
    case 'Tags':
    case 'MaterialColors':
      return to === 'BinaryString' ? toBytes(variant) : variant;
    default:
      return variant;
  }
}

function fromBytes(bytes: Uint8Array, to: DeclaredType): Variant | undefined {
  if (to === 'Attributes') {
    const attributes = readAttributesBlob(bytes);
    return attributes.ok ? { type: 'Attributes', value: attributes.value } : undefined;
  }
  if (to === 'MaterialColors') return readMaterialColors(bytes);
  if (to === 'SharedString' || to === 'NetAssetRef') return { type: to, value: bytes };
  const text = decodeUtf8(bytes);
  return text === undefined ? undefined : fromText(text, to);
}

function fromText(text: string, to: DeclaredType): Variant | undefined {
  if (to === 'String' || to === 'ContentId') return { type: to, value: text };
  if (to === 'BinaryString') return { type: to, value: utf8.encode(text) };
  if (to === 'Tags') return { type: to, value: text === '' ? [] : text.split('\0') };
  if (to !== 'Content') return undefined;
  return { type: to, value: text === '' ? { kind: 'none' } : { kind: 'uri', uri: text } };
}

function fromContent(variant: Extract<Variant, { type: 'Content' }>, to: DeclaredType): Variant {
  const { value } = variant;
  if ((to !== 'ContentId' && to !== 'String') || value.kind === 'object') return variant;
  return { type: to, value: value.kind === 'uri' ? value.uri : '' };
}

function fromNumber(value: number, to: DeclaredType): Variant | undefined {
  const isWhole = Number.isInteger(value);
  if (to === 'Float32') return { type: to, value: Math.fround(value) };
  if (to === 'Float64') return { type: to, value };
  if (to === 'Int32' && isWhole && value === (value | 0)) return { type: to, value };
  if (to === 'Int64' && isWhole) return { type: to, value: BigInt(value) };
  if (to === 'SecurityCapabilities' && isWhole && value >= 0) return { type: to, value: BigInt(value) };
  if (to === 'BrickColor' && isWhole && value >= 0 && value <= 0xffff) return { type: to, value };
  return undefined;
}

function fromWhole(variant: Extract<Variant, { value: bigint }>, to: DeclaredType): Variant {
  if (to === 'Int64') return { type: to, value: BigInt.asIntN(64, variant.value) };
  if (to === 'SecurityCapabilities') return { type: to, value: BigInt.asUintN(64, variant.value) };
  const number = Number(variant.value);
  return Number.isSafeInteger(number) ? (fromNumber(number, to) ?? variant) : variant;
}

type AsBytes = Extract<Variant, { type: 'Attributes' | 'Tags' | 'MaterialColors' }>;

function toBytes(variant: AsBytes): Variant {
  if (variant.type === 'Tags') return { type: 'BinaryString', value: utf8.encode(variant.value.join('\0')) };
  if (variant.type === 'MaterialColors') return { type: 'BinaryString', value: writeMaterialColors(variant.value) };
  const bytes = writeAttributesBlob(variant.value);
  return bytes === undefined ? variant : { type: 'BinaryString', value: bytes };
}

const terrainHeader = 6;

/** Six zero bytes, then three bytes for each material. */
function readMaterialColors(bytes: Uint8Array): Variant | undefined {
  if (bytes.length !== terrainHeader + 3 * terrainColors.size) return undefined;
  const value = new Map<string, Vec3>();
  for (const [index, material] of Array.from(terrainColors.keys()).entries()) {
    const [r = 0, g = 0, b = 0] = bytes.subarray(terrainHeader + 3 * index);
    value.set(material, [r, g, b]);
  }
  return { type: 'MaterialColors', value };
}

function writeMaterialColors(colors: ReadonlyMap<string, Vec3>): Uint8Array {
  const rgb = Array.from(terrainColors, ([material, normal]) => colors.get(material) ?? normal);
  return new Uint8Array([...Array.from({ length: terrainHeader }, () => 0), ...rgb.flat()]);
}

const toByte = (component: number): number => Math.round(Math.min(1, Math.max(0, component)) * 255);
const mapVec3 = ([x, y, z]: Vec3, change: (component: number) => number): Vec3 => [change(x), change(y), change(z)];
