import type { Hasher } from '../../ports/hasher.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { Subtree } from '../../protocol/sync.ts';

/**
 * The instances that a removal includes, computed from instances that were read. The plugin computes the same when it compares
 * (`change-list.luau`).
 */
export function subtreeOf(top: StudioInstance, hasher: Hasher): Subtree {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  const classes: Record<string, number> = {};
  const visit = ({ className, name, studioHash, children }: StudioInstance): void => {
    lines.push(`${className} ${encoder.encode(name).length}:${name} ${studioHash ?? '-'} ${children.length}\n`);
    classes[className] = (classes[className] ?? 0) + 1;
    for (const child of children) visit(child);
  };
  visit(top);
  return { count: lines.length, classes, hash: hasher.gitBlob(lines.join('')) };
}
