import { DisposableStore } from '../base/disposable-store.ts';
import { AppError } from '../base/errors.ts';
import type { Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReviewSession } from './review-session.ts';
import type { ReviewItem } from './review-sides.ts';

/** A save touches more than one file; one comparison covers them. */
const QUIET_MS = 200;
/** Attempts to compare a project that keeps changing, and the time between them. */
const MAX_TRIES = 5;
const RETRY_MS = 1_000;

export interface FollowedSides<C extends ReviewItem> {
  readonly clock: Clock;
  /** Fires when a side may have changed. */
  readonly onDidMove: Event<unknown>;
  /** Whether a side has changed since the last comparison. */
  readonly hasMoved: () => boolean;
  /** Compares both sides. The answer has the default choices. */
  readonly compare: () => Promise<readonly C[]>;
  readonly review: Pick<ReviewSession<C>, 'setComparing' | 'replace'>;
}

/** Keeps an open review up to date with both sides until it is disposed. */
export interface SidesFollower extends Disposable {
  refresh(): void;
  /** Resolves when no comparison is under way. */
  settled(): Promise<void>;
  /** Rejects when the sides can no longer be compared, so that the review is outdated for good. */
  readonly failed: Promise<never>;
}

export function followSides<C extends ReviewItem>({
  clock,
  onDidMove,
  hasMoved,
  compare,
  review,
}: FollowedSides<C>): SidesFollower {
  const lifetime = new DisposableStore();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Nothing awaits this after disposal, so swallow the rejection.
  failed.catch(() => undefined);
  let disposed = false;
  let wanted = false;
  let tries = 0;
  let underWay: Promise<void> | undefined;
  let cancelTimer = (): void => {};

  const schedule = (ms: number): void => {
    cancelTimer();
    cancelTimer = clock.after(ms, () => {
      if (wanted || hasMoved()) refresh();
    });
  };
  const attempt = async (): Promise<void> => {
    wanted = false;
    try {
      review.setComparing(true);
      const next = await compare();
      tries = 0;
      if (!disposed) review.replace(next);
    } catch (error) {
      if (disposed) return;
      tries += 1;
      if (tries >= MAX_TRIES || !AppError.is(error, 'PROJECT_CHANGING')) return reject(AppError.from(error));
      wanted = true;
      schedule(RETRY_MS);
    }
  };
  const refresh = (): void => {
    if (disposed) return;
    wanted = true;
    if (underWay !== undefined) return;
    underWay = attempt().finally(() => {
      underWay = undefined;
      // A change during the comparison needs another one; a failed comparison has its own timer.
      if (wanted && tries === 0) refresh();
    });
  };

  lifetime.add(onDidMove(() => schedule(QUIET_MS)));
  lifetime.defer(() => cancelTimer());
  return {
    failed,
    refresh,
    async settled() {
      while (underWay !== undefined) await underWay;
    },
    [Symbol.dispose]() {
      disposed = true;
      lifetime[Symbol.dispose]();
    },
  };
}
