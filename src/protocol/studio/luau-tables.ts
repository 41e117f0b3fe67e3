/** Luau has one kind of table, and its JSON writes an empty one as a list: wherever a map is due, an empty list is one. */
import * as z from 'zod';
import { PropertyChange } from '../sync.ts';
import type { WireVariant } from '../values.ts';

const emptyMap = (raw: unknown): unknown => (Array.isArray(raw) && raw.length === 0 ? {} : raw);

export const mapOf = <T extends z.ZodType>(value: T) => z.preprocess(emptyMap, z.record(z.string(), value));

/** As it goes on to agents and people: `{"Attributes": {}}`, whatever Luau has made of it. */
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
