import { isScriptClass } from '../protocol/script-class.ts';
import { reasonOf } from '../protocol/reason.ts';
import { withUnixLineEnds } from '../base/line-ends.ts';
import type { Ref } from '../base/brand.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { LegacyChange } from '../protocol/studio/legacy-stream.ts';
import type { StudioChange, StudioVerdict } from '../protocol/studio/stream.ts';
import type { ComparedOverride } from '../protocol/studio/stream.ts';
import type { WireVariant } from '../protocol/values.ts';
import { areVariantsEqual } from '../roblox/instances/equality.ts';
import { parseRef } from '../roblox/values/ref.ts';
import { variantFromWire } from '../roblox/values/variant-wire.ts';
import type { ProjectSession } from '../project/project-session.ts';

type Tree = Pick<ProjectSession, 'get' | 'rootId'>;

/**
 * Converts a change of an unmodified plugin to the form of our plugin; takes missing fields from the tree. Returns `undefined` for a script
 * that differs in its line ends only.
 */
export function toStudioChange(change: LegacyChange, tree: Tree, hasher: Hasher): StudioChange | undefined {
  const { id, patchType, className, studioHash, properties } = change;
  const names = change.path.split('/').slice(1);
  const ref = patchType === 'Remove' ? undefined : parseRef(id);
  const disk = ref === undefined ? undefined : tree.get(ref);
  const source = disk?.properties.get('Source');
  const hashOf = (text: string): string => hasher.gitBlob(text);
  const diskText = source?.type === 'String' ? withUnixLineEnds(source.value) : undefined;
  const diskHash = diskText === undefined ? undefined : hashOf(diskText);
  // An equal saved Source can still differ from an open draft; the plugin then reports no other property.
  const hasNoProperties = Object.keys(properties ?? {}).length === 0;
  const isScriptEdit = patchType === 'Edit' && isScriptClass(className);
  const hasWindowsLineEnds =
    isScriptEdit && studioHash !== diskHash && studioHash === hashOf((diskText ?? '').replaceAll('\n', '\r\n'));
  if (hasWindowsLineEnds && hasNoProperties) return undefined;
  const sourceDiffers = isScriptEdit && !hasWindowsLineEnds && (studioHash !== diskHash || hasNoProperties);
  return {
    id,
    patchType,
    path: names.join('/'),
    name: disk?.name ?? names.at(-1) ?? change.path,
    className: disk !== undefined && patchType === 'Add' ? disk.className : className,
    parentId: disk?.parent ?? parentByNames(tree, names.slice(0, -1)),
    ...(studioHash !== undefined && { studioHash }),
    sourceDiffers,
    ...(patchType === 'Edit' && { properties: properties ?? {} }),
  };
}

/** Finds the instance at the path; falls back to the root if there is none or more than one. */
function parentByNames(tree: Tree, names: readonly string[]): Ref {
  let at = tree.rootId;
  for (const name of names) {
    const found = (tree.get(at)?.children ?? []).filter(id => tree.get(id)?.name === name);
    const [only] = found;
    if (only === undefined || found.length > 1) return tree.rootId;
    at = only;
  }
  return at;
}

/** Checks overrides against the changes that the plugin reported. */
export function checkOverrides(
  overrides: readonly ComparedOverride[],
  changes: readonly StudioChange[],
  tree: Tree,
): readonly StudioVerdict[] {
  const byId = new Map(changes.map(change => [change.id, change]));
  return overrides.map((override): StudioVerdict => {
    const { id, direction } = override;
    const change = byId.get(id);
    if (change === undefined) return { id, direction, verdict: 'stale_id', reason: reasonOf('no_such_change') };
    const { studioHash } = override;
    if (studioHash !== undefined && change.studioHash !== undefined && studioHash !== change.studioHash)
      return { id, direction, verdict: 'hash_mismatch', reason: reasonOf('studio_hash_now', change.studioHash) };
    for (const [name, expected] of Object.entries(override.expectedProperties ?? {})) {
      const problem = mismatch(name, expected, change, tree);
      if (problem !== undefined) return { id, direction, ...problem };
    }
    return { id, direction, verdict: 'accepted' };
  });
}

function mismatch(
  name: string,
  expected: WireVariant,
  change: StudioChange,
  tree: Tree,
): Pick<StudioVerdict, 'verdict' | 'reason'> | undefined {
  if (change.patchType === 'Add') return undefined;
  const wanted = variantFromWire(expected);
  if (!wanted.ok) return { verdict: 'undecodable', reason: reasonOf('value_undecodable', name, wanted.error) };
  const differing = change.properties?.[name]?.current;
  const ref = parseRef(change.id);
  // A property that does not differ has the value of the file.
  const current =
    differing === undefined
      ? ref && tree.get(ref)?.properties.get(name)
      : (read => (read.ok ? read.value : undefined))(variantFromWire(differing));
  if (current === undefined) return { verdict: 'property_mismatch', reason: reasonOf('value_not_reported', name) };
  // A plain value has no type, so compare values only.
  const isSame =
    typeof expected === 'number'
      ? areVariantsEqual(wanted.value, { type: 'Float64', value: Number(current.value) })
      : typeof expected === 'object'
        ? areVariantsEqual(wanted.value, current)
        : current.value === expected;
  return isSame ? undefined : { verdict: 'property_mismatch', reason: reasonOf('value_differs', name) };
}
