import { type Reason, reasonOf } from '../../protocol/reason.ts';
import type { Choice } from '../../protocol/sync.ts';
import { decide } from '../../review/review-sides.ts';
import type { RunChange } from './run-change.ts';

/**
 * Why a choice cannot be carried out beside the one for its parent, or `undefined`. Only additions nest: what is not on the other
 * side yet cannot hold a child there, and a folder whose files are removed takes its children's files with it.
 */
export function conflictWithParent(child: Choice, parent: Choice | null): Reason | undefined {
  if (child === 'push' && parent !== 'push')
    return reasonOf(parent === 'pull' ? 'parent_pulled_away' : 'parent_not_pushed');
  if (child !== 'pull' && parent === 'pull') return reasonOf('parent_pulled');
  return undefined;
}

interface Additions {
  readonly byId: ReadonlyMap<string, RunChange>;
  readonly below: ReadonlyMap<string, readonly RunChange[]>;
}

/** Additions by id, and the additions directly below each: the only changes whose choices depend on one another. */
export function indexAdditions(changes: readonly RunChange[]): Additions {
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
      if (conflict !== undefined) decide(child, null, conflict);
      open.push(child);
    }
  }
}

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
