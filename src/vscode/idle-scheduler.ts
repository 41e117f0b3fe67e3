import { TimeSlice } from '../base/time-slice.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';

/** Runs work in a later turn of the event loop, so that the caller is not delayed by it. */
export type ScheduleIdle = (work: () => void) => void;

export interface IdleScheduler extends Disposable {
  /** Runs each piece of work in its own turn of the event loop, in the order of the calls; after disposal nothing starts. */
  readonly schedule: ScheduleIdle;
  /** Waits for the next turn of the event loop; takes precedence over all scheduled work. */
  readonly waitForNextTurn: () => Promise<void>;
}

export function createIdleScheduler(clock: Clock, log: Logger): IdleScheduler {
  const slice = new TimeSlice(clock);
  const queue: (() => void)[] = [];
  let precedingCount = 0;
  let isRunning = false;
  let isDisposed = false;

  const runQueue = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) {
      await slice.waitForNextTurn();
      if (precedingCount > 0) continue;
      try {
        queue.shift()?.();
      } catch (error) {
        log.error('scheduled work failed', error);
      }
    }
    isRunning = false;
  };

  return {
    schedule(work) {
      if (isDisposed) return;
      queue.push(work);
      if (!isRunning) void runQueue();
    },
    async waitForNextTurn() {
      precedingCount += 1;
      await slice.waitForNextTurn();
      precedingCount -= 1;
    },
    [Symbol.dispose]() {
      isDisposed = true;
      queue.length = 0;
    },
  };
}
