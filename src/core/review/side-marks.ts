import type { Instance } from '../dom/instance.ts';
import type { RunChange } from '../sync/changes/run-change.ts';

/**
 * Whether both sides of a change are still what they were when `before` was compared. A tree that did not move keeps its instances, so
 * their identity tells; what Studio said is compared by value.
 */
export function sameSides(before: RunChange, now: RunChange): boolean {
  return sameOnDisk(before.disk, now.disk) && sameInStudio(before, now);
}

function sameOnDisk(before: Instance | undefined, now: Instance | undefined): boolean {
  if (before === undefined || now === undefined || before === now) return before === now;
  return before.properties === now.properties && before.name === now.name && before.className === now.className;
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
    before.descendants === now.descendants &&
    JSON.stringify(sorted(before.properties)) === JSON.stringify(sorted(now.properties))
  );
}

/** The plugin sends properties in no order. */
const sorted = (properties: RunChange['studio']['properties']): unknown =>
  Object.entries(properties ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
