import type { PausableWork } from '../../../base/time-slice.ts';
import { variantsIdentical } from '../../../roblox/instances/equality.ts';
import { matchByName } from '../../tree/match-by-name.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { Desired } from '../desired.ts';

export interface MatchedChildren {
  readonly pairs: readonly (readonly [TreeInstance, Desired])[];
  readonly onlyOnDisk: readonly TreeInstance[];
  readonly onlyInPlace: readonly Desired[];
}

/** Pairs children on disk with those of the place: by name and class; of several, those that differ least. */
export function* matchDesired(
  existing: readonly TreeInstance[],
  wanted: readonly Desired[],
  childrenOf: (instance: TreeInstance) => readonly TreeInstance[],
): PausableWork<MatchedChildren> {
  const matched = yield* matchByName(
    existing,
    wanted,
    () => undefined,
    (instance, desired) => difference(instance, desired, childrenOf),
  );
  const taken = new Set(matched.values());
  return {
    pairs: Array.from(matched, ([desired, instance]) => [instance, desired] as const),
    onlyOnDisk: existing.filter(instance => !taken.has(instance)),
    onlyInPlace: wanted.filter(desired => !matched.has(desired)),
  };
}

function difference(
  instance: TreeInstance,
  desired: Desired,
  childrenOf: (instance: TreeInstance) => readonly TreeInstance[],
): number {
  let cost = 0;
  for (const [name, value] of instance.properties) {
    const other = desired.properties.get(name);
    if (other === undefined || !variantsIdentical(value, other)) cost += 1;
  }
  const names = childrenOf(instance).map(child => child.name);
  const others = new Set(desired.children.map(child => child.name));
  return cost + Math.abs(names.length - desired.children.length) + names.filter(name => !others.has(name)).length;
}
