import type { PausableWork } from './time-slice.ts';

/** Number of items between two pauses. */
const BATCH_SIZE = 128;

/** Sorts in short steps, because sorting thousands of paths in one step would block the event loop. Stable. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): PausableWork<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += BATCH_SIZE) {
    runs.push(items.slice(from, from + BATCH_SIZE).toSorted(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): PausableWork<readonly T[]> {
  const merged: T[] = [];
  let [atLeft, atRight] = [0, 0];
  while (atLeft < left.length || atRight < right.length) {
    if (merged.length % BATCH_SIZE === 0) yield;
    const a = left[atLeft];
    const b = right[atRight];
    const takesLeft = b === undefined || (a !== undefined && compare(a, b) <= 0);
    if (takesLeft && a !== undefined) merged.push(a);
    else if (b !== undefined) merged.push(b);
    if (takesLeft) atLeft += 1;
    else atRight += 1;
  }
  return merged;
}
