import { DisposableStore } from '../base/disposable-store.ts';
import { AppError } from '../base/errors.ts';
import type { Event } from '../base/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReviewSession } from './review-session.ts';
import type { ReviewItem } from './review-sides.ts';

/** A save touches more than one file; they are looked at together. */
const QUIET_MS = 200;
/** A project that is being written to is tried again this often, so much later. */
const MAX_TRIES = 5;
const RETRY_MS = 1_000;

export interface FollowedSides<C extends ReviewItem> {
  readonly clock: Clock;
  /** Fires when a side may have moved. */
  readonly onDidMove: Event<unknown>;
  /** Whether it is another one than the one that was compared last. */
  readonly hasMoved: () => boolean;
  /** Compares both sides. The choices of the answer are still the defaults. */
  readonly compare: () => Promise<readonly C[]>;
  readonly review: Pick<ReviewSession<C>, 'setComparing' | 'replace'>;
}

/** Keeps an open review in step with both sides until it is disposed. */
export interface SidesFollower extends Disposable {
  refresh(): void;
  /** Resolves when no comparison is under way. */
  settled(): Promise<void>;
  /** Rejects when the sides cannot be compared any more: what the review shows is then worth nothing. */
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
  // Whoever disposes of this does not listen any longer.
  failed.catch(() => undefined);
  let disposed = false;
  let wanted = false;
  let tries = 0;
  let underWay: Promise<void> | undefined;
  let cancelTimer = (): void => {};

  const soon = (ms: number): void => {
    cancelTimer();
    cancelTimer = clock.after(ms, () => {
      if (wanted || hasMoved()) look();
    });
  };
  const attempt = async (): Promise<void> => {
    wanted = false;
    review.setComparing(true);
    try {
      const next = await compare();
      tries = 0;
      if (!disposed) review.replace(next);
    } catch (error) {
      if (disposed) return;
      tries += 1;
      if (tries >= MAX_TRIES || !AppError.is(error, 'PROJECT_CHANGING')) return reject(AppError.from(error));
      wanted = true;
      soon(RETRY_MS);
    }
  };
  const look = (): void => {
    if (disposed) return;
    wanted = true;
    if (underWay !== undefined) return;
    underWay = attempt().finally(() => {
      underWay = undefined;
      // What moved during the comparison is another look; a failed one has its own timer.
      if (wanted && tries === 0) look();
    });
  };

  lifetime.add(onDidMove(() => soon(QUIET_MS)));
  lifetime.defer(() => cancelTimer());
  return {
    failed,
    refresh: look,
    async settled() {
      while (underWay !== undefined) await underWay;
    },
    [Symbol.dispose]() {
      disposed = true;
      lifetime[Symbol.dispose]();
    },
  };
}
