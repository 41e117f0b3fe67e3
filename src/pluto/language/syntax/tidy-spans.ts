import type { Module } from './ast/decl.ts';

interface Movable {
  start: number;
  end: number;
}

/**
 * Extends every node of a tree with errors to include its children: a missing node is before the next token, which may be after the end of
 * its parent. A tree without errors is already correct.
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
