import type { Choice } from '../protocol/sync.ts';
import { conflictWithParent, type indexAdditions } from '../sync/changes/consistency.ts';
import type { RunChange } from '../sync/changes/run-change.ts';

type Additions = ReturnType<typeof indexAdditions>;

/**
 * Makes one choice for all of `chosen` and keeps additions consistent with their parents: a pushed addition needs its parents in
 * Studio, and what contradicts a parent follows it. Each change is looked at a bounded number of times, whatever their nesting.
 *
 * @param set is called for everything that gets a choice; `cause` is the chosen change that brought it along
 */
export function chooseConsistently(
  chosen: readonly RunChange[],
  choice: Choice,
  additions: Additions,
  set: (change: RunChange, choice: Choice, cause: RunChange | undefined) => void,
): void {
  const asked = new Set(chosen);
  for (const change of asked) set(change, choice, undefined);
  for (const change of asked)
    if (change.studio.patchType === 'Add') raiseParents(change, choice, additions, asked, set);
  const causes = new Map<RunChange, RunChange>();
  const open = [...asked].filter(change => change.studio.patchType === 'Add');
  const seen = new Set<RunChange>(open);
  for (let above = open.pop(); above !== undefined; above = open.pop()) {
    for (const child of additions.below.get(above.studio.id) ?? []) {
      const conflicts =
        child.choice !== null && above.choice !== null && conflictWithParent(child.choice, above.choice) !== undefined;
      const cause = causes.get(above) ?? above;
      if (conflicts && above.choice !== null) {
        causes.set(child, cause);
        set(child, above.choice, cause);
      }
      if (!conflicts && seen.has(child)) continue;
      seen.add(child);
      open.push(child);
    }
  }
}

function raiseParents(
  change: RunChange,
  choice: Choice,
  additions: Additions,
  asked: ReadonlySet<RunChange>,
  set: (change: RunChange, choice: Choice, cause: RunChange | undefined) => void,
): void {
  let parent = additions.byId.get(change.studio.parentId);
  for (; parent !== undefined && conflictWithParent(choice, parent.choice) !== undefined;) {
    set(parent, choice === 'push' ? 'push' : 'skip', asked.has(parent) ? undefined : change);
    parent = additions.byId.get(parent.studio.parentId);
  }
}
