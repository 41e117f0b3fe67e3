import assert from 'node:assert/strict';
import { threadCpuTime } from '../../scripts/bench/cpu-time.ts';

const FACTOR = 4;
/** Linear work has ratio 1 and quadratic work ratio 4; the rest is for garbage collection and noise. */
const MAX_RATIO = 2.5;
/** Below this, a ratio is noise. */
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
  const before = threadCpuTime();
  work();
  return threadCpuTime() - before;
}

/**
 * The same for work that is asynchronous.
 *
 * @param few does all of the small inputs, which are together as large as the large one
 */
export async function assertTakesNoLonger(few: () => Promise<unknown>, large: () => Promise<unknown>): Promise<void> {
  let [least, most] = [Infinity, Infinity];
  for (let run = 0; run < MAX_RUNS; run++) {
    least = Math.min(least, await timeOfAsync(few));
    most = Math.min(most, await timeOfAsync(large));
    if (most <= MAX_RATIO * Math.max(least, MIN_MS)) return;
  }
  assert.fail(`${least.toFixed(1)} ms for the small inputs together, ${most.toFixed(1)} ms for the large one`);
}

async function timeOfAsync(work: () => Promise<unknown>): Promise<number> {
  const before = threadCpuTime();
  await work();
  return threadCpuTime() - before;
}
