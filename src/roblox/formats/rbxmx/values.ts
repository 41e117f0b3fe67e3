import { propertyTypeOf, propertyTypes } from '../../values/property-types.ts';
import type { WrittenValue } from '../../values/property-type.ts';
import type { Variant, VariantPayloads, VariantType } from '../../values/variant.ts';
import type { XmlElement } from '../../encoding/xml-element.ts';

/** Types whose bytes are at the end of the file, so that an element contains only their key. */
export type SharedType = {
  [T in VariantType]: VariantPayloads[T] extends Uint8Array ? T : never;
}[VariantType];

const readers = new Map<string, (element: XmlElement) => Variant>();
const sharedTypes = new Map<string, SharedType>();
for (const type of Object.keys(propertyTypes) as VariantType[]) {
  const { xml } = propertyTypes[type];
  if (xml === undefined) continue;
  if ('sharedElement' in xml) sharedTypes.set(xml.sharedElement, type as SharedType);
  else for (const [name, read] of Object.entries(xml.read)) readers.set(name, read);
}

/**
 * Reads the value of a property by the name of its element; `undefined` for an unknown element.
 * @throws XmlValueError for a known element whose content does not have the form of its type
 */
export const readValue = (element: XmlElement): Variant | undefined => readers.get(element.name)?.(element);

export const sharedTypeOf = (element: XmlElement): SharedType | undefined => sharedTypes.get(element.name);

/**
 * Writes a value as an element; `undefined` for a type that XML does not support.
 *
 * @param sharedKey stores bytes for the end of the file and returns their key
 */
export function writeValue(variant: Variant, sharedKey: (bytes: Uint8Array) => string): WrittenValue | undefined {
  const { xml } = propertyTypeOf(variant.type);
  if (xml === undefined) return undefined;
  if (!('sharedElement' in xml)) return xml.write(variant.value);
  return variant.value instanceof Uint8Array
    ? { element: xml.sharedElement, inside: sharedKey(variant.value) }
    : undefined;
}
