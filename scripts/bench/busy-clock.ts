import { readFileSync } from 'node:fs';

const NANOSECONDS_PER_MS = 1e6;

/**
 * Milliseconds that this thread has worked or slept: the clock without the time in which it was ready and another process had the
 * processor. Where the system does not say how long that was (it does on Linux, for the main thread), it is the clock.
 */
export function busyClock(): number {
  return performance.now() - waitedMs();
}

function waitedMs(): number {
  try {
    // proc(5): nanoseconds on the processor, nanoseconds waiting for it, number of turns.
    const [, waited = '0'] = readFileSync('/proc/self/schedstat', 'latin1').split(' ');
    return Number(waited) / NANOSECONDS_PER_MS;
  } catch {
    return 0;
  }
}
