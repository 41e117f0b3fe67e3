import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { variantsIdentical } from '../../roblox/instances/equality.ts';
import type { SnapshotOutcome, SourceSnapshot } from '../snapshot/source-snapshot.ts';
import type { TreeInstance } from '../tree/project-tree.ts';

/** Beyond so many pairs of one name and class, order decides: weighing each pair would take too long. */
const MAX_PAIRS = 10_000;
const DEPTH = 3;
const UNMATCHED = 10_000;

type Get = (id: Ref) => TreeInstance | undefined;

/**
 * Which child of the tree a snapshot is: by name and class; of several, first by the same place in the files, then by the least difference;
 * what is left, by the same place alone, as when a file becomes another class.
 */
export function* matchChildren(
  existing: readonly TreeInstance[],
  snapshots: readonly SourceSnapshot[],
  get: Get,
): PausableWork<ReadonlyMap<SourceSnapshot, Ref>> {
  const matched = new Map<SourceSnapshot, Ref>();
  const taken = new Set<Ref>();
  const take = (snapshot: SourceSnapshot, id: Ref): void => {
    matched.set(snapshot, id);
    taken.add(id);
  };
  const groups = yield* grouped(existing);
  let count = 0;
  for (const [label, wanted] of yield* grouped(snapshots)) {
    if ((count += 1) % AT_ONCE === 0) yield;
    const group = groups.get(label) ?? [];
    for (const snapshot of wanted) {
      const same = group.find(
        instance => !taken.has(instance.id) && snapshot.key !== undefined && instance.key === snapshot.key,
      );
      if (same) take(snapshot, same.id);
    }
    const open = wanted.filter(snapshot => !matched.has(snapshot));
    const free = group.filter(instance => !taken.has(instance.id));
    for (const [snapshot, instance] of leastDifference(free, open, get))
      if (!matched.has(snapshot) && !taken.has(instance.id)) take(snapshot, instance.id);
  }
  const byKey = new Map<string, Ref>();
  for (const { id, key } of existing) if (key !== undefined && !taken.has(id)) byKey.set(key, id);
  for (const snapshot of byKey.size === 0 ? [] : snapshots) {
    const id = snapshot.key === undefined || matched.has(snapshot) ? undefined : byKey.get(snapshot.key);
    if (id !== undefined && !taken.has(id)) take(snapshot, id);
  }
  return matched;
}

/** Children that are looked at between two pauses. */
const AT_ONCE = 256;

function* grouped<T extends Named>(children: readonly T[]): PausableWork<ReadonlyMap<string, readonly T[]>> {
  const groups = new Map<string, T[]>();
  for (const [index, child] of children.entries()) {
    const label = nameAndClass(child);
    const group = groups.get(label);
    if (group) group.push(child);
    else groups.set(label, [child]);
    if (index % AT_ONCE === AT_ONCE - 1) yield;
  }
  return groups;
}

interface Named {
  readonly name: string;
  readonly className: string;
}

const nameAndClass = (of: Named): string => `${of.className}\0${of.name}`;

/** Pairs, best first. */
function leastDifference(
  free: readonly TreeInstance[],
  open: readonly SourceSnapshot[],
  get: Get,
): readonly (readonly [SourceSnapshot, TreeInstance])[] {
  if (free.length * open.length > MAX_PAIRS || (free.length === 1 && open.length === 1))
    return open.flatMap((snapshot, index) => (free[index] ? [[snapshot, free[index]] as const] : []));
  const pairs = open.flatMap(snapshot =>
    free.map(instance => ({ snapshot, instance, cost: difference(instance, snapshot, get, DEPTH) })),
  );
  return pairs.sort((a, b) => a.cost - b.cost).map(({ snapshot, instance }) => [snapshot, instance]);
}

function difference(instance: TreeInstance, snapshot: SourceSnapshot, get: Get, depth: number): number {
  let cost = 0;
  for (const [name, value] of snapshot.properties) {
    const other = instance.properties.get(name);
    if (other === undefined || !variantsIdentical(value, other)) cost += 1;
  }
  for (const name of instance.properties.keys()) if (!snapshot.properties.has(name)) cost += 1;
  if (depth === 0) return cost;
  const children = snapshot.children.filter(isSnapshot);
  const free = new Map(
    Map.groupBy(
      instance.children.map(get).filter(child => child !== undefined),
      nameAndClass,
    ),
  );
  for (const child of children) {
    const [first, ...rest] = free.get(nameAndClass(child)) ?? [];
    free.set(nameAndClass(child), rest);
    cost += first === undefined ? UNMATCHED : difference(first, child, get, depth - 1);
  }
  for (const left of free.values()) cost += left.length * UNMATCHED;
  return cost;
}

export const isSnapshot = (outcome: SnapshotOutcome): outcome is SourceSnapshot => outcome.kind === 'instance';
