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
    (undecided !== true || change.direction === 'unresolved') &&
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
