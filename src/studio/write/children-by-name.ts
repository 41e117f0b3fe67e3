import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** Finds children by their names while the tree does not change. Reads the children of each instance once. */
export class ChildrenByName {
  readonly #session: Pick<ProjectSession, 'get'>;
  readonly #known = new Map<Ref, ReadonlyMap<string, readonly Instance[]>>();

  constructor(session: Pick<ProjectSession, 'get'>) {
    this.#session = session;
  }

  /** The children of that name, in the order of the tree. */
  *named(parent: Ref, name: string): PausableWork<readonly Instance[]> {
    const known = this.#known.get(parent) ?? (yield* this.#read(parent));
    return known.get(name) ?? [];
  }

  *#read(parent: Ref): PausableWork<ReadonlyMap<string, readonly Instance[]>> {
    const children = new Map<string, Instance[]>();
    for (const id of this.#session.get(parent)?.children ?? []) {
      yield;
      const child = this.#session.get(id);
      if (child === undefined) continue;
      const sameName = children.get(child.name);
      if (sameName === undefined) children.set(child.name, [child]);
      else sameName.push(child);
    }
    this.#known.set(parent, children);
    return children;
  }
}
