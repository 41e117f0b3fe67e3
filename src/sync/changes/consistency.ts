import { phrase } from '../../base/sentence.ts';
import type { Choice } from '../../protocol/sync.ts';
import type { RunChange } from './run-change.ts';

/**
 * Why a choice cannot be carried out beside the one for its parent, or `undefined`. Only additions nest: what is not on the other
 * side yet cannot hold a child there, and a folder whose files are removed takes its children's files with it.
 */
export function conflictWithParent(child: Choice, parent: Choice | null): string | undefined {
  if (child === 'push' && parent !== 'push')
    return parent === 'pull'
      ? phrase`its parent is removed from disk by a pull, so it cannot be pushed`
      : phrase`its parent is not pushed to Studio, so there is no place for it there`;
  if (child !== 'pull' && parent === 'pull')
    return phrase`its parent is removed from disk by a pull, so it must be pulled too`;
  return undefined;
}

/** Additions by id, and the additions directly below each: the only changes whose choices depend on one another. */
export function indexAdditions(changes: readonly RunChange[]): {
  readonly byId: ReadonlyMap<string, RunChange>;
  readonly below: ReadonlyMap<string, readonly RunChange[]>;
} {
  const byId = new Map<string, RunChange>();
  const below = new Map<string, RunChange[]>();
  for (const change of changes) {
    if (change.studio.patchType !== 'Add') continue;
    byId.set(change.studio.id, change);
    const siblings = below.get(change.studio.parentId);
    if (siblings === undefined) below.set(change.studio.parentId, [change]);
    else siblings.push(change);
  }
  return { byId, below };
}

/** Makes every choice that contradicts its parent's undecided, with the reason; from the top down, since one can cause the next. */
export function withdrawConflicts(changes: readonly RunChange[]): void {
  const { byId, below } = indexAdditions(changes);
  const open = [...byId.values()].filter(change => !byId.has(change.studio.parentId));
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const child of below.get(parent.studio.id) ?? []) {
      const conflict = child.choice === null ? undefined : conflictWithParent(child.choice, parent.choice);
      if (conflict !== undefined) Object.assign(child, { choice: null, reason: conflict });
      open.push(child);
    }
  }
}
