import type { Ref } from '../../base/brand.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { DesiredInstance } from './desired.ts';

/** One change to write to disk, from Studio or from a place file. */
export type Pull =
  /** A value of `undefined` removes the property from the files. */
  | { readonly kind: 'edit'; readonly id: Ref; readonly values: ReadonlyMap<string, Variant | undefined> }
  /** A new name, with the changed values as for `edit`. */
  | {
      readonly kind: 'rename';
      readonly id: Ref;
      readonly name: string;
      readonly values: ReadonlyMap<string, Variant | undefined>;
    }
  /** Another parent, and maybe another name. */
  | { readonly kind: 'move'; readonly id: Ref; readonly parentId: Ref; readonly name: string }
  | { readonly kind: 'create'; readonly parentId: Ref; readonly instance: DesiredInstance }
  /** A folder of the project becomes the script `instance`; its children are other changes. */
  | { readonly kind: 'becomeScript'; readonly id: Ref; readonly instance: DesiredInstance }
  | { readonly kind: 'delete'; readonly id: Ref };
