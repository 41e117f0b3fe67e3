import type { Module } from './ast/decl.ts';

interface Movable {
  start: number;
  end: number;
}

/**
 * Makes every node of a tree with errors cover its children: missing nodes are before the next token, which may be behind the
 * end of what it is missing from. A tree without errors is right as it is.
 */
export function tidySpans(tree: Module): void {
  // The tree is new and not shared yet.
  tidy(tree as Movable);
}

function tidy(node: Movable): void {
  node.end = Math.max(node.start, node.end);
  for (const value of Object.values(node) as readonly unknown[]) {
    for (const child of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (!isMovable(child)) continue;
      tidy(child);
      node.start = Math.min(node.start, child.start);
      node.end = Math.max(node.end, child.end);
    }
  }
}

const isMovable = (value: unknown): value is Movable => typeof value === 'object' && value !== null && 'start' in value;
