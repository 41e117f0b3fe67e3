import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** Names of properties, `Name` and `Source` among them; `all` for an instance that was created or moved. */
export type PartNames = readonly string[] | 'all';

/** A change is sent right after it was written; most are not sent at all. */
const MAX_CHANGES = 1_000;

/** The changes that Studio sent, in their state in the tree: Studio has them, so sending them replaces nothing. */
export class ChangesFromStudio {
  readonly #changes = new Map<Ref, { readonly instance: Instance | undefined; readonly names: PartNames }>();

  /** @param instance the state of the instance in the tree, which may have other changes of disk too */
  add(id: Ref, instance: Instance | undefined, names: PartNames): void {
    this.#changes.set(id, { instance, names });
    const oldest = this.#changes.keys().next();
    if (this.#changes.size > MAX_CHANGES && !oldest.done) this.#changes.delete(oldest.value);
  }

  /** Forgets the change. Returns the parts that Studio has as the tree does; none if the tree has changed since. */
  take(id: Ref, now: Instance | undefined): PartNames {
    const change = this.#changes.get(id);
    this.#changes.delete(id);
    return change !== undefined && change.instance === now ? change.names : [];
  }
}
