import { variantsIdentical } from '../../../roblox/instances/equality.ts';
import type { TreeInstance } from '../../tree/project-tree.ts';
import type { Desired } from '../desired.ts';

/** Beyond so many pairs of one name and class, order decides: weighing each pair would take too long. */
const MAX_PAIRS = 2_500;

export interface Matched {
  readonly pairs: readonly (readonly [TreeInstance, Desired])[];
  /** On disk only. */
  readonly left: readonly TreeInstance[];
  /** In the place only. */
  readonly made: readonly Desired[];
}

/** Which child of the one side is which of the other: by name and class; of several, those that differ least. */
export function matchDesired(
  existing: readonly TreeInstance[],
  wanted: readonly Desired[],
  childrenOf: (instance: TreeInstance) => readonly TreeInstance[],
): Matched {
  const pairs: (readonly [TreeInstance, Desired])[] = [];
  const taken = new Set<TreeInstance | Desired>();
  const groups = Map.groupBy(existing, nameAndClass);
  for (const [label, group] of Map.groupBy(wanted, nameAndClass))
    for (const [instance, desired] of inOrder(groups.get(label) ?? [], group, childrenOf)) {
      if (taken.has(instance) || taken.has(desired)) continue;
      taken.add(instance).add(desired);
      pairs.push([instance, desired]);
    }
  return {
    pairs,
    left: existing.filter(instance => !taken.has(instance)),
    made: wanted.filter(desired => !taken.has(desired)),
  };
}

const nameAndClass = (of: { readonly name: string; readonly className: string }): string =>
  `${of.className}\0${of.name}`;

/** Candidates, best first. */
function inOrder(
  existing: readonly TreeInstance[],
  wanted: readonly Desired[],
  childrenOf: (instance: TreeInstance) => readonly TreeInstance[],
): readonly (readonly [TreeInstance, Desired])[] {
  const isPlain = (existing.length <= 1 && wanted.length <= 1) || existing.length * wanted.length > MAX_PAIRS;
  if (isPlain)
    return existing.flatMap((instance, index) => (wanted[index] ? [[instance, wanted[index]] as const] : []));
  const candidates = existing.flatMap((instance, row) =>
    wanted.map((desired, column) => ({
      pair: [instance, desired] as const,
      cost: difference(instance, desired, childrenOf),
      distance: Math.abs(row - column),
    })),
  );
  return candidates.sort((a, b) => a.cost - b.cost || a.distance - b.distance).map(({ pair }) => pair);
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
