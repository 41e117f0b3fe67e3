import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Additions } from './consistency.ts';
import type { RunChange } from './run-change.ts';
import { sameNameCounter } from './same-name.ts';

/**
 * Creates a function that returns whether the disk side of a change is no longer the compared one. Valid for one run, because it counts
 * the children of each parent once.
 *
 * @param additions those of all changes of the run
 */
export function diskChangeFinder(
  { byId }: Pick<Additions, 'byId'>,
  session: Pick<ProjectSession, 'get' | 'descendants'>,
): (change: RunChange) => PausableWork<boolean> {
  const sameName = sameNameCounter(session);
  const isCompared = ({ disk: seen, studio, sameNameOnDisk }: RunChange): boolean => {
    if (seen === undefined)
      return sameNameOnDisk === undefined || sameName(studio.parentId, studio.name) === sameNameOnDisk;
    const now = session.get(seen.id);
    return (
      now !== undefined &&
      now.properties === seen.properties &&
      now.name === seen.name &&
      now.className === seen.className
    );
  };
  /** As `isCompared`, for an instance below a removed one. Additions are listed one by one, except instances inside of other files. */
  const isComparedBelow = (below: Instance): boolean => {
    const change = byId.get(below.id);
    if (change !== undefined) return isCompared(change);
    const parent = byId.get(below.parent)?.disk;
    return parent === undefined || childrenOf(parent).has(below.id);
  };
  const childSets = new Map<Ref, ReadonlySet<Ref>>();
  const childrenOf = ({ id, children }: Instance): ReadonlySet<Ref> => {
    const known = childSets.get(id) ?? new Set(children);
    childSets.set(id, known);
    return known;
  };
  return function* hasChanged(change) {
    if (!isCompared(change)) return true;
    const { disk, studio, choice } = change;
    if (disk === undefined || studio.patchType !== 'Add' || choice !== 'pull') return false;
    // The removal of its files includes those of the instances below it.
    for (const below of session.descendants(disk.id)) {
      yield;
      if (below.id !== disk.id && !isComparedBelow(below)) return true;
    }
    return false;
  };
}
