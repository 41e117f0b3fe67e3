import type { Ref } from '../../base/brand.ts';
import { type PausableWork, runInSlices } from '../../base/time-slice.ts';
import type { Random } from '../../ports/random.ts';
import { areVariantsIdentical } from '../../roblox/instances/equality.ts';
import type { InstanceMetadata, Source } from '../../roblox/instances/instance.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import type { Dialect } from '../project-file/project-file.ts';
import { readNamedTargets } from '../tree/resolve-references.ts';
import type { SourceSnapshot } from '../snapshot/source-snapshot.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { Draft } from './draft.ts';
import { withKnownReferences } from './draft-references.ts';
import type { ExpectedRenames } from './expected-renames.ts';
import { isSnapshot, matchChildren } from './match-children.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import type { TimeSlice } from '../../base/time-slice.ts';

export interface MergeContext {
  readonly draft: Draft;
  readonly random: Random;
  readonly slice: TimeSlice;
  readonly reflection: Reflection;
  readonly dialect: Dialect;
  /** Collects every id that a snapshot was merged into. */
  readonly merged: Set<Ref>;
  readonly renames: ExpectedRenames;
}

/** Updates the instance `id` in the draft from the snapshot, keeping the ids of existing instances. */
export async function mergeSnapshot(
  context: MergeContext,
  id: Ref,
  parent: Ref,
  snapshot: SourceSnapshot,
): Promise<void> {
  const { draft, random, slice } = context;
  if (slice.isUsedUp()) await slice.waitForNextTurn();
  if (mergeLeaf(context, id, parent, snapshot)) return;
  context.merged.add(id);
  const before = draft.get(id);
  const old = (before?.children ?? []).map(child => draft.get(child)).filter(child => child !== undefined);
  const keptKeys = new Set(snapshot.children.filter(child => child.kind === 'kept').map(child => child.key));
  const kept = Map.groupBy(
    old.filter(child => child.key !== undefined && keptKeys.has(child.key)),
    child => child.key,
  );
  const open = old.filter(child => child.key === undefined || !keptKeys.has(child.key));
  const matched = open.length === 0 ? nothingMatched : await runInSlices(match(context, id, open, snapshot), slice);
  const children: Ref[] = [];
  let hasHiddenChildren = false;
  for (const child of snapshot.children) {
    if (child.kind === 'kept') {
      const ids = kept.get(child.key)?.map(instance => instance.id) ?? [];
      kept.delete(child.key);
      for (const keptId of ids) children.push(keptId);
      // Studio may hold the content of a file that was never readable, so nothing there may be suggested for deletion.
      hasHiddenChildren ||= child.broken && ids.length === 0;
    } else {
      const childId = matched.get(child) ?? (random.ref() as Ref);
      children.push(childId);
      // Most instances have no children, and a promise for each of them takes longer than merging it.
      if (slice.isUsedUp() || !mergeLeaf(context, childId, id, child)) await mergeSnapshot(context, childId, id, child);
    }
  }
  const remaining = new Set(children);
  for (const child of old) if (!remaining.has(child.id)) draft.remove(child.id);
  setInDraft(context, id, parent, snapshot, before, children, hasHiddenChildren);
}

/** Merges an instance that has no children, before and after. Returns whether it is one. */
function mergeLeaf(context: MergeContext, id: Ref, parent: Ref, snapshot: SourceSnapshot): boolean {
  if (snapshot.children.length > 0) return false;
  const before = context.draft.get(id);
  if (before !== undefined && before.children.length > 0) return false;
  context.merged.add(id);
  setInDraft(context, id, parent, snapshot, before, childless, false);
  return true;
}

const nothingMatched: ReadonlyMap<SourceSnapshot, Ref> = new Map();

const match = (
  { draft, renames }: MergeContext,
  id: Ref,
  open: readonly TreeInstance[],
  snapshot: SourceSnapshot,
): PausableWork<ReadonlyMap<SourceSnapshot, Ref>> =>
  matchChildren(
    open,
    snapshot.children.filter(isSnapshot),
    child => draft.get(child),
    child => renames.idOf(id, child),
  );

function setInDraft(
  context: MergeContext,
  id: Ref,
  parent: Ref,
  snapshot: SourceSnapshot,
  before: TreeInstance | undefined,
  children: readonly Ref[],
  hasHiddenChildren: boolean,
): void {
  const { draft } = context;
  const { metadata } = snapshot;
  const { properties, ownId, targets } = readNamedTargets(
    withKeptValues(snapshot, before),
    context.dialect,
    name => context.reflection.property(snapshot.className, name)?.canonicalName ?? name,
  );
  const read: TreeInstance = {
    id,
    parent,
    key: snapshot.key,
    origin: snapshot.origin,
    location: snapshot.location,
    name: snapshot.name,
    className: snapshot.className,
    properties,
    children,
    metadata: hasHiddenChildren ? { ...metadata, globIgnoredChildren: true } : metadata,
    specifiedId: snapshot.specifiedId ?? ownId,
    namedTargets: targets,
    modelPlace: snapshot.modelPlace,
  };
  const next = withKnownReferences(read, before);
  if (before === undefined || !isObservablyEqual(before, next)) draft.set(next, true);
  // Observable state keeps its object identity, so that identity shows whether it changed.
  else {
    const { key, origin, location, specifiedId, namedTargets, modelPlace } = next;
    draft.set({ ...before, key, origin, location, specifiedId, namedTargets, modelPlace }, false);
  }
}

/** Keeps the previous values of unreadable properties. */
function withKeptValues(snapshot: SourceSnapshot, before: TreeInstance | undefined): ReadonlyMap<string, Variant> {
  if (snapshot.unreadable.size === 0) return snapshot.properties;
  const kept = Array.from(snapshot.unreadable).flatMap(name => {
    const value = before?.className === snapshot.className ? before.properties.get(name) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return kept.length === 0 ? snapshot.properties : new Map([...snapshot.properties, ...kept]);
}

function isObservablyEqual(a: TreeInstance, b: TreeInstance): boolean {
  return (
    a.parent === b.parent &&
    a.name === b.name &&
    a.className === b.className &&
    isSameList(a.children, b.children) &&
    a.properties.size === b.properties.size &&
    Array.from(a.properties).every(([name, value]) => {
      const other = b.properties.get(name);
      return other !== undefined && areVariantsIdentical(value, other);
    }) &&
    isSameMetadata(a.metadata, b.metadata)
  );
}

const isSameMetadata = (a: InstanceMetadata, b: InstanceMetadata): boolean =>
  a.ignoreUnknownInstances === b.ignoreUnknownInstances &&
  a.globIgnoredChildren === b.globIgnoredChildren &&
  isSameSource(a.source, b.source) &&
  isSameList(a.relevantPaths, b.relevantPaths);

function isSameSource(a: Source | undefined, b: Source | undefined): boolean {
  if (a === undefined || b === undefined || a.kind !== b.kind || a.path !== b.path) return a === b;
  return a.kind === 'path' || (b.kind === 'projectNode' && a.file === b.file && isSameList(a.names, b.names));
}

const childless: readonly Ref[] = [];

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
