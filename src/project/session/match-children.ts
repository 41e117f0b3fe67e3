import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import { areVariantsIdentical } from '../../roblox/instances/equality.ts';
import type { SnapshotOutcome, SourceSnapshot } from '../snapshot/source-snapshot.ts';
import { matchByName, nameAndClass, pairsByCost } from '../tree/match-by-name.ts';
import type { TreeInstance } from '../tree/project-tree.ts';

const COMPARED_DEPTH = 3;
/** Cost of a child without a partner. */
const UNMATCHED = 10_000;

type Get = (id: Ref) => TreeInstance | undefined;

/** Renamed children of one parent that are compared with each other; beyond that, their ids are new. */
const MAX_COMPARED_RENAMES = 2_500;

/**
 * Finds the existing child for each snapshot by name and class; among several, first by file location, then by similarity. The rest is
 * matched by file location alone, for example when the class of a file changes, and then as renamed: by an expected rename, or by content
 * that no other child has.
 *
 * @param renamed returns the id of the child that is expected to get the name of a snapshot
 */
export function* matchChildren(
  existing: readonly TreeInstance[],
  snapshots: readonly SourceSnapshot[],
  get: Get,
  renamed: (snapshot: SourceSnapshot) => Ref | undefined,
): PausableWork<ReadonlyMap<SourceSnapshot, Ref>> {
  const byKey = new Map<string, TreeInstance>();
  for (const instance of existing) if (instance.key !== undefined) byKey.set(instance.key, instance);
  const known = ({ key }: SourceSnapshot): TreeInstance | undefined => (key === undefined ? undefined : byKey.get(key));
  const cost = (instance: TreeInstance, snapshot: SourceSnapshot): number =>
    difference(instance, snapshot, get, COMPARED_DEPTH);
  const matched = new Map<SourceSnapshot, Ref>();
  const taken = new Set<Ref>();
  for (const [snapshot, { id }] of yield* matchByName(existing, snapshots, known, (left, right) =>
    pairsByCost(left, right, cost),
  )) {
    matched.set(snapshot, id);
    taken.add(id);
  }
  for (const snapshot of byKey.size === 0 ? [] : snapshots) {
    const id = matched.has(snapshot) ? undefined : known(snapshot)?.id;
    if (id === undefined || taken.has(id)) continue;
    matched.set(snapshot, id);
    taken.add(id);
  }
  const left = existing.filter(({ id }) => !taken.has(id));
  const open = left.length === 0 ? [] : snapshots.filter(snapshot => !matched.has(snapshot));
  if (open.length > 0) yield* matchRenamed(left, open, renamed, cost, matched);
  return matched;
}

function* matchRenamed(
  left: readonly TreeInstance[],
  open: readonly SourceSnapshot[],
  renamed: (snapshot: SourceSnapshot) => Ref | undefined,
  cost: (instance: TreeInstance, snapshot: SourceSnapshot) => number,
  matched: Map<SourceSnapshot, Ref>,
): PausableWork<void> {
  const free = new Map(left.map(instance => [instance.id, instance]));
  for (const snapshot of open) {
    const id = renamed(snapshot);
    if (id === undefined || free.get(id)?.className !== snapshot.className) continue;
    matched.set(snapshot, id);
    free.delete(id);
  }
  const unknown = open.filter(snapshot => !matched.has(snapshot));
  if (free.size * unknown.length > MAX_COMPARED_RENAMES) return;
  const equals = new Map<SourceSnapshot, TreeInstance[]>();
  const uses = new Map<Ref, number>();
  for (const snapshot of unknown.filter(hasContent)) {
    const same = Array.from(free.values()).filter(
      instance => instance.className === snapshot.className && cost(instance, snapshot) === 0,
    );
    equals.set(snapshot, same);
    for (const { id } of same) uses.set(id, (uses.get(id) ?? 0) + 1);
    yield;
  }
  for (const [snapshot, [instance, another]] of equals)
    if (instance !== undefined && another === undefined && uses.get(instance.id) === 1)
      matched.set(snapshot, instance.id);
}

/** Whether a child differs from others by its content: an empty folder or an empty script is like any other. */
const hasContent = ({ properties, children }: SourceSnapshot): boolean =>
  children.length > 0 ||
  Array.from(properties.values()).some(({ type, value }) => type !== 'String' || String(value).trim() !== '');

function difference(instance: TreeInstance, snapshot: SourceSnapshot, get: Get, depth: number): number {
  let cost = 0;
  for (const [name, value] of snapshot.properties) {
    const other = instance.properties.get(name);
    if (other === undefined || !areVariantsIdentical(value, other)) cost += 1;
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
