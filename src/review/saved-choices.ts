import { say, type Sentence } from '../base/sentence.ts';
import type { Clock } from '../ports/clock.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { Logger } from '../ports/logger.ts';
import type { ReviewDrafts } from '../ports/review-drafts.ts';
import { isDeletion } from '../protocol/deletion.ts';
import type { SavedDecision } from '../protocol/review.ts';
import type { ReviewSession } from './review-session.ts';
import { decide, keepMerge, type ReviewItem, type ReviewSides } from './review-sides.ts';

/** Delay before saving, so that one selection of many rows causes one write. */
const QUIET_MS = 300;

export interface SavedChoicesDeps<C extends ReviewItem> {
  readonly sides: Pick<
    ReviewSides<C>,
    'id' | 'patchType' | 'hasOverride' | 'merged' | 'fingerprint' | 'withdrawConflicts'
  >;
  readonly drafts: ReviewDrafts;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Restores the choices that a person made before the window closed, for changes whose sides are still the same. An agent's override is
 * newer and takes precedence.
 *
 * @returns the ids of the restored changes
 */
export async function restoreChoices<C extends ReviewItem>(
  place: string,
  changes: readonly C[],
  { sides, drafts, hasher, log }: SavedChoicesDeps<C>,
): Promise<ReadonlySet<string>> {
  const saved = await drafts.load(place).catch((error: unknown) => {
    log.warn('could not read the saved choices of the last review', { reason: String(error) });
    return new Map<string, SavedDecision>();
  });
  if (saved.size === 0) return new Set();
  const restored = changes.filter(change => {
    const decision = saved.get(sides.fingerprint(change, hasher));
    if (decision === undefined || sides.hasOverride(change)) return false;
    const { choice, merge } = decision;
    keepMerge(change, merge);
    // Some hunks are decided, but not the change.
    if (choice === null) {
      decide(change, null);
      return false;
    }
    // A deletion always needs a new decision.
    if (isDeletion(sides.patchType(change), choice)) return false;
    if (choice === 'merge' && merge?.text == null && sides.merged?.(change) === undefined) return false;
    decide(change, choice);
    return true;
  });
  sides.withdrawConflicts(changes);
  return new Set(restored.filter(({ choice }) => choice !== null).map(sides.id));
}

/** The saved choices of one review. Disposing it stops following the review. */
export interface SavedChoices<C extends ReviewItem> extends Disposable {
  /** Keeps only the choices of these changes, after the others were carried out. */
  keepOnly(isKept: (change: C) => boolean): Promise<void>;
  /** Adds to the outcome of a review that its choices are kept, or that they could not be saved. For a review that changed nothing. */
  explainIn(outcome: Sentence): Promise<Sentence>;
}

/**
 * Saves the choices of a person while a review is open. Clears them when the review is rejected. When it is applied, they stay until
 * `keepOnly`, because Apply may fail before it changes anything.
 */
export function saveChoices<C extends ReviewItem>(
  place: string,
  review: Pick<ReviewSession<C>, 'onDidChange' | 'chosen' | 'decision'>,
  { sides, drafts, hasher, clock, log }: SavedChoicesDeps<C>,
): SavedChoices<C> {
  let cancel = (): void => {};
  let isDecided = false;
  let isUnsaved = true;
  /** Whether the last attempt to save succeeded. */
  let saved = Promise.resolve(true);
  const current = (): Choices<C> =>
    review.chosen().map(change => [change, sides.fingerprint(change, hasher), toSaved(change)]);
  // Applying changes the choices, so they are those at the decision.
  let decided: Choices<C> = [];
  const trySave = async (choices: Choices<C>): Promise<boolean> => {
    try {
      await drafts.save(place, new Map(choices.map(([, fingerprint, decision]) => [fingerprint, decision])));
      return true;
    } catch (error) {
      log.warn('could not save the choices of the review', { reason: String(error) });
      isUnsaved = true;
      return false;
    }
  };
  const save = (choices: Choices<C>): void => {
    cancel();
    isUnsaved = false;
    saved = trySave(choices);
  };
  const saveUnsaved = (): void => {
    if (!isDecided && isUnsaved) save(current());
  };
  const subscription = review.onDidChange(() => {
    cancel();
    if (isDecided) return;
    isUnsaved = true;
    cancel = clock.after(QUIET_MS, saveUnsaved);
  });
  void review.decision.then(decision => {
    isDecided = true;
    if (decision === 'apply') decided = current();
    save(decided);
  });
  return {
    async keepOnly(isKept) {
      decided = decided.filter(([change]) => isKept(change));
      save(decided);
      await saved;
    },
    async explainIn(outcome) {
      saveUnsaved();
      const chosen = isDecided ? decided : current();
      const kept = chosen.filter(
        ([change, , { choice }]) => choice === null || !isDeletion(sides.patchType(change), choice),
      );
      if (kept.length === 0) return outcome;
      if (!(await saved))
        return say`${outcome} Your latest decisions could not be saved, so check them in the next review.`;
      return kept.length === chosen.length
        ? say`${outcome} Your decisions are kept for the next review.`
        : say`${outcome} Your decisions are kept for the next review, except for deletions.`;
    },
    [Symbol.dispose]() {
      subscription[Symbol.dispose]();
      cancel();
      saveUnsaved();
    },
  };
}

type Choices<C> = readonly (readonly [change: C, fingerprint: string, decision: SavedDecision])[];

const toSaved = ({ choice, personMerge }: ReviewItem): SavedDecision => ({
  choice,
  ...(personMerge === undefined ? {} : { merge: personMerge }),
});
