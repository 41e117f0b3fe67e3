import { readFileSync } from 'node:fs';

const NANOSECONDS_PER_MS = 1e6;

/**
 * Milliseconds without the time in which this thread was ready to run but waited for a processor. Only Linux reports that time, and only for
 * the main thread; elsewhere this is the normal clock.
 */
export function busyClock(): number {
  return performance.now() - waitedMs();
}

function waitedMs(): number {
  try {
    // proc(5): nanoseconds on the processor, nanoseconds waiting for it, number of time slices.
    const [, waited = '0'] = readFileSync('/proc/self/schedstat', 'latin1').split(' ');
    return Number(waited) / NANOSECONDS_PER_MS;
  } catch {
    return 0;
  }
}
