import { propertyTypes } from '../../values/property-types.ts';
import type { Reflection } from '../../instances/reflection.ts';
import type { Variant, VariantType } from '../../values/variant.ts';
import { writeFileProperties } from '../file-properties.ts';

/**
 * The value of an instance without a property that others of its class have: the default of the class, or else the empty value of the type.
 */
export function fillerFor(reflection: Reflection, className: string, fileName: string, type: VariantType): Variant {
  const known = reflection.defaultOf(className, fileName);
  const written =
    known && new Map(writeFileProperties(reflection, className, new Map([[fileName, known]]))).get(fileName);
  return written ?? ({ type, value: propertyTypes[type].empty } as Variant);
}
