import type { Variant } from './variant.ts';
import type { PropertyType } from './property-type.ts';
import { parseMap } from './wire-parsers.ts';
import { mapOf, type Shape } from './shapes.ts';

const nestedValue: Shape<Variant> = {
  schema: {},
  write: (writer, value, references, nested) => nested.write(writer, value, references),
  read: (reader, references, nested) => nested.read(reader, references),
};

/** Files store attributes as a `BinaryString`: see `value-conversion.ts`. */
export const attributes: PropertyType<ReadonlyMap<string, Variant>> = {
  wire: {
    expected: 'an object of attribute name to {"Type": value}',
    encode: (map, nested) => Object.fromEntries(Array.from(map, ([name, value]) => [name, nested(value)])),
    decode: (raw, nested) =>
      parseMap(raw, attribute => {
        // Always the full form, and a set of attributes does not contain another one.
        const value = typeof attribute === 'object' ? nested(attribute) : undefined;
        return value?.type === 'Attributes' ? undefined : value;
      }),
  },
  file: (map, nested) => Object.fromEntries(Array.from(map, ([name, value]) => [name, nested(value)])),
  // An empty array is a list of strings in a project file, so only objects are attributes.
  short: { read: (json, decode) => (Array.isArray(json) ? undefined : decode(json)) },
  equal(a, b, equal) {
    if (a.size !== b.size) return false;
    for (const [name, value] of a) {
      const other = b.get(name);
      if (other === undefined || !equal(value, other)) return false;
    }
    return true;
  },
  empty: new Map(),
  shape: {
    ...mapOf([], nestedValue),
    schema: { $ref: '#/definitions/fullAttributes' },
  },
  plugin: 'codec',
};
