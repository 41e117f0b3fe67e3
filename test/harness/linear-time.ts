import assert from 'node:assert/strict';

const FACTOR = 4;
/** Linear work has ratio 1 and quadratic work ratio 4; the rest is for garbage collection and noise. */
const MAX_RATIO = 2.5;
/** The system counts processor time in steps of a few milliseconds. */
const MIN_MS = 20;
const MAX_RUNS = 10;

/**
 * Asserts that `work` on an input 4 times as large takes about 4 times as long. Measures the CPU time of this thread, so that neither a
 * busy machine nor another thread matters, and takes the minimum of several runs, because garbage collection only ever adds time.
 *
 * @param make makes the input; its time is not measured
 */
export function assertLinearTime<T>(size: number, make: (size: number) => T, work: (made: T) => unknown): void {
  const small = Array.from({ length: FACTOR }, () => make(size));
  const large = make(FACTOR * size);
  // The first runs include JIT compilation.
  for (const each of small) work(each);
  let [few, one] = [Infinity, Infinity];
  for (let run = 0; run < MAX_RUNS; run++) {
    few = Math.min(
      few,
      timeOf(() => small.forEach(work)),
    );
    one = Math.min(
      one,
      timeOf(() => work(large)),
    );
    if (one <= MAX_RATIO * Math.max(few, MIN_MS)) return;
  }
  assert.fail(`${few.toFixed(1)} ms for ${FACTOR} times ${size}, ${one.toFixed(1)} ms for ${FACTOR * size}`);
}

function timeOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
