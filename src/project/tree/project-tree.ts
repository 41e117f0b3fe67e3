import { instancePath } from './instance-path.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import { hasReferences } from './resolve-references.ts';
import type { SourceLocation, Origin } from '../snapshot/source-snapshot.ts';
import { PathIndex } from './path-index.ts';
import { walkInstances } from './walk-instances.ts';

/** An instance of the tree, with the data for reading it again and writing it back. */
export interface TreeInstance extends Instance {
  readonly key: string | undefined;
  readonly origin: Origin | undefined;
  readonly location: SourceLocation;
}

/** Changes of the tree by id. `undefined` removes the instance. */
export type TreePatch = ReadonlyMap<Ref, TreeInstance | undefined>;
type Changes = Iterable<readonly [Ref, TreeInstance | undefined]>;

/** The instances by id and by path. Only `apply` and `applyWithPauses` change it. */
export class ProjectTree {
  readonly rootId: Ref;
  readonly #instances = new Map<Ref, TreeInstance>();
  readonly #atPath = new PathIndex();
  readonly #touchedBy = new PathIndex();
  readonly #withId = new Map<string, Set<Ref>>();
  readonly #pointing = new Set<Ref>();
  /** The instances with references by path, by their targets. */
  readonly #pointingByPath = new Map<Ref, Set<Ref>>();

  constructor(rootId: Ref) {
    this.rootId = rootId;
  }

  get(id: Ref): TreeInstance | undefined {
    return this.#instances.get(id);
  }

  /** Number of instances. */
  get size(): number {
    return this.#instances.size;
  }

