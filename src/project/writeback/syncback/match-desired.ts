import type { PausableWork } from '../../../base/time-slice.ts';
import { variantsIdentical } from '../../../roblox/instances/equality.ts';
import { matchByName } from '../../tree/match-by-name.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';

export interface MatchedChildren {
  readonly pairs: readonly (readonly [TreeInstance, DesiredInstance])[];
  readonly onlyOnDisk: readonly TreeInstance[];
  readonly onlyInPlace: readonly DesiredInstance[];
}

/** Pairs children on disk with children in the place by name and class; among several candidates, the most similar ones. */
export function* matchDesired(
  existing: readonly TreeInstance[],
  wanted: readonly DesiredInstance[],
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
  desired: DesiredInstance,
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
