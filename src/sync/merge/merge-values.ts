import type { Variant } from '../../roblox/values/variant.ts';

/** The tags or attributes that both sides last had, by entry, with a fingerprint each. */
export type BaseEntries = Readonly<Record<string, string>>;

type Entries = ReadonlyMap<string, { readonly print: string; readonly value: Variant | undefined }>;

/**
 * Merges tags or attributes by entry: an entry is as on the side that changed it. `undefined` if both sides changed one entry, or the
 * values are of another type.
 *
 * @param print the fingerprints of a value's entries, as in the base
 */
export function mergeEntries(
  base: BaseEntries,
  disk: Variant,
  studio: Variant,
  print: (value: Variant) => BaseEntries | undefined,
): Variant | undefined {
  const [onDisk, inStudio] = [entriesOf(disk, print), entriesOf(studio, print)];
  if (onDisk === undefined || inStudio === undefined || disk.type !== studio.type) return undefined;
  const known = new Map(Object.entries(base));
  const merged = new Map<string, Variant | undefined>();
  for (const name of new Set([...onDisk.keys(), ...inStudio.keys()])) {
    const [mine, theirs] = [onDisk.get(name), inStudio.get(name)];
    const before = known.get(name);
    const isChanged = mine?.print !== before;
    if (mine?.print !== theirs?.print && isChanged && theirs?.print !== before) return undefined;
    const kept = isChanged ? mine : theirs;
    if (kept !== undefined) merged.set(name, kept.value);
  }
  if (disk.type === 'Tags') return { type: 'Tags', value: Array.from(merged.keys()) };
  return {
    type: 'Attributes',
    value: new Map(
      Array.from(merged).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ),
  };
}

function entriesOf(value: Variant, print: (value: Variant) => BaseEntries | undefined): Entries | undefined {
  const prints = print(value);
  if (prints === undefined) return undefined;
  const attributes = value.type === 'Attributes' ? value.value : new Map<string, Variant>();
  return new Map(Object.entries(prints).map(([name, one]) => [name, { print: one, value: attributes.get(name) }]));
}
