import { variantsIdentical } from './equality.ts';
import type { Reflection } from './reflection.ts';
import { resolveProperty } from './resolve.ts';
import type { Variant } from './variant.ts';
import { variantToWire } from './variant-wire.ts';

/**
 * The inverse of `resolveProperty`: the short form where it reads back as the same value, else the full form. Floats are the shortest
 * decimals that are still the same 32-bit float. Whole numbers beyond 2^53 are `bigint`. Infinities and NaN, which JSON has not, are the strings that `variantFromWire` reads.
 */
export function variantToFileForm(reflection: Reflection, className: string, name: string, variant: Variant): unknown {
  const short = shortForm(reflection, className, name, variant);
  if (short !== undefined) {
    const back = resolveProperty(reflection, className, name, short);
    if (back.ok && variantsIdentical(back.value.value, variant)) return short;
  }
  return { [variant.type]: fullPayload(variant) };
}

/** The same for one attribute: plain for booleans, numbers and strings, else the full form. */
export function attributeToFileForm(variant: Variant): unknown {
  if (variant.type === 'Bool' || variant.type === 'String') return variant.value;
  if (variant.type === 'Float64' && Number.isFinite(variant.value)) return variant.value;
  return { [variant.type]: fullPayload(variant) };
}

/** A candidate; the caller checks that it reads back. */
function shortForm(reflection: Reflection, className: string, name: string, variant: Variant): unknown {
  switch (variant.type) {
    case 'Enum': {
      const type = reflection.property(className, name)?.type;
      return typeof type === 'object' ? reflection.enumItemName(type.enum, variant.value) : undefined;
    }
    case 'Content':
      return variant.value.kind === 'none' ? '' : variant.value.kind === 'uri' ? variant.value.uri : undefined;
    case 'CFrame': {
      const { position, orientation } = variant.value;
      return [...position, ...orientation.flat()].map(shortenFloat);
    }
    case 'Attributes':
    case 'Bool':
    case 'Color3':
    case 'ContentId':
    case 'Float32':
    case 'Float64':
    case 'Font':
    case 'Int32':
    case 'Int64':
    case 'MaterialColors':
    case 'String':
    case 'Tags':
    case 'Vector2':
    case 'Vector3':
      return fullPayload(variant);
    default:
      return undefined;
  }
}

function fullPayload(variant: Variant): unknown {
  if (variant.type === 'Attributes')
    return Object.fromEntries(Array.from(variant.value, ([key, value]) => [key, { [value.type]: fullPayload(value) }]));
  // A file has room for every digit, and other programs read them as a number alone.
  if (variant.type === 'Int64' || variant.type === 'SecurityCapabilities')
    return Number.isSafeInteger(Number(variant.value)) ? Number(variant.value) : variant.value;
  const payload = (variantToWire(variant) as Record<string, unknown>)[variant.type];
  if (variant.type === 'Font' && variant.value.cachedFaceId === undefined) {
    const { family, weight, style } = variant.value;
    return { family, weight, style };
  }
  return shorten(payload, variant.type === 'Float64' ? value => value : shortenFloat32);
}

function shorten(payload: unknown, number: (value: number) => number): unknown {
  if (typeof payload === 'number') return Number.isFinite(payload) ? number(payload) : String(payload);
  if (Array.isArray(payload)) return payload.map(item => shorten(item, number));
  if (typeof payload !== 'object' || payload === null) return payload;
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, shorten(value, number)]));
}

const shortenFloat = (value: number): unknown => shorten(value, shortenFloat32);

/** The number with the fewest digits that rounds to the same 32-bit float; what is no 32-bit float stays. */
export function shortenFloat32(value: number): number {
  if (Number.isInteger(value) || Math.fround(value) !== value) return value;
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}
