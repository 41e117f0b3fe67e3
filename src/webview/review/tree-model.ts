import { type NamedPath, nameOfPath, pathAbove } from '../../protocol/path-name.ts';
import { isDeletion } from '../../protocol/deletion.ts';
import type { ReviewRow } from '../../protocol/review.ts';
import type { Choice } from '../../protocol/sync-request.ts';

/** A node of the tree: a change, a group of changes, or both. */
export interface TreeNode {
  /** Stable across snapshots: the path of a group, the id of a change. */
  readonly key: string;
  /** The names of the line. A group whose only child is a group is collapsed into one line with several names. */
  readonly names: readonly string[];
  readonly path: string;
  readonly row: ReviewRow | undefined;
  /** Every change at and below this node, in tree order. */
  readonly rows: readonly ReviewRow[];
  readonly children: readonly TreeNode[];
}

/** A visible node, with its position among its siblings for screen readers. */
export interface TreeLine {
  readonly node: TreeNode;
  readonly parent: string | undefined;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** `undefined` if the node has no children. */
  readonly expanded: boolean | undefined;
}

interface Draft {
  readonly name: string;
  readonly path: string;
  row: ReviewRow | undefined;
  /** `undefined` for leaves, which are most nodes. */
  children: Draft[] | undefined;
}

/** Groups the changes by path, in their order. Two changes with one path become siblings. */
export function buildTree(rows: readonly ReviewRow[]): readonly TreeNode[] {
  const root: Draft = { name: '', path: '', row: undefined, children: [] };
  /** The first node of each path, which gets the children of that path. */
  const byPath = new Map<string, Draft>([['', root]]);
  const add = (named: NamedPath, row: ReviewRow | undefined): Draft => {
    const { path } = named;
    const above = pathAbove(named);
    const parent = byPath.get(above) ?? add({ path: above }, undefined);
    const draft: Draft = { name: nameOfPath(named), path, row, children: undefined };
    (parent.children ??= []).push(draft);
    if (!byPath.has(path)) byPath.set(path, draft);
    return draft;
  };
  for (const row of rows) {
    const known = byPath.get(row.path);
    if (known === undefined || known === root || known.row !== undefined) add(row, row);
    else known.row = row;
  }
  return (root.children ?? []).map(finish);
}

const nothing: readonly TreeNode[] = [];

function finish(from: Draft): TreeNode {
  let node = from;
  const { row } = from;
  const names = [node.name];
  if (row !== undefined && node.children === undefined)
    return { key: row.id, names, path: node.path, row, rows: [row], children: nothing };
  while (node.row === undefined && node.children?.length === 1) {
    const [only] = node.children;
    if (only === undefined || only.row !== undefined || only.children === undefined) break;
    names.push(only.name);
    node = only;
  }
  const children = (node.children ?? []).map(finish);
  const below = children.flatMap(child => child.rows);
  return {
    key: node.row === undefined ? `/${node.path}` : node.row.id,
    names,
    path: node.path,
    row: node.row,
    rows: node.row === undefined ? below : [node.row, ...below],
    children,
  };
}

/** Lists the lines that are not collapsed, from top to bottom. */
export function visibleLines(roots: readonly TreeNode[], collapsed: ReadonlySet<string>): readonly TreeLine[] {
  const lines: TreeLine[] = [];
  const walk = (nodes: readonly TreeNode[], level: number, parent: string | undefined): void => {
    nodes.forEach((node, index) => {
      const expanded = node.children.length === 0 ? undefined : !collapsed.has(node.key);
      lines.push({ node, parent, level, position: index + 1, siblings: nodes.length, expanded });
      if (expanded === true) walk(node.children, level + 1, node.key);
    });
  };
  walk(roots, 1, undefined);
  return lines;
}

/** Selects the changes of a bulk choice. Skips deletions, which must be decided individually. */
export function bulkChoice(
  rows: readonly ReviewRow[],
  choice: Choice,
): { readonly ids: readonly string[]; readonly deletionsLeft: number } {
  const chosen = rows.filter(row => !isDeletion(row.patchType, choice));
  const left = rows.length - chosen.length;
  return { ids: chosen.map(row => row.id), deletionsLeft: left };
}

/** The common choice of `rows`; `undefined` if they differ, `null` if all are undecided. */
export function commonChoice(rows: readonly ReviewRow[]): Choice | null | undefined {
  const first = rows[0]?.choice;
  return rows.every(row => row.choice === first) ? first : undefined;
}
