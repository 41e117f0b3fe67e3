import { splitPaths } from '../../../protocol/path-name.ts';
import { compareNames } from '../../../base/compare-names.ts';
import type { PendingChange } from '../../pending-changes.ts';

/** A line of the Changes view: a change, or a group of changes. */
export interface ChangeNode {
  /** Unique in the tree, and stable across refreshes. */
  readonly id: string;
  /** The last name of the path, or several names for a collapsed chain of groups: `ReplicatedStorage / Shared`. */
  readonly label: string;
  readonly path: string;
  readonly change: PendingChange | undefined;
  readonly parent: ChangeNode | undefined;
  readonly children: readonly ChangeNode[];
}

interface Draft {
  readonly name: string;
  readonly path: string;
  readonly changes: PendingChange[];
  readonly below: Map<string, Draft>;
}

/** Groups the changes by path. Groups with a single child group are collapsed into one line. */
export function changeTree(changes: readonly PendingChange[]): readonly ChangeNode[] {
  const namesOf = splitPaths(changes);
  const root: Draft = { name: '', path: '', changes: [], below: new Map() };
  for (const change of changes) {
    let at = root;
    for (const name of namesOf(change)) {
      let next = at.below.get(name);
      if (next === undefined) {
        next = { name, path: at === root ? name : `${at.path}/${name}`, changes: [], below: new Map() };
        at.below.set(name, next);
      }
      at = next;
    }
    at.changes.push(change);
  }
  return nodesBelow(root, undefined);
}

/** Lists every change at and below `node`, in the order of the view. */
export function changesOf(node: ChangeNode): readonly PendingChange[] {
  const own = node.change === undefined ? [] : [node.change];
  return [...own, ...node.children.flatMap(changesOf)];
}

/** Finds the line of a change; `undefined` if it is not in the tree. */
export function findNode(nodes: readonly ChangeNode[], id: string): ChangeNode | undefined {
  for (const node of nodes) {
    const found = node.change?.id === id ? node : findNode(node.children, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nodesBelow(draft: Draft, parent: ChangeNode | undefined): ChangeNode[] {
  return Array.from(draft.below.values())
    .toSorted((a, b) => compareNames(a.name, b.name))
    .flatMap(child => nodesOf(child, parent));
}

function nodesOf(first: Draft, parent: ChangeNode | undefined): ChangeNode[] {
  let last = first;
  const names = [first.name];
  for (let only = onlyChild(last); only !== undefined; only = onlyChild(last)) {
    last = only;
    names.push(only.name);
  }
  const label = names.join(' / ');
  const [change, ...duplicates] = last.changes;
  const children: ChangeNode[] = [];
  const node: ChangeNode = {
    id: change === undefined ? `path:${last.path}` : `change:${change.id}`,
    label,
    path: last.path,
    change,
    parent,
    children,
  };
  for (const child of nodesBelow(last, node)) children.push(child);
  // Several changes with one path: a replaced instance, or instances with the same name.
  const others = duplicates.map(other => ({ ...node, id: `change:${other.id}`, change: other, children: [] }));
  return [node, ...others];
}

/** The only child group, if there is one; changes are never collapsed into their group's line. */
function onlyChild({ changes, below }: Draft): Draft | undefined {
  const [only] = below.values();
  return changes.length === 0 && below.size === 1 && only !== undefined && only.changes.length === 0 ? only : undefined;
}
