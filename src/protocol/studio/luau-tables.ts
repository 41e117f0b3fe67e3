/** Luau has one kind of table, and its JSON encoder writes an empty table as a list. So an empty list is accepted where a map is expected. */
import * as z from 'zod';
import { PropertyChange } from '../sync-result.ts';
import type { WireVariant } from '../values.ts';

export const emptyMap = (raw: unknown): unknown => (Array.isArray(raw) && raw.length === 0 ? {} : raw);

export const mapOf = <T extends z.ZodType>(value: T) => z.preprocess(emptyMap, z.record(z.string(), value));

/** Restores empty maps that Luau encoded as lists, for example `{"Attributes": {}}`. */
export const LuauPropertyChange = PropertyChange.transform(({ current, incoming }): PropertyChange => ({
  ...(current !== undefined && { current: withMaps(current) }),
  ...(incoming !== undefined && { incoming: withMaps(incoming) }),
}));

const typesOfMaps = ['Attributes', 'MaterialColors'];

function withMaps(value: WireVariant): WireVariant {
  if (typeof value !== 'object') return value;
  const type = typesOfMaps.find(name => name in value);
  return type === undefined ? value : { [type]: emptyMap(value[type]) };
}
