import type { ReviewRow } from '../../protocol/review.ts';
import type { Choice } from '../../protocol/sync.ts';

/** A line of the tree: a change, a group that holds changes, or both. */
export interface TreeNode {
  /** Stays the same between snapshots: the path for a group, the id for a change. */
  readonly key: string;
  /** Unchanged groups that hold nothing but one other group are one line; each name is one entry. */
  readonly names: readonly string[];
  readonly path: string;
  readonly row: ReviewRow | undefined;
  /** Every change at and below this node, in tree order. */
  readonly rows: readonly ReviewRow[];
  readonly children: readonly TreeNode[];
}

/** A node as it is drawn: its place among its siblings, for the screen reader's count. */
export interface TreeLine {
  readonly node: TreeNode;
  readonly parent: string | undefined;
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  /** `undefined`: nothing below. */
  readonly expanded: boolean | undefined;
}

interface Draft {
  readonly names: string[];
  readonly path: string;
  row: ReviewRow | undefined;
  readonly children: Draft[];
  readonly byName: Map<string, Draft>;
}

const draft = (name: string, path: string): Draft => ({
  names: [name],
  path,
  row: undefined,
  children: [],
  byName: new Map(),
});

/** Groups the changes by their paths, in the order in which they come. Two changes of one path become siblings. */
export function buildTree(rows: readonly ReviewRow[]): readonly TreeNode[] {
  const root = draft('', '');
  for (const row of rows) {
    let parent = root;
    const segments = row.path.split('/');
    segments.forEach((name, index) => {
      const last = index === segments.length - 1;
      let next = parent.byName.get(name);
      if (next === undefined || (last && next.row !== undefined)) {
        const twin = draft(name, segments.slice(0, index + 1).join('/'));
        if (next === undefined) parent.byName.set(name, twin);
        parent.children.push(twin);
        next = twin;
      }
      if (last) next.row = row;
      parent = next;
    });
  }
  return root.children.map(finish);
}

function finish(from: Draft): TreeNode {
  let node = from;
  const names = [...node.names];
  for (;;) {
    const only = node.children.length === 1 ? node.children[0] : undefined;
    if (node.row !== undefined || only === undefined || only.row !== undefined || only.children.length === 0) break;
    names.push(...only.names);
    node = only;
  }
  const children = node.children.map(finish);
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

/** The lines that are to be drawn, top to bottom. */
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

/** Whether carrying out `choice` takes something away for good on the losing side. */
export const deletes = (row: ReviewRow, choice: Choice): boolean =>
  (row.patchType === 'Remove' && choice === 'push') || (row.patchType === 'Add' && choice === 'pull');

/** What one gesture over many changes chooses: deletions are left out, because each of them wants a decision of its own. */
export function bulkChoice(
  rows: readonly ReviewRow[],
  choice: Choice,
): { readonly ids: readonly string[]; readonly deletionsLeft: number } {
  const chosen = rows.filter(row => !deletes(row, choice));
  const left = rows.length - chosen.length;
  return { ids: chosen.map(row => row.id), deletionsLeft: left };
}

/** The choice that all of `rows` share; `undefined` when they differ, `null` when all are undecided. */
export function commonChoice(rows: readonly ReviewRow[]): Choice | null | undefined {
  const first = rows[0]?.choice;
  return rows.every(row => row.choice === first) ? first : undefined;
}
