import { propertyTypes } from '../../values/property-types.ts';
import type { Reflection } from '../../instances/reflection.ts';
import type { Variant, VariantType } from '../../values/variant.ts';
import { writeFileProperties } from '../file-properties.ts';

/** What an instance gets that lacks a property which others of its class have: the default of the class, else nothing of that type. */
export function fillerFor(reflection: Reflection, className: string, fileName: string, type: VariantType): Variant {
  const known = reflection.defaultOf(className, fileName);
  const written =
    known && new Map(writeFileProperties(reflection, className, new Map([[fileName, known]]))).get(fileName);
  return written ?? ({ type, value: propertyTypes[type].empty } as Variant);
}
