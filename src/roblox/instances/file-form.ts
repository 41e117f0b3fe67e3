import { areVariantsIdentical } from './equality.ts';
import { shortenFloats } from '../values/file-numbers.ts';
import { propertyTypeOf } from '../values/property-types.ts';
import type { Reflection } from './reflection.ts';
import { resolveProperty } from './resolve.ts';
import type { Variant } from '../values/variant.ts';
import { variantToWire } from '../values/variant-wire.ts';

/**
 * The inverse of `resolveProperty`: the short form if it reads back as the same value, otherwise the full form. Floats are the shortest
 * decimals for the same 32-bit float. Whole numbers beyond 2^53 are `bigint`. Infinities and NaN, which JSON does not have, are the strings
 * that `variantFromWire` reads.
 */
export function variantToFileForm(reflection: Reflection, className: string, name: string, variant: Variant): unknown {
  const short = shortForm(reflection, className, name, variant);
  if (short !== undefined) {
    const back = resolveProperty(reflection, className, name, short);
    if (back.ok && areVariantsIdentical(back.value.value, variant)) return short;
  }
  return fullForm(variant);
}

/** The form of one attribute: plain for booleans, numbers and strings, otherwise the full form. */
export function attributeToFileForm(variant: Variant): unknown {
  if (variant.type === 'Bool' || variant.type === 'String') return variant.value;
  if (variant.type === 'Float64' && Number.isFinite(variant.value)) return variant.value;
  return fullForm(variant);
}

/** Returns a candidate; the caller checks that it reads back. */
function shortForm(reflection: Reflection, className: string, name: string, variant: Variant): unknown {
  if (variant.type === 'Enum') {
    const type = reflection.property(className, name)?.type;
    return typeof type === 'object' ? reflection.enumItemName(type.enum, variant.value) : undefined;
  }
  const { short } = propertyTypeOf(variant.type);
  if (short === undefined) return undefined;
  return short.write === undefined ? fullPayload(variant) : short.write(variant.value);
}

function fullPayload(variant: Variant): unknown {
  const { file, wire } = propertyTypeOf(variant.type);
  return file === undefined ? shortenFloats(wire.encode(variant.value, variantToWire)) : file(variant.value, fullForm);
}

const fullForm = (variant: Variant): unknown => ({ [variant.type]: fullPayload(variant) });
