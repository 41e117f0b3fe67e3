import type { ProjectPath, Ref } from '../../../base/brand.ts';
import type { Reflection } from '../../../roblox/instances/reflection.ts';
import { NULL_REF } from '../../../roblox/values/ref.ts';
import type { Variant } from '../../../roblox/values/variant.ts';
import { type TimeSlice, runInSlices } from '../../../base/time-slice.ts';
import { compareByteOrder } from '../../project-file/byte-order.ts';
import type { ProjectTree, TreeInstance } from '../../tree/project-tree.ts';
import type { Desired } from '../desired.ts';
import type { Pull } from '../pull.ts';
import { changedValues, isBlank } from './compare-values.ts';
import { matchDesired } from './match-desired.ts';

/** Something of a place that the files will not say, and why. */
export interface SyncbackNote {
  /** Names from below the root. */
  readonly path: string;
  readonly reason: string;
}

export interface PlaceRules {
  /** Instances that are neither looked at nor written nor removed. */
  readonly ignores: (path: string, className: string, desired: Desired | undefined) => boolean;
  /** Whether files of that instance are left alone. */
  readonly hidesInstance: (instance: TreeInstance) => boolean;
  readonly hidesProperty: (className: string, name: string) => boolean;
}

export interface PlaceComparison {
  readonly pulls: readonly Pull[];
  /** For each pull, whose it is: names from below the root. */
  readonly paths: readonly string[];
  readonly notes: readonly SyncbackNote[];
  /** What cannot be brought into files, whatever else is. */
  readonly refused: readonly SyncbackNote[];
}

type Pair = readonly [instance: TreeInstance, desired: Desired, path: string];

