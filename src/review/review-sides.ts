import type { Hasher } from '../ports/hasher.ts';
import type { ReviewRow, RowDecision, SidePair } from '../protocol/review.ts';
import type { Choice, PatchType } from '../protocol/sync.ts';
import type { DecisionCounts } from './decision-counts.ts';

/** A change that a person or an agent decides. `decide` alone changes the decision. */
export interface ReviewItem {
  /** `null`: undecided. */
  readonly choice: Choice | null;
  /** Why the change is undecided although a decision was asked for, or why it failed. */
  readonly reason: string | undefined;
}

/** Changes the decision of a change; the only place that does. @param reason why it is undecided although a choice was asked for */
export function decide(item: ReviewItem, choice: Choice | null, reason?: string): void {
  Object.assign(item, { choice, reason });
}

/** What is known of a decision beside the choice itself. */
export type DecisionMarks = Pick<RowDecision, 'follows' | 'moved' | 'kept'>;

/**
 * Makes one choice for all of `chosen`, and for what has to follow them.
 *
 * @param set is called for everything that gets a choice; `cause` is the chosen change that brought it along
 */
export type ChooseTogether<C> = (
  chosen: readonly C[],
  choice: Choice,
  set: (change: C, choice: Choice, cause: C | undefined) => void,
) => void;

/**
 * What a review knows of the two sides that it compares. Whatever they are, one stands where disk stands in a sync (push makes it win),
 * the other where Studio does (pull).
 */
export interface ReviewSides<C extends ReviewItem> {
  readonly pair: SidePair;
  id(change: C): string;
  patchType(change: C): PatchType;
  toRow(change: C, marks: DecisionMarks): ReviewRow;
  /** `ReviewSnapshot.paths` */
  paths(changes: readonly C[]): Readonly<Record<string, string>>;
  /** What Apply will do, in one sentence; or what is still missing. */
  summary(counts: DecisionCounts): string;
  /** Whether both sides of a change are still what they were when `before` was compared. */
  isSame(before: C, now: C): boolean;
  /** Whether the side that a push replaces is. */
  isTargetSame(before: C, now: C): boolean;
  /** Whether an agent has asked for something. */
  isAskedFor(change: C): boolean;
  /** The same for two changes only when a person would see the same on both sides of them, in whichever session. 64 hex digits. */
  fingerprint(change: C, hasher: Hasher): string;
  together(changes: readonly C[]): ChooseTogether<C>;
  /** Makes every choice undecided that cannot be carried out beside the others, with the reason. */
  withdrawConflicts(changes: readonly C[]): void;
}

export const toDecision = (
  id: string,
  { choice, reason }: ReviewItem,
  { follows, moved, kept }: DecisionMarks,
): RowDecision => ({
  id,
  choice,
  reason: reason ?? null,
  follows,
  moved,
  kept,
});
