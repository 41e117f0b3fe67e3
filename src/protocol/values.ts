import * as z from 'zod';

/**
 * The wire form of a property value: a map with one entry, type name to payload (`{"Vector3": [0, 5, 0]}`), or a plain boolean, number or
 * string for simple values. Only this envelope is validated here, because unknown types must be passed on, not rejected;
 * `roblox/values/variant-wire.ts` validates the payload.
 */
export const WireVariant = z.union([z.boolean(), z.number(), z.string(), z.record(z.string(), z.unknown())]);
export type WireVariant = z.infer<typeof WireVariant>;
