import * as z from 'zod';

/**
 * A property value on a wire: a map of one entry, type name to payload (`{"Vector3": [0, 5, 0]}`), or a plain boolean, number or
 * string, which spec 000's examples use for simple values. What the payload must look like is `roblox/values/variant-wire.ts`'s to say:
 * here only the envelope is checked, because an unknown type must be carried, not refused.
 */
export const WireVariant = z.union([z.boolean(), z.number(), z.string(), z.record(z.string(), z.unknown())]);
export type WireVariant = z.infer<typeof WireVariant>;
