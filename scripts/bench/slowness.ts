import { threadCpuTime } from './cpu-time.ts';

/** CPU time of the reference on the machine of the promises while it is idle. */
const REFERENCE_MS = 0.61;
const reference = JSON.stringify(
  Array.from({ length: 2000 }, (_, id) => ({ id, name: `Script${id}`, path: ['ReplicatedStorage', `Part${id}`] })),
);

/** Does fixed work. @returns its CPU time in milliseconds */
export function referenceTime(): number {
  const from = threadCpuTime();
  JSON.parse(reference);
  return threadCpuTime() - from;
}

/**
 * How many times the CPU time of fixed work, in one of ten cases, exceeds that of an idle machine; at least 1. Programs that share a core and
 * its caches make each other slower.
 */
export function slownessOf(referenceTimes: readonly number[]): number {
  const slow = referenceTimes.toSorted((a, b) => a - b)[Math.floor(referenceTimes.length * 0.9)] ?? 0;
  return Math.max(1, slow / REFERENCE_MS);
}
