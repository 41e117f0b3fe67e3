import type { Ref } from '../../base/brand.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { pathKeyOf } from './base-keys.ts';

/** Maximum number of instances; a later comparison removes the keys of others from the base. */
const MAX_INSTANCES = 50_000;

/** The keys that removed, renamed and moved instances had before, because the base still contains them. */
export class FormerKeys {
  readonly #keys = new Map<Ref, readonly string[]>();

  constructor(session: Pick<ProjectSession, 'get' | 'rootId' | 'onDidChange'>) {
    session.onDidChange(({ before }) => {
      for (const [id, then] of before) {
        const now = session.get(id);
        if (then === undefined || (now?.name === then.name && now.parent === then.parent)) continue;
        const key = pathKeyOf(one => (before.has(one) ? before.get(one) : session.get(one)), session.rootId, id);
        if (key !== undefined) this.#add(id, key);
      }
    });
  }

  #add(id: Ref, key: string): void {
    const known = this.#keys.get(id) ?? [];
    if (known.includes(key)) return;
    this.#keys.set(id, [...known, key]);
    const oldest = this.#keys.keys().next();
    if (this.#keys.size > MAX_INSTANCES && !oldest.done) this.#keys.delete(oldest.value);
  }

  /** The former keys of an instance, oldest first. The next call returns only later ones. */
  take(id: Ref): readonly string[] {
    const keys = this.#keys.get(id) ?? [];
    this.#keys.delete(id);
    return keys;
  }
}
