import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { KnownInstances } from './patch-message.ts';

/** The latest changes of a tree, to reconstruct the state at an earlier revision. Drops the oldest changes above a limit. */
export class TreeHistory {
  readonly #patches: TreeChange[] = [];
  readonly #maxChanges: number;
  #changes = 0;
  /** Changes up to this revision have been dropped. */
  #forgottenTo: number;

  /** @param revision the current revision of the tree; earlier states are unknown */
  constructor(revision: number, maxChanges: number) {
    this.#forgottenTo = revision;
    this.#first = revision;
    this.#maxChanges = maxChanges;
  }

  readonly #first: number;

  add(change: TreeChange): void {
    this.#patches.push(change);
    this.#changes += change.before.size;
    while (this.#changes > this.#maxChanges) {
      const oldest = this.#patches.shift();
      if (oldest === undefined) return;
      this.#changes -= oldest.before.size;
      this.#forgottenTo = oldest.revision;
    }
  }

  /**
   * Returns the instances that changed after `revision`, in their state at that revision; `undefined` if it has been dropped. A revision
   * from before the tree was loaded is treated as the first one.
   */
  since(revision: number): KnownInstances | undefined {
    if (revision < this.#forgottenTo && this.#forgottenTo > this.#first) return undefined;
    const known = new Map<Ref, Instance | undefined>();
    for (const patch of this.#patches) {
      if (patch.revision <= revision) continue;
      for (const [id, before] of patch.before) if (!known.has(id)) known.set(id, before);
    }
    return known;
  }
}