  /** The instance and its descendants, parents before children. */
  descendants(id: Ref): Generator<TreeInstance> {
    return walkInstances(id, at => this.#instances.get(at));
  }

  idsAtPath(path: ProjectPath): readonly Ref[] {
    return this.#inTreeOrder(this.#present(this.#atPath.get(path)));
  }

  idsTouchedBy(path: ProjectPath): readonly Ref[] {
    return this.#inTreeOrder(this.#present(this.#touchedBy.get(path)));
  }

  /** The instances whose files set that id. */
  idsWithOwnId(text: string): Iterable<Ref> {
    return this.#withId.get(text) ?? [];
  }

  /** The instances whose files contain references. */
  idsWithReferences(): Iterable<Ref> {
    return this.#pointing;
  }

  /** The instances whose files refer to `target` by its path. */
  idsReferringByPath(target: Ref): Iterable<Ref> {
    return this.#pointingByPath.get(target) ?? [];
  }

  /** The path of names without the root, for messages. */
  pathOf(id: Ref): string {
    return instancePath(this, id);
  }

  apply(patch: Changes): void {
    for (const removed of this.#applyAtOnce(patch)) this.#unindex(removed);
  }

  /** Like `apply`, with pauses before and after the one step in which all changes become visible. */
  *applyWithPauses(patch: TreePatch): PausableWork<void> {
    const unindexed: TreeInstance[] = [];
    const indexed: [Ref, TreeInstance | undefined][] = [];
    for (const change of patch) {
      yield;
      const [id, instance] = change;
      const before = this.#instances.get(id);
      if (instance !== undefined && before === undefined) this.#index(instance);
      if (instance !== undefined && !changesReferences(before, instance) && (!before || sameIndexes(before, instance)))
        unindexed.push(instance);
      else indexed.push(change);
    }
    yield;
    for (const instance of unindexed) this.#instances.set(instance.id, instance);
    for (const removed of this.#applyAtOnce(indexed, true)) {
      yield;
      this.#unindex(removed);
    }
  }

  /**
   * Returns the removed instances, whose paths are still in the indexes.
   *
   * @param areNewIndexed whether the indexes contain the new instances already
   */
  #applyAtOnce(patch: Changes, areNewIndexed = false): readonly TreeInstance[] {
    const removed: TreeInstance[] = [];
    for (const [id, instance] of patch) {
      const before = this.#instances.get(id);
      this.#indexReferences(id, before, instance);
      if (instance === undefined) {
        this.#instances.delete(id);
        if (before) removed.push(before);
        continue;
      }
      this.#instances.set(id, instance);
      if (before ? sameIndexes(before, instance) : areNewIndexed) continue;
      if (before) this.#unindex(before);
      this.#index(instance);
    }
    return removed;
  }

  #indexReferences(id: Ref, before: TreeInstance | undefined, after: TreeInstance | undefined): void {
    const [old, own] = [before?.specifiedId, after?.specifiedId];
    if (old !== own) {
      if (old !== undefined) deleteFrom(this.#withId, old, id);
      if (own !== undefined) addTo(this.#withId, own, id);
    }
    for (const [, target] of before ? pathReferencesOf(before) : []) deleteFrom(this.#pointingByPath, target, id);
    for (const [, target] of after ? pathReferencesOf(after) : []) addTo(this.#pointingByPath, target, id);
    if (after && hasReferences(after)) this.#pointing.add(id);
    else this.#pointing.delete(id);
  }

  #index(instance: TreeInstance): void {
    for (const path of ownPaths(instance)) this.#atPath.add(path, instance.id);
    for (const path of instance.metadata.relevantPaths) this.#touchedBy.add(path, instance.id);
  }

  #unindex(instance: TreeInstance): void {
    for (const path of ownPaths(instance)) this.#atPath.delete(path, instance.id);
    for (const path of instance.metadata.relevantPaths) this.#touchedBy.delete(path, instance.id);
  }

  /** Without instances that are being added or removed. */
  #present(ids: readonly Ref[]): readonly Ref[] {
    return ids.every(id => this.#instances.has(id)) ? ids : ids.filter(id => this.#instances.has(id));
  }

  #inTreeOrder(ids: readonly Ref[]): readonly Ref[] {
    if (ids.length < 2) return ids;
    const positions = new Map<Ref, ReadonlyMap<Ref, number>>();
    const places = ids.map(id => ({ id, place: this.#placeOf(id, positions) }));
    return places.sort((a, b) => comparePlaces(a.place, b.place)).map(({ id }) => id);
  }

  /**
   * The position among siblings at each level, starting at the root.
   *
   * @param positions collects the positions of the children of each parent: all children of one parent may be asked for
   */
  #placeOf(id: Ref, positions: Map<Ref, ReadonlyMap<Ref, number>>): readonly number[] {
    const place: number[] = [];
    for (let at = this.get(id); at && at.parent !== NULL_REF; at = this.get(at.parent)) {
      let siblings = positions.get(at.parent);
      if (siblings === undefined) {
        siblings = new Map(this.get(at.parent)?.children.map((child, index) => [child, index]));
        positions.set(at.parent, siblings);
      }
      place.push(siblings.get(at.id) ?? 0);
    }
    return place.reverse();
  }
}

/** The references of an instance that its files write as paths, with their targets. */
export function pathReferencesOf({ namedTargets, properties }: TreeInstance): readonly PathReference[] {
  if (namedTargets === undefined) return noReferences;
  const found: PathReference[] = [];
  for (const [property, { by }] of namedTargets) {
    const target = properties.get(property);
    if (by === 'path' && target?.type === 'Ref') found.push([property, target.value]);
  }
  return found;
}

type PathReference = readonly [property: string, target: Ref];

const noReferences: readonly PathReference[] = [];

/** Whether the indexes of references may have to change. */
const changesReferences = (before: TreeInstance | undefined, after: TreeInstance): boolean =>
  before?.specifiedId !== after.specifiedId || hasReferences(after) || (before !== undefined && hasReferences(before));

function addTo<K>(index: Map<K, Set<Ref>>, key: K, id: Ref): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}

function deleteFrom<K>(index: Map<K, Set<Ref>>, key: K, id: Ref): void {
  const ids = index.get(key);
  if (ids?.delete(id) === true && ids.size === 0) index.delete(key);
}

function ownPaths(instance: TreeInstance): readonly ProjectPath[] {
  const [source, text] = [instance.metadata.source?.path, instance.location.text?.path];
  if (source === undefined && text === undefined) return noPaths;
  return [source, text === source ? undefined : text].filter(path => path !== undefined);
}

const noPaths: readonly ProjectPath[] = [];

function sameIndexes(a: TreeInstance, b: TreeInstance): boolean {
  if (a.metadata === b.metadata && a.location.text?.path === b.location.text?.path) return true;
  const [x, y] = [
    [...ownPaths(a), ...a.metadata.relevantPaths],
    [...ownPaths(b), ...b.metadata.relevantPaths],
  ];
  return x.length === y.length && ownPaths(a).length === ownPaths(b).length && x.every((path, i) => path === y[i]);
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((place, i) => place !== b[i]);
  return index < 0 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? -1);
}
