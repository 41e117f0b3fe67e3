import { type Reason, reasonOf } from '../../protocol/reason.ts';
import { type PausableWork, runToEnd } from '../../base/time-slice.ts';
import type { Choice } from '../../protocol/sync-request.ts';
import { decide } from '../../review/review-sides.ts';
import type { RunChange } from './run-change.ts';

/**
 * The reason why a choice conflicts with the one for its parent, or `undefined`. Only additions depend on each other: an instance needs its
 * parent on the other side, and removing the files of a folder removes those of its children.
 */
export function conflictWithParent(child: Choice, parent: Choice | null): Reason | undefined {
  if (child === 'push' && parent !== 'push')
    return reasonOf(parent === 'pull' ? 'parent_pulled_away' : 'parent_not_in_studio');
  if (child !== 'pull' && parent === 'pull') return reasonOf('parent_pulled');
  return undefined;
}

export interface Additions {
  readonly byId: ReadonlyMap<string, RunChange>;
  readonly below: ReadonlyMap<string, readonly RunChange[]>;
}

/** Additions by id, and the additions directly below each. Only their choices depend on one another. */
export const indexAdditions = (changes: readonly RunChange[]): Additions => runToEnd(indexAdditionsInSteps(changes));

/** As `indexAdditions`, with pauses. */
export function* indexAdditionsInSteps(changes: readonly RunChange[]): PausableWork<Additions> {
  const byId = new Map<string, RunChange>();
  const below = new Map<string, RunChange[]>();
  for (const change of changes) {
    yield;
    if (change.studio.patchType !== 'Add') continue;
    byId.set(change.studio.id, change);
    const siblings = below.get(change.studio.parentId);
    if (siblings === undefined) below.set(change.studio.parentId, [change]);
    else siblings.push(change);
  }
  return { byId, below };
}

/**
 * Withdraws every choice that conflicts with the choice for its parent, and records the reason. Works from the top down, because one
 * conflict can cause the next.
 */
export const withdrawConflicts = (changes: readonly RunChange[]): void => runToEnd(withdrawConflictsInSteps(changes));

/** As `withdrawConflicts`, with pauses. */
export function* withdrawConflictsInSteps(changes: readonly RunChange[]): PausableWork<void> {
  const { byId, below } = yield* indexAdditionsInSteps(changes);
  const open = [...byId.values()].filter(change => !byId.has(change.studio.parentId));
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    yield;
    for (const child of below.get(parent.studio.id) ?? []) {
      const conflict = child.choice === null ? undefined : conflictWithParent(child.choice, parent.choice);
      if (conflict !== undefined) decide(child, null, conflict);
      open.push(child);
    }
  }
}

/**
 * Makes one choice for all of `chosen`, and keeps additions consistent with their parents: a pushed addition requires its parents in
 * Studio, and choices that conflict with a parent follow it. Visits each change a bounded number of times at any nesting.
 *
 * @param set called for every change that gets a choice; `cause` is the chosen change that required it
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
    if (change.studio.patchType === 'Add') adjustParents(change, choice, additions, asked, set);
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

function adjustParents(
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
