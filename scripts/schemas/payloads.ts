import { propertyTypes } from '../../src/roblox/values/property-types.ts';
import type { Schema } from './json-schema.ts';

/** Schemas of the full form of a value (`{"<type>": …}`), by type. */
export const payloads: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(propertyTypes).map(([type, { shape }]) => [type, shape.schema]),
);

/**
 * Types whose values have a short form, which Roblox's declared type determines. Enums are written as names of items, and project files
 * refer to instances through attributes.
 */
export const shortForms: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(propertyTypes).flatMap(([type, { short, shape }]) =>
    short === undefined || type === 'Ref' ? [] : [[type, ('schema' in short && short.schema) || shape.schema]],
  ),
);
