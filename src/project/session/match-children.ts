import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { variantsIdentical } from '../../roblox/instances/equality.ts';
import type { SnapshotOutcome, SourceSnapshot } from '../snapshot/source-snapshot.ts';
import { matchByName, nameAndClass } from '../tree/match-by-name.ts';
import type { TreeInstance } from '../tree/project-tree.ts';

const COMPARED_DEPTH = 3;
/** Cost of a child without a partner. */
const UNMATCHED = 10_000;

type Get = (id: Ref) => TreeInstance | undefined;

/**
 * Finds the existing child for each snapshot by name and class; among several, first by file location, then by similarity. The rest is
 * matched by file location alone, for example when the class of a file changes.
 */
export function* matchChildren(
  existing: readonly TreeInstance[],
  snapshots: readonly SourceSnapshot[],
  get: Get,
): PausableWork<ReadonlyMap<SourceSnapshot, Ref>> {
  const byKey = new Map<string, TreeInstance>();
  for (const instance of existing) if (instance.key !== undefined) byKey.set(instance.key, instance);
  const known = ({ key }: SourceSnapshot): TreeInstance | undefined => (key === undefined ? undefined : byKey.get(key));
  const cost = (instance: TreeInstance, snapshot: SourceSnapshot): number =>
    difference(instance, snapshot, get, COMPARED_DEPTH);
  const matched = new Map<SourceSnapshot, Ref>();
  const taken = new Set<Ref>();
  for (const [snapshot, { id }] of yield* matchByName(existing, snapshots, known, cost)) {
    matched.set(snapshot, id);
    taken.add(id);
  }
  for (const snapshot of byKey.size === 0 ? [] : snapshots) {
    const id = matched.has(snapshot) ? undefined : known(snapshot)?.id;
    if (id === undefined || taken.has(id)) continue;
    matched.set(snapshot, id);
    taken.add(id);
  }
  return matched;
}

function difference(instance: TreeInstance, snapshot: SourceSnapshot, get: Get, depth: number): number {
  let cost = 0;
  for (const [name, value] of snapshot.properties) {
    const other = instance.properties.get(name);
    if (other === undefined || !variantsIdentical(value, other)) cost += 1;
  }
  for (const name of instance.properties.keys()) if (!snapshot.properties.has(name)) cost += 1;
  if (depth === 0) return cost;
  const groups = Map.groupBy(
    instance.children.map(get).filter(child => child !== undefined),
    nameAndClass,
  );
  const used = new Map<string, number>();
  let paired = 0;
  for (const child of snapshot.children.filter(isSnapshot)) {
    const label = nameAndClass(child);
    const index = used.get(label) ?? 0;
    used.set(label, index + 1);
    const partner = groups.get(label)?.[index];
    if (partner === undefined) cost += UNMATCHED;
    else {
      paired += 1;
      cost += difference(partner, child, get, depth - 1);
    }
  }
  return cost + (instance.children.length - paired) * UNMATCHED;
}

export const isSnapshot = (outcome: SnapshotOutcome): outcome is SourceSnapshot => outcome.kind === 'instance';
