import type { ProjectPath, Ref } from '../../base/brand.ts';

/** Maps paths to instances. Most paths have one instance, so a set is created only for the second. */
export class PathIndex {
  readonly #ids = new Map<ProjectPath, Ref | Set<Ref>>();

  get(path: ProjectPath): readonly Ref[] {
    const ids = this.#ids.get(path);
    if (ids === undefined) return [];
    return typeof ids === 'string' ? [ids] : Array.from(ids);
  }

  add(path: ProjectPath, id: Ref): void {
    const ids = this.#ids.get(path);
    if (ids === undefined) this.#ids.set(path, id);
    else if (typeof ids !== 'string') ids.add(id);
    else if (ids !== id) this.#ids.set(path, new Set([ids, id]));
  }

  delete(path: ProjectPath, id: Ref): void {
    const ids = this.#ids.get(path);
    if (ids === id) this.#ids.delete(path);
    else if (typeof ids === 'object' && ids.delete(id) && ids.size === 0) this.#ids.delete(path);
  }
}
