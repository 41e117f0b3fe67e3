import assert from 'node:assert/strict';

const FACTOR = 4;
/** Linear work has ratio 1 and quadratic work ratio 4; the rest is for garbage collection and noise. */
const MAX_RATIO = 2.5;
/** The system counts processor time in steps of a few milliseconds. */
const MIN_MS = 20;
const RUNS = 3;

/**
 * Asserts that `work` on an input 4 times as large takes about 4 times as long. Measures the CPU time of this process, the minimum of a
 * few runs, so that a busy machine does not matter.
 *
 * @param make makes the input; its time is not measured
 */
export function assertLinearTime<T>(size: number, make: (size: number) => T, work: (made: T) => unknown): void {
  const small = Array.from({ length: FACTOR }, () => make(size));
  const large = make(FACTOR * size);
  // The first runs include JIT compilation.
  for (const each of small) work(each);
  const few = leastTime(() => small.forEach(work));
  const one = leastTime(() => work(large));
  assert.ok(
    one <= MAX_RATIO * Math.max(few, MIN_MS),
    `${few.toFixed(1)} ms for ${FACTOR} times ${size}, ${one.toFixed(1)} ms for ${FACTOR * size}`,
  );
}

function leastTime(work: () => unknown): number {
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
