import type { Clock } from '../../ports/clock.ts';

export const nodeClock: Clock = {
  now: () => performance.now(),
  date: () => new Date().toISOString(),
  after(ms, fn) {
    if (ms <= 0) {
      // `setTimeout` waits at least 1 ms.
      const turn = setImmediate(fn);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};
