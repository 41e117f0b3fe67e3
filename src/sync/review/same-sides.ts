import { areVariantsIdentical } from '../../roblox/instances/equality.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { RunChange } from '../changes/run-change.ts';

/**
 * Whether both sides of a change are the same as when `before` was compared. An unchanged tree has the same instances; a file that was
 * touched or saved unchanged gets new instances with the same values.
 */
export function hasSameSides(before: RunChange, now: RunChange): boolean {
  // The text of a binary file may be the same although its bytes changed.
  return before.diskHash === now.diskHash && sameOnDisk(before.disk, now.disk) && sameInStudio(before, now);
}

function sameOnDisk(before: Instance | undefined, now: Instance | undefined): boolean {
  if (before === undefined || now === undefined || before === now) return before === now;
  return before.name === now.name && before.className === now.className && sameProperties(before, now);
}

function sameProperties({ properties: before }: Instance, { properties: now }: Instance): boolean {
  if (before === now) return true;
  if (before.size !== now.size) return false;
  return Array.from(before).every(([name, value]) => {
    const other = now.get(name);
    return other !== undefined && areVariantsIdentical(value, other);
  });
}

function sameInStudio({ studio: before }: RunChange, { studio: now }: RunChange): boolean {
  return (
    before.patchType === now.patchType &&
    before.path === now.path &&
    before.className === now.className &&
    before.parentId === now.parentId &&
    before.studioHash === now.studioHash &&
    before.draftHash === now.draftHash &&
    before.sourceDiffers === now.sourceDiffers &&
    before.subtree?.hash === now.subtree?.hash &&
    JSON.stringify(sorted(before.properties)) === JSON.stringify(sorted(now.properties))
  );
}

/** The plugin sends properties in any order. */
const sorted = (properties: RunChange['studio']['properties']): unknown =>
  Object.entries(properties ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
