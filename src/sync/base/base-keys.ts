import type { Ref } from '../../base/brand.ts';
import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** Number of instances between two pauses. */
const BATCH_SIZE = 256;

const escapeName = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F');

/**
 * Keys that identify instances across sessions: the path of names below the root. Siblings with the same name and their descendants have no
 * key, because it would be ambiguous.
 */
export function* baseKeys(
  session: Pick<ProjectSession, 'get' | 'rootId' | 'descendants'>,
): PausableWork<ReadonlyMap<Ref, string>> {
  const keys = new Map<Ref, string>();
  let count = 0;
  for (const parent of session.descendants(session.rootId)) {
    if ((count += 1) % BATCH_SIZE === 0) yield;
    const prefix = parent.id === session.rootId ? '' : keys.get(parent.id);
    if (prefix === undefined) continue;
    const byName = new Map<string, Ref | undefined>();
    for (const id of parent.children) {
      const name = session.get(id)?.name;
      if (name !== undefined) byName.set(name, byName.has(name) ? undefined : id);
    }
    for (const [name, id] of byName) if (id !== undefined) keys.set(id, childKey(prefix, name));
  }
  return keys;
}

/** The key of a child, from the key of its parent; the parent of a service has the key ''. */
export const childKey = (parent: string, name: string): string =>
  parent === '' ? escapeName(name) : `${parent}/${escapeName(name)}`;

type Tree = Pick<ProjectSession, 'get' | 'rootId'>;

/** Keys of single instances of the current tree, as in `baseKeys`. Valid until the tree changes. */
export class BaseKeysOnDemand {
  readonly #tree: Tree;
  readonly #known = new Map<Ref, string | undefined>();

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#known.set(tree.rootId, '');
  }

  get(id: Ref): string | undefined {
    if (this.#known.has(id)) return this.#known.get(id);
    const parent = this.#tree.get(this.#tree.get(id)?.parent ?? id);
    if (parent === undefined || parent.id === id) return undefined;
    const prefix = this.get(parent.id);
    const byName = new Map<string, Ref | undefined>();
    for (const child of parent.children) {
      const name = this.#tree.get(child)?.name;
      if (name !== undefined) byName.set(name, byName.has(name) ? undefined : child);
      this.#known.set(child, undefined);
    }
    if (prefix === undefined) return undefined;
    for (const [name, child] of byName) if (child !== undefined) this.#known.set(child, childKey(prefix, name));
    return this.#known.get(id);
  }
}

/** Finds children by their keys while the tree does not change. Reads the children of each instance once. */
export class ChildrenByKey {
  readonly #tree: Tree;
  readonly #keys: Pick<ReadonlyMap<Ref, string>, 'get'>;
  readonly #known = new Map<Ref, ReadonlyMap<string, Ref>>();

  constructor(tree: Tree, keys: Pick<ReadonlyMap<Ref, string>, 'get'>) {
    this.#tree = tree;
    this.#keys = keys;
  }

  get(parent: Ref, key: string): Ref | undefined {
    const known = this.#known.get(parent) ?? this.#read(parent);
    return known.get(key);
  }

  #read(parent: Ref): ReadonlyMap<string, Ref> {
    const children = new Map<string, Ref>();
    for (const id of this.#tree.get(parent)?.children ?? []) {
      const key = this.#keys.get(id);
      if (key !== undefined) children.set(key, id);
    }
    this.#known.set(parent, children);
    return children;
  }
}

/**
 * The key that an instance would have if its name were unique.
 *
 * @param get the instances of the tree, possibly in an earlier state
 */
export function pathKeyOf(get: (id: Ref) => Instance | undefined, rootId: Ref, id: Ref): string | undefined {
  const instance = get(id);
  if (instance === undefined || id === rootId) return undefined;
  const above = instance.parent === rootId ? '' : pathKeyOf(get, rootId, instance.parent);
  return above === undefined ? undefined : childKey(above, instance.name);
}

/** The key in `tops` that is this key or that of the nearest ancestor. */
export function keyAtOrAbove(key: string, tops: { has(key: string): boolean }): string | undefined {
  for (let end = key.length; end > 0; end = key.lastIndexOf('/', end - 1)) {
    const one = key.slice(0, end);
    if (tops.has(one)) return one;
  }
  return undefined;
}

/** Whether one of `tops` is the key or the key of an ancestor. */
export const isAtOrBelowAny = (key: string, tops: { has(key: string): boolean }): boolean =>
  keyAtOrAbove(key, tops) !== undefined;
