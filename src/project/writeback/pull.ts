import type { Ref } from '../../base/brand.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { Desired } from './desired.ts';

/** One thing to be brought to disk, from Studio or from a place file. */
export type Pull =
  /** `undefined`: files no longer set the property. */
  | { readonly kind: 'edit'; readonly id: Ref; readonly values: ReadonlyMap<string, Variant | undefined> }
  | { readonly kind: 'create'; readonly parentId: Ref; readonly instance: Desired }
  | { readonly kind: 'delete'; readonly id: Ref };
