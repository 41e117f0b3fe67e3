import type { ProjectPath } from '../../base/brand.ts';
import { joinPath } from '../../base/project-path.ts';
import type { DiskEntry } from '../tree/disk-entries.ts';
import { changedNames, type DiskIndex } from '../tree/disk-index.ts';
import { type DiskPorts, isFileFailure } from '../tree/disk-ports.ts';
import { type DiskFindings, describeFile } from './disk-reader.ts';
import type { FileStat } from '../../ports/file-system.ts';
import { TimeSlice } from '../../base/time-slice.ts';

/** Paths that are checked in parallel. */
const BATCH_SIZE = 64;

/**
 * Finds the paths that differ from the index, among the given paths and everything below them (`''`: the whole project). Compares content:
 * a file that was rewritten with the same bytes has not changed. A changed listing yields the folder and each name that differs.
 */
export async function scanDisk(
  ports: DiskPorts,
  index: DiskIndex,
  scopes: readonly ProjectPath[],
  signal: AbortSignal,
): Promise<DiskFindings> {
  const findings: MutableFindings = { changed: new Set(), read: new Map(), listed: new Set() };
  const toCheck = new Set<ProjectPath>();
  const alone = scopes.length > MAX_SINGLE_FILES ? [] : scopes.filter(scope => index.get(scope)?.kind === 'file');
  const slice = new TimeSlice(ports.clock);
  for (const scope of scopes) {
    await slice.yieldToEventLoop();
    for (const path of index.atOrBelow(scope)) {
      toCheck.add(path);
      await slice.yieldToEventLoop();
    }
    if (!alone.includes(scope)) for (const path of index.above(scope)) toCheck.add(path);
  }
  await checkAll(ports, index, toCheck, findings, slice, signal);
  const above = new Set<ProjectPath>();
  for (const scope of alone)
    if (findings.changed.has(scope) && !findings.read.has(scope))
      for (const path of index.above(scope)) if (!toCheck.has(path)) above.add(path);
  await checkAll(ports, index, above, findings, slice, signal);
  return findings;
}

/** Up to this many files are checked individually first, because an existing file does not require listing its folder. */
const MAX_SINGLE_FILES = 8;

interface MutableFindings extends DiskFindings {
  readonly changed: Set<ProjectPath>;
  readonly read: Map<ProjectPath, { readonly bytes: Uint8Array; readonly seen: DiskEntry }>;
  readonly listed: Set<ProjectPath>;
}

async function checkAll(
  ports: DiskPorts,
  index: DiskIndex,
  toCheck: ReadonlySet<ProjectPath>,
  findings: MutableFindings,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<void> {
  const now = Date.parse(ports.clock.date());
  const queue = Array.from(toCheck);
  for (let start = 0; start < queue.length; start += BATCH_SIZE) {
    signal.throwIfAborted();
    const batch = queue.slice(start, start + BATCH_SIZE);
    const found = await Promise.all(batch.map(path => checkPath(ports, index, path, now, findings, slice)));
    for (const path of found.flat()) findings.changed.add(path);
    await slice.yieldToEventLoop();
  }
}

async function checkPath(
  ports: DiskPorts,
  index: DiskIndex,
  path: ProjectPath,
  now: number,
  findings: MutableFindings,
  slice: TimeSlice,
): Promise<readonly ProjectPath[]> {
  const seen = index.get(path);
  // Reads and scans take turns, so the entry is still there.
  if (seen === undefined) return [];
  try {
    if (seen.kind === 'directory') {
      const names = changedNames(seen.entries, await ports.files.list(path));
      if (names.length === 0) findings.listed.add(path);
      return names.length === 0 ? [] : [path, ...names.map(name => joinPath(path, name))];
    }
    const stat = await ports.files.stat(path);
    if (seen.kind === 'absent') return stat === undefined ? [] : [path];
    if (stat?.kind !== 'file') return [path];
    if (seen.settled && isSameStat(stat, seen)) return [];
    const file = await ports.files.readWithStat(path);
    const found = await describeFile(ports, file.stat, file.bytes, now, slice);
    if (found.gitBlob !== seen.gitBlob) {
      findings.read.set(path, { bytes: file.bytes, seen: found });
      return [path];
    }
    index.set(path, found);
    return [];
  } catch (error) {
    // Removed since the listing, or unreadable: reading the path reports which. Any other error is a bug.
    if (isFileFailure(error)) return [path];
    throw error;
  }
}

/** Also compares what programs that restore the time of a file cannot restore. */
const isSameStat = (stat: FileStat, seen: Extract<DiskEntry, { readonly kind: 'file' }>): boolean =>
  stat.size === seen.size &&
  stat.mtimeMs === seen.mtimeMs &&
  stat.ctimeMs === seen.ctimeMs &&
  stat.inode === seen.inode;
