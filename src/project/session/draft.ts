import type { Ref } from '../../base/brand.ts';
import type { ProjectTree, TreeInstance, TreePatch } from '../tree/project-tree.ts';

/** The tree as it will be: changes pile up here and go into the tree in one step. */
export class Draft {
  readonly #tree: ProjectTree;
  readonly #patch = new Map<Ref, TreeInstance | undefined>();
  readonly #visible = new Set<Ref>();

  constructor(tree: ProjectTree) {
    this.#tree = tree;
  }

  get patch(): TreePatch {
    return this.#patch;
  }

  /** Whether others can see what changes about the instance; the rest is where it is read from, and what is written where. */
  shows(id: Ref): boolean {
    return this.#visible.has(id);
  }

  /** Whether anything changes that somebody outside can see, beside where it is read from. */
  get isVisible(): boolean {
    return this.#visible.size > 0;
  }

  get(id: Ref): TreeInstance | undefined {
    return this.#patch.has(id) ? this.#patch.get(id) : this.#tree.get(id);
  }

  /** The instance and everything below it, parents before children. */
  *descendants(id: Ref): Generator<TreeInstance> {
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const instance = this.get(at);
      if (instance === undefined) continue;
      yield instance;
      open.push(...instance.children.toReversed());
    }
  }

  set(instance: TreeInstance, isVisible: boolean): void {
    this.#patch.set(instance.id, instance);
    if (isVisible) this.#visible.add(instance.id);
  }

  /** Removes an instance and everything below it. Its parent keeps its list of children until `set` gives it another. */
  remove(id: Ref): void {
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      open.push(...(this.get(at)?.children ?? []));
      this.#patch.set(at, undefined);
      this.#visible.add(at);
    }
  }
}