/** Everything by which a project differs from a place, or a model, that it is to become. */
export async function comparePlace(
  tree: ProjectTree,
  reflection: Reflection,
  root: Desired,
  rules: PlaceRules,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<PlaceComparison> {
  const top = tree.get(tree.rootId);
  if (top === undefined) return { pulls: [], paths: [], notes: [], refused: [] };
  const comparison = new Comparison(tree, reflection, rules);
  // References can lead anywhere, so all pairs are known before values are looked at.
  await comparison.match(top, root, slice, signal);
  return comparison.finish(slice, signal);
}

class Comparison {
  readonly #tree: ProjectTree;
  readonly #reflection: Reflection;
  readonly #rules: PlaceRules;
  readonly #ids = new Map<string, string>();
  readonly #pairs: Pair[] = [];
  readonly #left: (readonly [TreeInstance, string])[] = [];
  readonly #made: (readonly [parent: TreeInstance, Desired, string])[] = [];
  readonly #notes: SyncbackNote[] = [];

  constructor(tree: ProjectTree, reflection: Reflection, rules: PlaceRules) {
    this.#tree = tree;
    this.#reflection = reflection;
    this.#rules = rules;
  }

  async match(top: TreeInstance, root: Desired, slice: TimeSlice, signal: AbortSignal): Promise<void> {
    const open: Pair[] = [[top, root, '']];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      signal.throwIfAborted();
      await slice.yieldToEventLoop();
      const [instance, desired, path] = pair;
      this.#ids.set(desired.id, instance.id);
      this.#pairs.push(pair);
      const below = (name: string): string => (path === '' ? name : `${path}/${name}`);
      const { pairs, onlyOnDisk, onlyInPlace } = await runInSlices(
        matchDesired(this.#childrenOf(instance), desired.children, child => this.#childrenOf(child)),
        slice,
      );
      for (const [child, twin] of pairs) {
        const at = below(child.name);
        if (!this.#rules.ignores(at, child.className, twin) && !this.#rules.hidesInstance(child))
          open.push([child, twin, at]);
        else this.#ids.set(twin.id, child.id);
      }
      const twins = new Map(onlyInPlace.toReversed().map(child => [child.name, child]));
      for (const child of onlyOnDisk) this.#leave(child, below(child.name), twins);
      if (onlyInPlace.length === 0 || !this.#holdsChildren(instance)) continue;
      // By name, so that which one gets a number does not depend on the order in the place.
      const nodeNames = new Set(
        this.#childrenOf(instance)
          .filter(child => child.metadata.source?.kind === 'projectNode')
          .map(child => child.name),
      );
      for (const child of onlyInPlace.toSorted((a, b) => compareByteOrder(a.name, b.name)))
        if (!nodeNames.has(child.name)) this.#make(instance, child, below(child.name));
    }
  }

  async finish(slice: TimeSlice, signal: AbortSignal): Promise<PlaceComparison> {
    const pulls: Pull[] = [];
    const paths: string[] = [];
    const refused: SyncbackNote[] = [];
    const disputed = this.#disputedFiles();
    const add = (pull: Pull, path: string): void => {
      pulls.push(pull);
      paths.push(path);
    };
    const values = {
      reflection: this.#reflection,
      hides: this.#rules.hidesProperty,
      idOf: (referent: string) => this.#ids.get(referent),
    };
    for (const [instance, desired, path] of this.#pairs) {
      signal.throwIfAborted();
      await slice.yieldToEventLoop();
      if (instance.className !== desired.className) {
        const reason = `it is a ${instance.className} in the project but a ${desired.className} in the place; change the project by hand`;
        this.#notes.push({ path, reason });
        continue;
      }
      const changed = new Map(changedValues(instance, desired, values));
      if (changed.has('Source') && instance.location.fileKind?.content === 'data') {
        changed.delete('Source');
        const reason = `its Source is generated from ${instance.location.entry ?? 'a data file'}, which is not changed`;
        this.#notes.push({ path, reason });
      }
      const { text } = instance.location;
      if (text && changed.has(text.format.property) && disputed.has(text.path)) {
        changed.delete(text.format.property);
        const reason = `${text.path} describes several instances that differ in the place; give each instance a separate file`;
        refused.push({ path, reason });
      }
      if (changed.size > 0) add({ kind: 'edit', id: instance.id, values: changed }, path);
    }
    for (const [instance, path] of this.#left) add({ kind: 'delete', id: instance.id }, path);
    for (const [parent, desired, path] of this.#made)
      add({ kind: 'create', parentId: parent.id, instance: this.#ready(desired) }, path);
    return { pulls, paths, notes: this.#notes, refused };
  }

  /** Files of which several instances are made that the place wants to be of different texts. */
  #disputedFiles(): ReadonlySet<ProjectPath> {
    const wanted = new Map<ProjectPath, string>();
    const disputed = new Set<ProjectPath>();
    for (const [{ location }, desired] of this.#pairs) {
      if (location.text === undefined) continue;
      const value = desired.properties.get(location.text.format.property);
      const text = value?.type === 'String' ? value.value : '';
      if ((wanted.get(location.text.path) ?? text) !== text) disputed.add(location.text.path);
      wanted.set(location.text.path, text);
    }
    return disputed;
  }

  #leave(child: TreeInstance, path: string, twins: ReadonlyMap<string, Desired>): void {
    if (this.#rules.ignores(path, child.className, undefined) || this.#rules.hidesInstance(child)) return;
    if (child.metadata.source?.kind !== 'projectNode') return void this.#left.push([child, path]);
    const twin = twins.get(child.name);
    const { file } = child.metadata.source;
    const reason =
      twin === undefined
        ? `it is a node in ${file} but not in the place; remove it from the project file by hand`
        : `it is a ${child.className} in ${file} but a ${twin.className} in the place; change the project by hand`;
    this.#notes.push({ path, reason });
  }

  #make(parent: TreeInstance, desired: Desired, path: string): void {
    if (this.#rules.ignores(path, desired.className, desired)) return;
    if (parent.location.kind === 'node' && parent.location.missing?.includes(desired.name)) {
      const reason =
        'the project has a node with this name whose optional "$path" does not exist; create that path first';
      return void this.#notes.push({ path, reason });
    }
    const looked = this.#withoutIgnored(desired, path);
    this.#made.push([parent, looked, path]);
    this.#note(looked);
  }

  /** What lies below a new instance follows the same rules. */
  #withoutIgnored(desired: Desired, path: string): Desired {
    const children = desired.children.flatMap(child => {
      const at = `${path}/${child.name}`;
      return this.#rules.ignores(at, child.className, child) ? [] : [this.#withoutIgnored(child, at)];
    });
    return { ...desired, children };
  }

  /** New instances keep the ids of the place, by which references find them. */
  #note(desired: Desired): void {
    this.#ids.set(desired.id, desired.id);
    for (const child of desired.children) this.#note(child);
  }

  #ready(desired: Desired): Desired {
    const { className } = desired;
    const properties = new Map<string, Variant>();
    for (const [name, value] of desired.properties) {
      if (this.#rules.hidesProperty(className, name)) continue;
      if (value.type !== 'Ref') {
        if (this.#reflection.defaultOf(className, name) !== undefined || !isBlank(value) || name === 'Source')
          properties.set(name, value);
        continue;
      }
      const id = this.#ids.get(value.value);
      if (id !== undefined && value.value !== NULL_REF) properties.set(name, { type: 'Ref', value: id as Ref });
    }
    return { ...desired, properties, children: desired.children.map(child => this.#ready(child)) };
  }

  #childrenOf(instance: TreeInstance): readonly TreeInstance[] {
    return instance.children.map(id => this.#tree.get(id)).filter(child => child !== undefined);
  }

  /** A node of the project without a path is for what the project names, and for nothing else. */
  #holdsChildren({ location, modelPlace }: TreeInstance): boolean {
    return (
      location.kind !== 'node' ||
      location.folder !== undefined ||
      location.text !== undefined ||
      modelPlace !== undefined ||
      location.children !== undefined
    );
  }
}
