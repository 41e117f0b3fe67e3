import { DisposableStore } from '../base/disposable-store.ts';
import { AppError } from '../base/errors.ts';
import type { Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReviewSession } from './review-session.ts';
import type { ReviewItem } from './review-sides.ts';

/** Delay after a change: one save can touch several files, and one comparison covers all of them. */
const QUIET_MS = 200;
/** Maximum number of consecutive comparisons of a project that keeps changing, and the delay between them. */
const MAX_ATTEMPTS = 5;
const RETRY_MS = 1_000;

export interface FollowSidesOptions<C extends ReviewItem> {
  readonly clock: Clock;
  /** Fires when a side may have changed. */
  readonly onDidChangeSide: Event<unknown>;
  /** Fires when files are saved, edited or reverted in an editor, which a warning names; `undefined` without an editor. */
  readonly onDidChangeUnsaved?: Event<unknown> | undefined;
  /** Whether a side has changed since the last comparison. */
  readonly hasChanged: () => boolean;
  /** Compares both sides and returns the changes with their default choices. */
  readonly compare: () => Promise<readonly C[]>;
  readonly review: Pick<ReviewSession<C>, 'setComparing' | 'replace'>;
}

/** Keeps an open review up to date with both sides until it is disposed. */
export interface SidesFollower extends Disposable {
  refresh(): void;
  /** Resolves when no comparison is in progress. */
  settled(): Promise<void>;
  /** Rejects when the sides can no longer be compared; the review then stays outdated. */
  readonly failed: Promise<never>;
}

export function followSides<C extends ReviewItem>({
  clock,
  onDidChangeSide,
  onDidChangeUnsaved,
  hasChanged,
  compare,
  review,
}: FollowSidesOptions<C>): SidesFollower {
  const lifetime = new DisposableStore();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Nothing awaits this after disposal, so swallow the rejection.
  failed.catch(() => undefined);
  let disposed = false;
  let wanted = false;
  let attempts = 0;
  let inProgress: Promise<void> | undefined;
  let cancelTimer = (): void => {};

  const schedule = (ms: number): void => {
    cancelTimer();
    cancelTimer = clock.after(ms, () => {
      if (wanted || hasChanged()) refresh();
    });
  };
  const attempt = async (): Promise<void> => {
    wanted = false;
    try {
      review.setComparing(true);
      const next = await compare();
      attempts = 0;
      if (!disposed) review.replace(next);
    } catch (error) {
      if (disposed) return;
      attempts += 1;
      if (attempts >= MAX_ATTEMPTS || !AppError.is(error, 'PROJECT_CHANGING')) return reject(AppError.from(error));
      wanted = true;
      schedule(RETRY_MS);
    }
  };
  const refresh = (): void => {
    if (disposed) return;
    wanted = true;
    if (inProgress !== undefined) return;
    inProgress = attempt().finally(() => {
      inProgress = undefined;
      // A change during the comparison needs another one; a failed comparison has its own timer.
      if (wanted && attempts === 0) refresh();
    });
  };

  lifetime.add(onDidChangeSide(() => schedule(QUIET_MS)));
  if (onDidChangeUnsaved !== undefined)
    lifetime.add(
      onDidChangeUnsaved(() => {
        wanted = true;
        schedule(QUIET_MS);
      }),
    );
  lifetime.defer(() => cancelTimer());
  return {
    failed,
    refresh,
    async settled() {
      while (inProgress !== undefined) await inProgress;
    },
    [Symbol.dispose]() {
      disposed = true;
      lifetime[Symbol.dispose]();
    },
  };
}
