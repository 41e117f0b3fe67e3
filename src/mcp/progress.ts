import type { Clock } from '../ports/clock.ts';
import { BUDGET_MS } from '../protocol/limits.ts';

/** Minimum interval between notifications, so that a counter does not cause thousands of them. */
const QUIET_MS = 200;

/**
 * Sends progress notifications of one call: each new message once, and the last message again every `BUDGET_MS.progressEvery`, because a
 * client without progress times out. Sends nothing before the first `report`. The number passed to `send` always increases.
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
