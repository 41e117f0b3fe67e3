import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { TreeChange } from '../../project/project-session.ts';
import type { Known } from './patch-message.ts';

/** The latest patches of a tree: enough to say what somebody knew at an earlier revision. Forgets the oldest when it holds too much. */
export class TreeHistory {
  readonly #patches: TreeChange[] = [];
  readonly #mostChanges: number;
  #changes = 0;
  /** Nothing that came up to this revision is here any more. */
  #forgottenTo: number;

  /** @param revision of the tree now: what was before shows nowhere */
  constructor(revision: number, mostChanges: number) {
    this.#forgottenTo = revision;
    this.#first = revision;
    this.#mostChanges = mostChanges;
  }

  readonly #first: number;

  add(change: TreeChange): void {
    this.#patches.push(change);
    this.#changes += change.before.size;
    while (this.#changes > this.#mostChanges) {
      const oldest = this.#patches.shift();
      if (oldest === undefined) return;
      this.#changes -= oldest.before.size;
      this.#forgottenTo = oldest.revision;
    }
  }

  /**
   * Everything that has changed after `revision`, as it was then; `undefined` when that is forgotten. A revision from before the tree
   * was loaded counts as the first one, since nobody can know anything from then.
   */
  since(revision: number): Known | undefined {
    if (revision < this.#forgottenTo && this.#forgottenTo > this.#first) return undefined;
    const known = new Map<Ref, Instance | undefined>();
    for (const patch of this.#patches) {
      if (patch.revision <= revision) continue;
      for (const [id, before] of patch.before) if (!known.has(id)) known.set(id, before);
    }
    return known;
  }
}
