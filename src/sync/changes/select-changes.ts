import type { PausableWork } from '../../base/time-slice.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { ChangeFilters } from '../../protocol/sync-page.ts';
import type { ChangeResult } from '../../protocol/run-result.ts';

/** Number of changes between two pauses. */
const BATCH_SIZE = 128;
const DIGEST_DIGITS = 24;

/** Whether the change matches every given filter. */
export function matchesFilters(change: ChangeResult, filters: ChangeFilters): boolean {
  const { under, patchType, className, direction, undecided } = filters;
  return (
    (patchType === undefined || change.patchType === patchType) &&
    (className === undefined || change.className === className) &&
    (direction === undefined || change.direction === direction) &&
    (undecided === undefined || (change.direction === 'unresolved') === undecided) &&
    (under === undefined || isAtOrBelow(change.path, under) || isAtOrBelow(change.fsPath ?? '', under))
  );
}

function isAtOrBelow(path: string, under: string): boolean {
  const top = under.endsWith('/') ? under.slice(0, -1) : under;
  return path.startsWith(top) && (path.length === top.length || path[top.length] === '/');
}

/** Identifies a set of changes and both sides of each, independent of order and decisions. 24 hex digits. */
export function* digestOf(changes: readonly ChangeResult[], hasher: Hasher): PausableWork<string> {
  const sums = new Uint8Array(32);
  let count = 0;
  for (const change of changes) {
    if ((count += 1) % BATCH_SIZE === 0) yield;
    const hash = hasher.sha256(sidesOf(change));
    let carry = 0;
    for (let at = sums.length - 1; at >= 0; at -= 1) {
      carry += (sums[at] ?? 0) + Number.parseInt(hash.slice(at * 2, at * 2 + 2), 16);
      sums[at] = carry & 0xff;
      carry >>= 8;
    }
  }
  return hasher.sha256(`${count}:${sums.join()}`).slice(0, DIGEST_DIGITS);
}

function sidesOf({ id, patchType, path, studioHash, diskHash, hasDraft, subtree, properties }: ChangeResult): string {
  const sorted = Object.entries(properties ?? {})
    .map(([name, { current, incoming }]) => [name, current, incoming] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([id, patchType, path, studioHash, diskHash, hasDraft, subtree?.hash, sorted]);
}

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
