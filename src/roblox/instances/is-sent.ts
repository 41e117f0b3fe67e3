import type { Variant, VariantType } from '../values/variant.ts';

// The reference plugin stops at some of these, and can set none of them.
const unsent: ReadonlySet<VariantType> = new Set([
  'Region3',
  'SharedString',
  'UniqueId',
  'SecurityCapabilities',
  'NetAssetRef',
]);

/** Whether plugins can take the value at all (`reference/studio-protocol.md`, section 1.4, notes). */
export const isSent = (variant: Variant): boolean =>
  !unsent.has(variant.type) && !(variant.type === 'Content' && variant.value.kind === 'object');
