import type { BaseState } from '../../ports/base-store.ts';
import type { StudioChange } from '../../protocol/studio/stream.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { variantFromWire } from '../../roblox/values/variant-wire.ts';
import type { BaseMovement } from '../defaults.ts';
import type { BaseStates } from './base-state.ts';

/** One property (or the text) of an instance that differs between the two sides, compared with the base. */
export interface ChangedPart {
  /** `Source`, or the name of a property. */
  readonly name: string;
  /** Whether the base contains it. */
  readonly isKnown: boolean;
  readonly onDisk: boolean;
  readonly inStudio: boolean;
}

/** Disk, Studio and base of one change. `hasBase`: a common version of this instance is known. */
export interface ThreeSides {
  readonly hasBase: boolean;
  readonly parts: readonly ChangedPart[];
  readonly hasDraft: boolean;
  /** Whether Studio has a state that it had before the base: its place is older than the last sync, or an edit was undone. */
  readonly isOlderInStudio: boolean;
}

/**
 * Compares both sides of a change with the base.
 *
 * @param diskHash the hash of the script's text on disk; `undefined` for other instances
 * @param stored the base of the instance; `undefined` if it is unknown
 * @param placeVersion the version of the place that Studio opened; 0 if it is unknown
 * @param renamedOn the side that changed the name since the base; `undefined` if that is not known
 */
export function compareWithBase(
  studio: StudioChange,
  disk: Instance | undefined,
  diskHash: string | undefined,
  stored: BaseState | undefined,
  states: BaseStates,
  placeVersion: number,
  renamedOn: 'disk' | 'studio' | undefined,
): ThreeSides {
  const hasDraft = studio.draftHash !== undefined;
  const isOlderInStudio =
    isOlderVersion(placeVersion, stored) || (stored?.earlier !== undefined && hasEarlier(studio, stored, states));
  if (stored === undefined || stored.isOutdated) return { hasBase: false, parts: [], hasDraft, isOlderInStudio };
  const parts: ChangedPart[] = [];
  if (studio.sourceDiffers)
    parts.push({
      name: 'Source',
      isKnown: stored.source !== undefined,
      onDisk: diskHash !== stored.source,
      // An unsaved edit is a change too.
      inStudio: studio.studioHash !== stored.source || hasDraft,
    });
  for (const [name, { current }] of Object.entries(studio.properties ?? {})) {
    if (name === 'Name') {
      const isKnown = renamedOn !== undefined;
      parts.push({ name, isKnown, onDisk: renamedOn !== 'studio', inStudio: renamedOn !== 'disk' });
      continue;
    }
    const agreed = stored.properties[name];
    const onDisk = disk?.properties.get(name);
    const inStudio = variantFromWire(current);
    parts.push({
      name,
      isKnown: agreed !== undefined,
      onDisk: onDisk === undefined || agreed === undefined || states.property(onDisk) !== agreed,
      inStudio: !inStudio.ok || agreed === undefined || states.property(inStudio.value) !== agreed,
    });
  }
  return { hasBase: true, parts, hasDraft, isOlderInStudio };
}

/** Whether Studio opened an older version of the place than the one with the stored state. */
export const isOlderVersion = (placeVersion: number, stored: BaseState | undefined): boolean =>
  placeVersion > 0 && placeVersion < (stored?.placeVersion ?? 0);

function hasEarlier(studio: StudioChange, stored: BaseState, states: BaseStates): boolean {
  const earlier = new Map(Object.entries(stored.earlier ?? {}));
  if (studio.sourceDiffers && earlier.get('Source')?.includes(studio.studioHash ?? '') === true) return true;
  return Object.entries(studio.properties ?? {}).some(([name, { current }]) => {
    const value = variantFromWire(current);
    return value.ok && earlier.get(name)?.includes(states.property(value.value)) === true;
  });
}

/** Returns the side that changed if the other side is exactly as in the base; a person decides a mixture. */
export function movementOf(studio: StudioChange, { hasBase, parts }: ThreeSides): BaseMovement {
  if (!hasBase) return 'unknown';
  if (studio.patchType === 'Add') return 'removed_in_studio';
  if (studio.patchType === 'Remove' || parts.length === 0) return 'unknown';
  const known = parts.filter(part => part.isKnown);
  const onDisk = known.some(part => part.onDisk);
  const inStudio = known.some(part => part.inStudio);
  if (onDisk && inStudio) return 'both_moved';
  // A property that a file names for the first time.
  if (known.length < parts.length) return 'never_compared';
  // Neither side changed, but they differ: floats that were rounded differently. Then nothing is known.
  return onDisk ? 'disk_moved' : inStudio ? 'studio_moved' : 'unknown';
}
