import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath, Ref } from '../../base/brand.ts';
import { type PausableWork, runInSlices, type TimeSlice } from '../../base/time-slice.ts';
import type { ModelInstance } from '../../roblox/instances/model.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { readModelInSlices } from '../../roblox/formats/model/model-file.ts';
import type { FileTraits } from '../snapshot/file-traits.ts';
import { isGameAttribute } from '../tree/game-attributes.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import type { DesiredInstance } from './desired.ts';
import type { FileDrafts } from './file-drafts.ts';
import type { PullContext } from './pull-context.ts';
import { CannotWriteError } from './cannot-write-error.ts';

interface Node {
  readonly referent: string;
  readonly className: string;
  name: string;
  readonly properties: Map<string, Variant>;
  children: Node[];
  readonly unknownXml?: ReadonlyMap<string, string>;
}

/** A change of the instances of one file. `nodes` contains all instances by referent. */
type ModelEdit = (nodes: Map<string, Node>, removed: RemovedChildren) => void;
/** Referents by parent. All are removed at once, because a list of many children takes long to filter. */
type RemovedChildren = Map<Node, Set<string>>;

/** Binary and XML models that a plan changes. Each is read once and written once, after all changes. */
export class ModelFiles {
  readonly #context: PullContext;
  readonly #drafts: FileDrafts;
  readonly #slice: TimeSlice;
  readonly #steps = new Map<ProjectPath, ModelEdit[]>();
  readonly #writers = new Map<ProjectPath, NonNullable<FileTraits['writeModel']>>();

  constructor(context: PullContext, drafts: FileDrafts, slice: TimeSlice) {
    this.#context = context;
    this.#drafts = drafts;
    this.#slice = slice;
  }

  /** The file that contains an instance, and its referent there. */
  locationOf(instance: TreeInstance): { readonly file: ProjectPath; readonly referent: string } {
    const { modelPlace } = instance;
    let top: TreeInstance | undefined = instance;
    while (top?.modelPlace?.isTop === false) top = this.#context.tree.get(top.parent);
    const source = top?.metadata.source;
    const file = top?.location.entry ?? source?.path;
    if (modelPlace === undefined || file === undefined) throw new CannotWriteError(reasonOf('no_own_file'));
    const write = top?.location.fileKind?.writeModel;
    if (write) this.#writers.set(file, write);
    return { file, referent: modelPlace.referent };
  }

