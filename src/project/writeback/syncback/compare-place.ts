import { isScriptClass } from '../../../protocol/script-class.ts';
import type { ProjectPath, Ref } from '../../../base/brand.ts';
import type { Reflection } from '../../../roblox/instances/reflection.ts';
import { NULL_REF } from '../../../roblox/values/ref.ts';
import type { Variant } from '../../../roblox/values/variant.ts';
import { type TimeSlice, runInSlices } from '../../../base/time-slice.ts';
import { compareByteOrder } from '../../../base/byte-order.ts';
import type { ProjectTree, TreeInstance } from '../../tree/project-tree.ts';
import type { DesiredInstance } from '../desired.ts';
import type { Pull } from '../pull.ts';
import { canBecomeScript } from '../plan-become-script.ts';
import { changedValues } from './compare-values.ts';
import { nestedProjectOf } from '../nested-project.ts';
import { DesiredMatcher } from './match-desired.ts';

/** A part of a place that is not written to files, with the reason. */
export interface SyncbackNote {
  /** The path of names without the root. */
  readonly path: string;
  readonly reason: string;
}

export interface PlaceRules {
  /** Whether an instance is neither compared nor written nor removed. */
  readonly ignores: (path: string, className: string, desired: DesiredInstance | undefined) => boolean;
  /** Whether the files of an instance are not changed. */
  readonly excludesInstance: (instance: TreeInstance) => boolean;
  readonly excludesProperty: (className: string, name: string) => boolean;
}

export interface PlaceComparison {
  readonly pulls: readonly Pull[];
  /** For each pull, the path of names of its instance, without the root. */
  readonly paths: readonly string[];
  readonly notes: readonly SyncbackNote[];
  /** Changes that cannot be written to files. */
  readonly refused: readonly SyncbackNote[];
}

type Pair = readonly [instance: TreeInstance, desired: DesiredInstance, path: string];

