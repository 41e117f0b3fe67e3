/**
 * The commands of the Game view, on the command stream. Mirrors `studio-plugin/src/core/explorer.luau`. None of them changes the place;
 * `select` changes the selection in Studio.
 *
 * Ids are those that Studio assigns to its instances for their lifetime, also for instances that have a Ref.
 */
import * as z from 'zod';
import { WireVariant } from '../values.ts';
import { mapOf } from './luau-tables.ts';

/** Capability of plugins that support these commands. */
export const explorerCapability = 'explorer';

/** Lists the children of an instance; those of the place without an id. */
export type ChildrenCommand = { readonly type: 'children'; readonly requestId: string; readonly id?: string };

/** Finds the instances at and below `roots` whose name or class contains every word. `words`: in lower case. */
export type FindCommand = {
  readonly type: 'find';
  readonly requestId: string;
  readonly words: readonly string[];
  readonly roots: readonly string[];
  readonly limit: number;
};

/** Reads all properties of an instance that a place file can hold, except Source. */
export type InspectCommand = { readonly type: 'inspect'; readonly requestId: string; readonly id: string };

/** Selects one instance in Studio; answered after Studio reports it as selected. */
export type SelectCommand = { readonly type: 'select'; readonly requestId: string; readonly id: string };

export type ExplorerCommand = ChildrenCommand | FindCommand | InspectCommand | SelectCommand;

/** `ref`: the id in the tree of the project, at the last comparison. */
export const PlaceInstance = z.object({
  id: z.string(),
  name: z.string(),
  className: z.string(),
  childCount: z.number(),
  ref: z.string().optional(),
});
export type PlaceInstance = z.infer<typeof PlaceInstance>;

/** `above`: ids from the root of the search to the parent. `names`: the path from below the place. */
export const FoundInstance = PlaceInstance.extend({ above: z.array(z.string()), names: z.array(z.string()) });
export type FoundInstance = z.infer<typeof FoundInstance>;

/** Some of the children, in order, before their `listed` has the last ones. */
export const ListedPart = z.object({
  type: z.literal('listedPart'),
  requestId: z.string(),
  instances: z.array(PlaceInstance),
});
/** `partCount`: as in `PartCount`. */
export const Listed = z.object({
  type: z.literal('listed'),
  requestId: z.string(),
  partCount: z.int().nonnegative().optional(),
  instances: z.array(PlaceInstance),
});
export type Listed = z.infer<typeof Listed>;

/** `isComplete`: false if there are more hits than the limit. */
export const Found = z.object({
  type: z.literal('found'),
  requestId: z.string(),
  hits: z.array(FoundInstance),
  isComplete: z.boolean(),
});
export type Found = z.infer<typeof Found>;

/** `references`: the paths of the instances that properties refer to. `omitted`: properties with long values. */
export const Inspected = z.object({
  type: z.literal('inspected'),
  requestId: z.string(),
  instance: PlaceInstance,
  names: z.array(z.string()),
  properties: mapOf(WireVariant),
  references: mapOf(z.string()),
  omitted: z.array(z.string()),
});
export type Inspected = z.infer<typeof Inspected>;

export const Selected = z.object({ type: z.literal('selected'), requestId: z.string(), names: z.array(z.string()) });
export type Selected = z.infer<typeof Selected>;

/** Instances whose listed children were added, removed or renamed; each once until it is listed again. Empty: the place. Not a reply. */
export const ChildrenChanged = z.object({ type: z.literal('childrenChanged'), ids: z.array(z.string()) });
