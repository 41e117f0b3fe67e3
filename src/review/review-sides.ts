import type { Reason } from '../protocol/reason.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { PersonMerge, PersonMergeSummary, ReviewRow, RowDecision, SidePair } from '../protocol/review.ts';
import type { Choice } from '../protocol/sync-request.ts';
import type { PatchType } from '../protocol/sync-result.ts';
import type { DecisionCounts } from './decision-counts.ts';

/** A change that a person or an agent decides. Only `decide` and `keepMerge` set the decision. */
export interface ReviewItem {
  /** `null`: undecided. */
  readonly choice: Choice | null;
  /** Why the change is undecided although a decision was requested, or why it failed. */
  readonly reason: Reason | undefined;
  /** The merge of both texts that a person made. The choice `merge` writes it; any other choice only keeps it. */
  readonly personMerge?: PersonMerge | undefined;
}

/** Sets the decision of a change; nothing else may. @param reason why the change is undecided although a choice was requested */
export function decide(item: ReviewItem, choice: Choice | null, reason?: Reason): void {
  Object.assign(item, { choice, reason });
}

/** Keeps a person's merge of both texts; `undefined` discards it. */
export function keepMerge(item: ReviewItem, personMerge: PersonMerge | undefined): void {
  Object.assign(item, { personMerge });
}

/** Facts about a decision besides the choice. */
export type DecisionMarks = Pick<RowDecision, 'follows' | 'isReopened' | 'isRestored'>;

/**
 * Makes one choice for all of `chosen` and for the changes that depend on them.
 *
 * @param set called for each change that gets a choice; `cause` is the chosen change that it depends on
 */
export type Chooser<C> = (
  chosen: readonly C[],
  choice: Choice,
  set: (change: C, choice: Choice, cause: C | undefined) => void,
) => void;

/**
 * The two sides that a review compares. One side has the role of disk in a sync (`push` lets it win), the other one the role of Studio
 * (`pull`).
 */
export interface ReviewSides<C extends ReviewItem> {
  readonly pair: SidePair;
  id(change: C): string;
  patchType(change: C): PatchType;
  /** The number of instances of the change; one by default. */
  instances?(change: C): number;
  toRow(change: C, marks: DecisionMarks): ReviewRow;
  /** `ReviewSnapshot.paths` */
  paths(changes: readonly C[]): Readonly<Record<string, string>>;
  /** Summarizes what Apply will do, and how many changes are undecided. */
  summary(counts: DecisionCounts): string;
  /** Whether neither side of a change has changed since `before` was compared. */
  isSame(before: C, now: C): boolean;
  /** Whether an agent has sent an override for the change. */
  hasOverride(change: C): boolean;
  /** The suggested merge, with the merged text if there is one; `undefined` if nothing is suggested. Never suggested by default. */
  merged?(change: C): { readonly text: string | undefined } | undefined;
  /** Identifies the visible content of both sides, also across sessions. 64 hex digits. */
  fingerprint(change: C, hasher: Hasher): string;
  createChooser(changes: readonly C[]): Chooser<C>;
  /** Withdraws each choice that conflicts with another choice, and records the reason. */
  withdrawConflicts(changes: readonly C[]): void;
}

export const toDecision = (
  id: string,
  { choice, reason, personMerge }: ReviewItem,
  { follows, isReopened, isRestored }: DecisionMarks,
): RowDecision => ({
  id,
  choice,
  personMerge: personMerge === undefined ? null : summaryOf(personMerge),
  reason: reason ?? null,
  follows,
  isReopened,
  isRestored,
});

function summaryOf({ text, hunks }: PersonMerge): PersonMergeSummary {
  if (hunks === null) return { isComplete: text !== null, hunks: null };
  const decided = hunks.filter(choice => choice !== null).length;
  const fromStudio = hunks.filter(choice => choice === 'pull').length;
  return { isComplete: text !== null, hunks: { total: hunks.length, decided, fromStudio } };
}
