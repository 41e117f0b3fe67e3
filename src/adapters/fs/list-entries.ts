import type { Dirent } from 'node:fs';
import { compareByteOrder } from '../../base/byte-order.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { isNeverSynced } from '../../base/secret-names.ts';
import { sortInSteps } from '../../base/sort-in-steps.ts';
import { runInSlices, runToEnd, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileEntry } from '../../ports/file-system.ts';
import { isUnfinished } from './temporary-files.ts';

/** Links that are resolved at the same time. */
const CONCURRENCY = 16;
/** Entries that are listed without a pause: the first look at a clock takes a tenth of the time of a short program. */
const MAX_UNPAUSED = 256;

/**
 * Lists the entries of a folder in byte order, without temporary files. Pauses, because a folder can have tens of thousands of entries.
 *
 * @param kindOfLink resolves a link
 */
export async function listEntries(
  entries: readonly Dirent[],
  kindOfLink: (name: string) => Promise<Pick<FileEntry, 'kind' | 'target'>>,
  clock: Clock,
): Promise<readonly FileEntry[]> {
  const slice = entries.length > MAX_UNPAUSED ? new TimeSlice(clock) : undefined;
  const listed: FileEntry[] = [];
  const links: string[] = [];
  for (const entry of entries) {
    if (slice?.isUsedUp() === true) await slice.waitForNextTurn();
    const { name } = entry;
    if (isUnfinished(name)) continue;
    // A project path cannot contain names that are not UTF-8 or that have a separator of Windows.
    if (/[\\\uFFFD]/.test(name) || isNeverSynced(name)) listed.push({ name, kind: 'other' });
    else if (entry.isSymbolicLink()) links.push(name);
    else listed.push({ name, kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other' });
  }
  const resolved = await mapConcurrent(links, CONCURRENCY, async name => ({ name, ...(await kindOfLink(name)) }));
  listed.push(...resolved);
  const sorted = sortInSteps(listed, (a, b) => compareByteOrder(a.name, b.name));
  return slice === undefined ? runToEnd(sorted) : runInSlices(sorted, slice);
}
