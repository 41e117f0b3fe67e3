import type { Ref } from '../../base/brand.ts';
import type { ProjectTree, TreeInstance, TreePatch } from '../tree/project-tree.ts';
import { walkInstances } from '../tree/walk-instances.ts';

/** The next state of the tree. Collects changes so that they can be applied in one step. */
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

  /** Whether the instance changes observably, that is, in more than its file locations. */
  hasVisibleChange(id: Ref): boolean {
    return this.#visible.has(id);
  }

  /** Whether any instance changes observably, that is, in more than its file locations. */
  get hasVisibleChanges(): boolean {
    return this.#visible.size > 0;
  }

  get(id: Ref): TreeInstance | undefined {
    return this.#patch.has(id) ? this.#patch.get(id) : this.#tree.get(id);
  }

  /** The instance and its descendants, parents before children. */
  descendants(id: Ref): Generator<TreeInstance> {
    return walkInstances(id, at => this.get(at));
  }

  set(instance: TreeInstance, isVisible: boolean): void {
    this.#patch.set(instance.id, instance);
    if (isVisible) this.#visible.add(instance.id);
  }

  /** Removes an instance and its descendants. The child list of the parent must be updated with `set`. */
  remove(id: Ref): void {
    const open = [id];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const child of this.get(at)?.children ?? []) open.push(child);
      this.#patch.set(at, undefined);
      this.#visible.add(at);
    }
  }
}