  setProperty(instance: TreeInstance, name: string, value: Variant | undefined): void {
    const { file, referent } = this.locationOf(instance);
    this.#step(file, nodes => {
      const properties = nodes.get(referent)?.properties;
      setOrDelete(properties, name, withOtherAttributes(properties?.get(name), value));
    });
  }

  setName(instance: TreeInstance, name: string): void {
    const { file, referent } = this.locationOf(instance);
    this.#step(file, nodes => {
      const node = nodes.get(referent);
      if (node) node.name = name;
    });
  }

  /** @param target a referent of the same file */
  setReference(file: ProjectPath, referent: string, name: string, target: string | undefined): void {
    // In a model file, a `Ref` value is a referent.
    const value: Variant = { type: 'Ref', value: (target ?? NULL_REF) as Ref };
    this.#step(file, nodes => void nodes.get(referent)?.properties.set(name, value));
  }

  setAttribute(file: ProjectPath, referent: string, name: string, value: string | undefined): void {
    this.#step(file, nodes => {
      const properties = nodes.get(referent)?.properties;
      const before = properties?.get('Attributes');
      const attributes = new Map<string, Variant>(before?.type === 'Attributes' ? before.value : []);
      setOrDelete(attributes, name, value === undefined ? undefined : { type: 'String', value });
      properties?.set('Attributes', { type: 'Attributes', value: attributes });
    });
  }

  remove(instance: TreeInstance): void {
    const { file, referent } = this.locationOf(instance);
    const parent = this.#context.tree.get(instance.parent)?.modelPlace?.referent;
    this.#step(file, (nodes, removed) => {
      const above = nodes.get(parent ?? '');
      if (above) removed.set(above, (removed.get(above) ?? new Set()).add(referent));
    });
  }

  /** Adds an instance below an instance of the file. Calls `onPlace` with the referent of the new instance and of each descendant. */
  add(
    parent: TreeInstance,
    desired: DesiredInstance,
    onPlace: (desired: DesiredInstance, referent: string) => void,
  ): void {
    const { file, referent } = this.locationOf(parent);
    const created = newNode(desired, onPlace);
    this.#step(file, nodes => {
      nodes.get(referent)?.children.push(created);
      for (const node of withDescendants([created])) nodes.set(node.referent, node);
    });
  }

  /** Writes the changed files into the drafts. @returns the files that cannot be written */
  async finish(): Promise<ReadonlyMap<ProjectPath, CannotWriteError>> {
    const failed = new Map<ProjectPath, CannotWriteError>();
    for (const [file, steps] of this.#steps) {
      try {
        if (steps.length > 0) await this.#write(file, steps);
      } catch (error) {
        if (!(error instanceof CannotWriteError)) throw error;
        failed.set(file, error);
      }
    }
    return failed;
  }

  async #write(file: ProjectPath, steps: readonly ModelEdit[]): Promise<void> {
    const write = this.#writers.get(file);
    if (write === undefined) throw new CannotWriteError(reasonOf('not_a_model', file));
    const bytes = await this.#drafts.bytes(file);
    const { reflection, inflate } = this.#context;
    const read = await readModelInSlices(bytes, reflection, inflate, this.#slice);
    if (!read.ok) throw new CannotWriteError(reasonOf('model_unreadable', file, read.error));
    const { roots, nodes } = await runInSlices(copyAll(read.value.roots), this.#slice);
    const removed: RemovedChildren = new Map();
    for (const step of steps) {
      step(nodes, removed);
      await this.#slice.yieldToEventLoop();
    }
    for (const [above, referents] of removed)
      above.children = above.children.filter(child => !referents.has(child.referent));
    const model = { ...read.value, roots };
    const written = await write(model, reflection, this.#slice);
    if (!written.ok) throw new CannotWriteError(reasonOf('model_unwritable', file, written.error));
    await this.#drafts.setBytes(file, written.value);
  }

  #step(file: ProjectPath, step: ModelEdit): void {
    const steps = this.#steps.get(file) ?? [];
    this.#steps.set(file, steps);
    steps.push(step);
    this.#drafts.touch(file);
    this.#drafts.onRollBack(() => {
      steps.splice(steps.lastIndexOf(step), 1);
    });
  }
}

/** Copies instances so that they can change. @returns the roots, and all copies by referent */
function* copyAll(
  instances: readonly ModelInstance[],
): PausableWork<{ readonly roots: Node[]; readonly nodes: Map<string, Node> }> {
  const roots: Node[] = [];
  const nodes = new Map<string, Node>();
  const open = [{ instances, into: roots }];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const instance of next.instances) {
      const node: Node = { ...instance, properties: new Map(instance.properties), children: [] };
      next.into.push(node);
      nodes.set(node.referent, node);
      if (instance.children.length > 0) open.push({ instances: instance.children, into: node.children });
      yield;
    }
  return { roots, nodes };
}

function newNode(desired: DesiredInstance, onPlace: (desired: DesiredInstance, referent: string) => void): Node {
  const referent = `new-${desired.id}`;
  onPlace(desired, referent);
  const properties = new Map(Array.from(desired.properties).filter(([, value]) => value.type !== 'Ref'));
  const { className, name } = desired;
  return { referent, className, name, properties, children: desired.children.map(child => newNode(child, onPlace)) };
}

function withDescendants(roots: readonly Node[]): readonly Node[] {
  const all = Array.from(roots);
  // The iteration includes what is added during it.
  for (const node of all) for (const child of node.children) all.push(child);
  return all;
}

/** Adds the attributes of the file that do not belong to the game, because Studio does not report them. Other values stay unchanged. */
function withOtherAttributes(before: Variant | undefined, value: Variant | undefined): Variant | undefined {
  if (before?.type !== 'Attributes') return value;
  const others = Array.from(before.value).filter(([name]) => !isGameAttribute(name));
  if (others.length === 0) return value;
  return { type: 'Attributes', value: new Map([...others, ...(value?.type === 'Attributes' ? value.value : [])]) };
}

function setOrDelete(map: Map<string, Variant> | undefined, name: string, value: Variant | undefined): void {
  if (value === undefined) map?.delete(name);
  else map?.set(name, value);
}
