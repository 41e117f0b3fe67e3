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

/** Saves the choices of a person while a review is open, and clears them when the review is applied or rejected. */
export function saveChoices<C extends ReviewItem>(
  place: string,
  review: Pick<ReviewSession<C>, 'onDidChange' | 'chosen' | 'decision'>,
  { sides, drafts, hasher, clock, log }: SavedChoicesDeps<C>,
): Disposable {
  let cancel = (): void => {};
  let isDecided = false;
  const save = async (): Promise<void> => {
    const chosen = isDecided ? [] : review.chosen();
    const decisions = new Map(chosen.map(change => [sides.fingerprint(change, hasher), toSaved(change)] as const));
    await drafts.save(place, decisions);
  };
  const saveOrLog = (): void => {
    save().catch((error: unknown) => log.warn('could not save the choices of the review', { reason: String(error) }));
  };
  const subscription = review.onDidChange(() => {
    cancel();
    cancel = clock.after(QUIET_MS, saveOrLog);
  });
  void review.decision.then(() => {
    isDecided = true;
    cancel();
    saveOrLog();
  });
  return {
    [Symbol.dispose]() {
      subscription[Symbol.dispose]();
      cancel();
      if (!isDecided) saveOrLog();
    },
  };
}

const toSaved = ({ choice, personMerge }: ReviewItem): SavedDecision => ({
  choice,
  ...(personMerge === undefined ? {} : { merge: personMerge }),
});
