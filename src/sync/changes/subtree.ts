import type { PausableWork } from '../../base/time-slice.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { StudioInstance } from '../../protocol/studio/stream.ts';
import type { Subtree } from '../../protocol/sync-result.ts';

/**
 * The instances that a removal includes, computed from instances that were read. The plugin computes the same when it compares
 * (`change-list.luau`).
 */
export function* subtreeOf(top: StudioInstance, hasher: Hasher): PausableWork<Subtree> {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  const classes: Record<string, number> = {};
  function* visit({ className, name, studioHash, children }: StudioInstance): PausableWork<void> {
    yield;
    lines.push(`${className} ${encoder.encode(name).length}:${name} ${studioHash ?? '-'} ${children.length}\n`);
    classes[className] = (classes[className] ?? 0) + 1;
    for (const child of children) yield* visit(child);
  }
  yield* visit(top);
  return { count: lines.length, classes, hash: hasher.gitBlob(lines.join('')) };
}
