import type { Clock } from '../ports/clock.ts';
import { BUDGET_MS } from '../protocol/limits.ts';

/** A new sentence waits so long for the next one, so that a counter does not become thousands of notifications. */
const QUIET_MS = 200;

/**
 * Progress notifications of one call: each new sentence once, and the last one again every `BUDGET_MS.progressEvery`, because a
 * client that hears nothing gives the call up. Silent until the first `report`. `send` gets a number that only grows.
 */
export function createProgress(
  clock: Clock,
  send: (step: number, message: string) => void,
): Disposable & { report(message: string): void } {
  let step = 0;
  let latest: string | undefined;
  let sentAt = -Infinity;
  let sent: string | undefined;
  let cancelTimer = (): void => {};
  let disposed = false;

  const notify = (): void => {
    if (latest === undefined) return;
    step += 1;
    sentAt = clock.now();
    sent = latest;
    send(step, latest);
    wait(BUDGET_MS.progressEvery);
  };
  const wait = (ms: number): void => {
    cancelTimer();
    cancelTimer = clock.after(ms, notify);
  };

  return {
    report(message) {
      if (disposed) return;
      latest = message;
      if (message === sent) return;
      const sinceSent = clock.now() - sentAt;
      if (sinceSent >= QUIET_MS) notify();
      else wait(QUIET_MS - sinceSent);
    },
    [Symbol.dispose]() {
      disposed = true;
      cancelTimer();
    },
  };
}
