import type { Clock } from '../ports/clock.ts';
import type { Hasher } from '../ports/hasher.ts';
import type { Logger } from '../ports/logger.ts';
import type { ReviewDrafts } from '../ports/review-drafts.ts';
import { isDeletion } from '../protocol/deletion.ts';
import type { Choice } from '../protocol/sync.ts';
import type { ReviewSession } from './review-session.ts';
import { decide, type ReviewItem, type ReviewSides } from './review-sides.ts';

/** One gesture over many rows is one write. */
const QUIET_MS = 300;

export interface KeptChoicesDeps<C extends ReviewItem> {
  readonly sides: Pick<ReviewSides<C>, 'id' | 'patchType' | 'isAskedFor' | 'fingerprint' | 'withdrawConflicts'>;
  readonly drafts: ReviewDrafts;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Restores the choices of a person whose window closed, where both sides are still what they saw. An agent's override is newer and wins.
 *
 * @returns the ids of the restored changes
 */
export async function restoreChoices<C extends ReviewItem>(
  place: string,
  changes: readonly C[],
  { sides, drafts, hasher, log }: KeptChoicesDeps<C>,
): Promise<ReadonlySet<string>> {
  const kept = await drafts.load(place).catch((error: unknown) => {
    log.warn('the choices of the last review were not read', { reason: String(error) });
    return new Map<string, Choice>();
  });
  if (kept.size === 0) return new Set();
  const restored = changes.filter(change => {
    const choice = kept.get(sides.fingerprint(change, hasher));
    if (choice === undefined || sides.isAskedFor(change)) return false;
    // A deletion is decided by the person who sees it now.
    if (isDeletion(sides.patchType(change), choice)) return false;
    decide(change, choice);
    return true;
  });
  sides.withdrawConflicts(changes);
  return new Set(restored.filter(({ choice }) => choice !== null).map(sides.id));
}

/** Saves what a person chooses, and forgets it when they apply or reject. */
export function keepChoices<C extends ReviewItem>(
  place: string,
  review: Pick<ReviewSession<C>, 'onDidChange' | 'chosen' | 'decision'>,
  { sides, drafts, hasher, clock, log }: KeptChoicesDeps<C>,
): Disposable {
  let cancel = (): void => {};
  let isDecided = false;
  const save = async (): Promise<void> => {
    const chosen = isDecided ? [] : review.chosen();
    const choices = new Map(
      chosen.flatMap(change =>
        change.choice === null ? [] : [[sides.fingerprint(change, hasher), change.choice] as const],
      ),
    );
    await drafts.save(place, choices);
  };
  const saveOrLog = (): void => {
    save().catch((error: unknown) => log.warn('the choices of the review were not saved', { reason: String(error) }));
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
