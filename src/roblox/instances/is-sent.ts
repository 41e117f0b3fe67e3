import type { Variant, VariantType } from '../values/variant.ts';

// The Atlas plugin fails to decode some of these, and can set none of them.
const unsent: ReadonlySet<VariantType> = new Set([
  'Region3',
  'SharedString',
  'UniqueId',
  'SecurityCapabilities',
  'NetAssetRef',
]);

/** Whether plugins can decode the value at all. */
export const isSent = (variant: Variant): boolean =>
  !unsent.has(variant.type) && !(variant.type === 'Content' && variant.value.kind === 'object');
