import type { BaseState } from '../../ports/base-store.ts';
import type { MergePreview, PropertyChange } from '../../protocol/sync-result.ts';
import type { WireVariant } from '../../protocol/values.ts';
import { variantFromWire, variantToWire } from '../../roblox/values/variant-wire.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { type BaseEntries, mergeEntries } from './merge-values.ts';

/** The content that a merge writes to both sides of one instance. */
export interface ChangeMerge {
  /** The merged script and its git blob id; `undefined` if the texts of both sides are equal. */
  readonly source: { readonly text: string; readonly hash: string } | undefined;
  /** The values that Studio gets, encoded. */
  readonly toStudio: Readonly<Record<string, WireVariant>>;
  /** The values that the files get, encoded. */
  readonly toDisk: Readonly<Record<string, WireVariant>>;
  readonly preview: MergePreview;
}

/**
 * A merge with a text that a person made. Properties are merged as suggested; without a suggestion, disk wins.
 *
 * @param suggested the suggested merge of the change
 * @param properties those that differ
 * @param hash the git blob id of `text`
 */
export function mergeWithText(
  suggested: ChangeMerge | undefined,
  properties: Readonly<Record<string, PropertyChange>>,
  text: string,
  hash: string,
): ChangeMerge {
  const source = { text, hash };
  if (suggested !== undefined) {
    const { fromDisk, fromStudio } = suggested.preview;
    return { ...suggested, source, preview: { fromDisk, fromStudio } };
  }
  const toStudio = Object.fromEntries(
    Object.entries(properties).flatMap(([name, { incoming }]) => (incoming === undefined ? [] : [[name, incoming]])),
  );
  return { source, toStudio, toDisk: {}, preview: { fromDisk: Object.keys(toStudio), fromStudio: [] } };
}

/** One property that differs, and which sides changed it. */
export interface MovedProperty extends PropertyChange {
  readonly name: string;
  readonly isKnown: boolean;
  readonly onDisk: boolean;
  readonly inStudio: boolean;
}

export type MergedProperties = Pick<ChangeMerge, 'toStudio' | 'toDisk'> & {
  /** Properties that both sides changed, or whose common value is unknown. */
  readonly conflicts: readonly string[];
};

/** Merges properties by name, and tags and attributes by entry. */
export function mergeProperties(
  properties: readonly MovedProperty[],
  base: BaseState | undefined,
  entriesOf: (value: Variant) => BaseEntries | undefined,
): MergedProperties {
  const toStudio: Record<string, WireVariant> = {};
  const toDisk: Record<string, WireVariant> = {};
  const conflicts: string[] = [];
  for (const { name, current, incoming, isKnown, onDisk, inStudio } of properties) {
    if (isKnown && onDisk && !inStudio && incoming !== undefined) toStudio[name] = incoming;
    else if (isKnown && inStudio && !onDisk && current !== undefined) toDisk[name] = current;
    else {
      const known = base?.entries?.[name];
      const merged =
        base === undefined || (isKnown && known === undefined)
          ? undefined
          : mergeWireEntries(known ?? {}, incoming, current, entriesOf);
      if (merged === undefined) conflicts.push(name);
      else toStudio[name] = toDisk[name] = merged;
    }
  }
  return { toStudio, toDisk, conflicts };
}

function mergeWireEntries(
  known: BaseEntries,
  incoming: WireVariant | undefined,
  current: WireVariant | undefined,
  entriesOf: (value: Variant) => BaseEntries | undefined,
): WireVariant | undefined {
  const [disk, studio] = [variantFromWire(incoming), variantFromWire(current)];
  const merged = disk.ok && studio.ok ? mergeEntries(known, disk.value, studio.value, entriesOf) : undefined;
  return merged && variantToWire(merged);
}
