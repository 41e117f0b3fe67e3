import type { Ref } from '../../base/brand.ts';
import type { Instance } from '../../roblox/instances/instance.ts';

/** A tree, or a session that has one. */
interface Tree {
  readonly rootId: Ref;
  get(id: Ref): Pick<Instance, 'id' | 'name' | 'parent'> | undefined;
}

/** The names on the path to an instance, without the root. Empty for the root, and for an instance that the tree does not have. */
export function namesOnPath(tree: Tree, id: Ref): readonly string[] {
  const names: string[] = [];
  for (let at = tree.get(id); at !== undefined && at.id !== tree.rootId; at = tree.get(at.parent)) names.push(at.name);
  return names.reverse();
}

/** The path of names to an instance, for people: `Workspace/Map/Door`. */
export const instancePath = (tree: Tree, id: Ref): string => namesOnPath(tree, id).join('/');