/** Compares a project with the place or model that it should match. */
export async function comparePlace(
  tree: ProjectTree,
  reflection: Reflection,
  root: DesiredInstance,
  rules: PlaceRules,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<PlaceComparison> {
  const top = tree.get(tree.rootId);
  if (top === undefined) return { pulls: [], paths: [], notes: [], refused: [] };
  const comparison = new Comparison(tree, reflection, rules);
  // References can have any instance as target, so all pairs must be known before values are compared.
  await comparison.match(top, root, slice, signal);
  return comparison.finish(slice, signal);
}

class Comparison {
  readonly #tree: ProjectTree;
  readonly #reflection: Reflection;
  readonly #rules: PlaceRules;
  readonly #matcher: DesiredMatcher;
  readonly #ids = new Map<string, string>();
  readonly #pairs: Pair[] = [];
  readonly #removed: (readonly [TreeInstance, string])[] = [];
  readonly #created: (readonly [parent: TreeInstance, DesiredInstance, string])[] = [];
  readonly #notes: SyncbackNote[] = [];

  constructor(tree: ProjectTree, reflection: Reflection, rules: PlaceRules) {
    this.#tree = tree;
    this.#reflection = reflection;
    this.#rules = rules;
    this.#matcher = new DesiredMatcher({
      reflection,
      excludes: rules.excludesProperty,
      childrenOf: instance => this.#childrenOf(instance),
    });
  }

  async match(top: TreeInstance, root: DesiredInstance, slice: TimeSlice, signal: AbortSignal): Promise<void> {
    const open: Pair[] = [[top, root, '']];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      signal.throwIfAborted();
      await slice.yieldToEventLoop();
      const [instance, desired, path] = pair;
      this.#ids.set(desired.id, instance.id);
      this.#pairs.push(pair);
      const below = (name: string): string => (path === '' ? name : `${path}/${name}`);
      const { pairs, onlyOnDisk, onlyInPlace } = await runInSlices(
        this.#matcher.match(this.#childrenOf(instance), desired.children),
        slice,
      );
      for (const [child, twin] of pairs) {
        const at = below(child.name);
        if (!this.#rules.ignores(at, child.className, twin) && !this.#rules.excludesInstance(child))
          open.push([child, twin, at]);
        else this.#ids.set(twin.id, child.id);
      }
      const twins = new Map(onlyInPlace.toReversed().map(child => [child.name, child]));
      for (const child of onlyOnDisk) {
        const twin = twins.get(child.name);
        const at = below(child.name);
        if (twin !== undefined && this.#becomesScript(child, twin, at)) open.push([child, twin, at]);
        else this.#planRemoval(child, at, twins);
      }
      if (onlyInPlace.length === 0 || !this.#canHaveChildren(instance)) continue;
      // Sorted by name, so that the numbering of file names does not depend on the order in the place.
      const nodeNames = new Set(
        this.#childrenOf(instance)
          .filter(child => child.metadata.source?.kind === 'projectNode' && nestedProjectOf(child) === undefined)
          .map(child => child.name),
      );
      for (const child of onlyInPlace.toSorted((a, b) => compareByteOrder(a.name, b.name)))
        if (!nodeNames.has(child.name)) this.#planCreation(instance, child, below(child.name));
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
      excludes: this.#rules.excludesProperty,
      idOf: (referent: string) => this.#ids.get(referent),
    };
    for (const [instance, desired, path] of this.#pairs) {
      signal.throwIfAborted();
      await slice.yieldToEventLoop();
      if (instance.className !== desired.className && canBecomeScript(instance)) {
        add({ kind: 'becomeScript', id: instance.id, instance: { ...this.#withTreeIds(desired), children: [] } }, path);
        continue;
      }
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
    for (const [instance, path] of this.#removed) add({ kind: 'delete', id: instance.id }, path);
    for (const [parent, desired, path] of this.#created)
      add({ kind: 'create', parentId: parent.id, instance: this.#withTreeIds(desired) }, path);
    return { pulls, paths, notes: this.#notes, refused };
  }

  /** Files that describe several instances whose text differs in the place. */
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

  #becomesScript(child: TreeInstance, twin: DesiredInstance, path: string): boolean {
    return (
      canBecomeScript(child) &&
      isScriptClass(twin.className) &&
      !this.#rules.ignores(path, twin.className, twin) &&
      !this.#rules.excludesInstance(child)
    );
  }

  /** An instance that only the project has: its files are removed, unless it is a node of a project file. */
  #planRemoval(child: TreeInstance, path: string, twins: ReadonlyMap<string, DesiredInstance>): void {
    if (this.#rules.ignores(path, child.className, undefined) || this.#rules.excludesInstance(child)) return;
    if (child.metadata.source?.kind !== 'projectNode' || nestedProjectOf(child) !== undefined)
      return void this.#removed.push([child, path]);
    const twin = twins.get(child.name);
    const { file } = child.metadata.source;
    const reason =
      twin === undefined
        ? `it is a node in ${file} but not in the place; remove it from the project file by hand`
        : `it is a ${child.className} in ${file} but a ${twin.className} in the place; change the project by hand`;
    this.#notes.push({ path, reason });
  }

  /** An instance that only the place has. */
  #planCreation(parent: TreeInstance, desired: DesiredInstance, path: string): void {
    if (this.#rules.ignores(path, desired.className, desired)) return;
    if (parent.location.kind === 'node' && parent.location.missing?.includes(desired.name)) {
      const reason =
        'the project has a node with this name whose optional "$path" does not exist; create that path first';
      return void this.#notes.push({ path, reason });
    }
    const visible = this.#withoutIgnored(desired, path);
    this.#created.push([parent, visible, path]);
    this.#keepIds(visible);
  }

  /** Removes ignored descendants of a new instance. */
  #withoutIgnored(desired: DesiredInstance, path: string): DesiredInstance {
    const children = desired.children.flatMap(child => {
      const at = `${path}/${child.name}`;
      return this.#rules.ignores(at, child.className, child) ? [] : [this.#withoutIgnored(child, at)];
    });
    return { ...desired, children };
  }

  /** Keeps the ids of the place for new instances, because references use them. */
  #keepIds(desired: DesiredInstance): void {
    this.#ids.set(desired.id, desired.id);
    for (const child of desired.children) this.#keepIds(child);
  }

  /** The instance without excluded properties. Its references have ids of the tree; those to instances that the project does not get are removed. */
  #withTreeIds(desired: DesiredInstance): DesiredInstance {
    const { className } = desired;
    const properties = new Map<string, Variant>();
    for (const [name, value] of desired.properties) {
      if (this.#rules.excludesProperty(className, name)) continue;
      if (value.type !== 'Ref') {
        properties.set(name, value);
        continue;
      }
      const id = this.#ids.get(value.value);
      if (id !== undefined && value.value !== NULL_REF) properties.set(name, { type: 'Ref', value: id as Ref });
    }
    return { ...desired, properties, children: desired.children.map(child => this.#withTreeIds(child)) };
  }

  #childrenOf(instance: TreeInstance): readonly TreeInstance[] {
    return instance.children.map(id => this.#tree.get(id)).filter(child => child !== undefined);
  }

  /** Whether new children can be added. A project node without a path contains only what the project lists. */
  #canHaveChildren({ location, modelPlace }: TreeInstance): boolean {
    return (
      location.kind !== 'node' ||
      location.folder !== undefined ||
      location.text !== undefined ||
      modelPlace !== undefined ||
      location.children !== undefined
    );
  }
}
