import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import { type TimeSlice, runInSlices } from '../../base/time-slice.ts';
import type { FileEntry, FileStat } from '../../ports/file-system.ts';
import type { DiskView } from '../snapshot/pass.ts';
import { DiskEntries, type DiskEntry } from '../tree/disk-entries.ts';
import type { DiskIndex } from '../tree/disk-index.ts';
import { type DiskPorts, isFileFailure, isMissing } from '../tree/disk-ports.ts';

/** Coarsest timestamp resolution of a file system in use. Files younger than this are compared by content. */
const MAX_TIMESTAMP_STEP_MS = 2_000;

/** Size above which hashing a file yields to other work first. */
const LARGE_FILE_BYTES = 1024 * 1024;

/**
 * Describes a file for the disk index. The stat precedes the read, so the next scan detects a write in between.
 *
 * @param now milliseconds since the epoch, at or before the time of the stat
 */
export async function describeFile(
  { hasher }: DiskPorts,
  stat: FileStat,
  bytes: Uint8Array,
  now: number,
  slice: TimeSlice,
): Promise<Extract<DiskEntry, { readonly kind: 'file' }>> {
  // Many reads may resolve in the same turn of the event loop.
  await slice.yieldToEventLoop();
  const age = now - Math.max(stat.mtimeMs, stat.ctimeMs);
  const gitBlob =
    bytes.length < LARGE_FILE_BYTES ? hasher.gitBlob(bytes) : await runInSlices(hasher.gitBlobPausable(bytes), slice);
  return {
    kind: 'file',
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    ctimeMs: stat.ctimeMs,
    inode: stat.inode,
    gitBlob,
    settled: age > MAX_TIMESTAMP_STEP_MS && stat.size === bytes.length,
  };
}

/** The result of a disk scan, so that files and folders are not read twice. */
export interface DiskFindings {
  /** Paths that differ from the index. */
  readonly changed: ReadonlySet<ProjectPath>;
  readonly read: ReadonlyMap<ProjectPath, { readonly bytes: Uint8Array; readonly seen: DiskEntry }>;
  /** Folders whose listing matches the index. */
  readonly listed: ReadonlySet<ProjectPath>;
}

/** Reads files for one pass and records them in `seen`. The index gets these entries together with the resulting patch. */
export class DiskReader implements DiskView {
  readonly seen = new DiskEntries();
  readonly #ports: DiskPorts;
  readonly #index: DiskIndex;
  readonly #listings = new Map<ProjectPath, Promise<ReadonlyMap<string, FileEntry> | undefined>>();

  readonly #now: number;
  readonly #found: DiskFindings;
  readonly #slice: TimeSlice;

  /** @param found the result of a preceding scan */
  constructor(ports: DiskPorts, index: DiskIndex, found: DiskFindings, slice: TimeSlice) {
    this.#slice = slice;
    this.#ports = ports;
    this.#index = index;
    this.#found = found;
    this.#now = Date.parse(ports.clock.date());
  }

  async kindOf(path: ProjectPath): Promise<FileEntry['kind'] | undefined> {
    const listing = path === '' ? undefined : await this.#listingOf(folderOf(path));
    if (listing) return listing.get(nameOf(path))?.kind;
    const stat = await this.#ports.files.stat(path);
    // A listed folder shows when the file appears, so only an unlisted one needs an entry.
    if (stat === undefined && this.#index.get(folderOf(path))?.kind !== 'directory')
      this.seen.set(path, { kind: 'absent' });
    if (stat?.target !== undefined) this.#index.link(path, stat.target);
    return stat?.kind;
  }

  async list(path: ProjectPath): Promise<readonly FileEntry[] | undefined> {
    let listing = this.#listingOf(path);
    if (listing === undefined) {
      listing = this.#list(path);
      this.#listings.set(path, listing);
    }
    const entries = await listing;
    return entries && Array.from(entries.values());
  }

  /** The listing of a folder if it is known without reading the folder. */
  #listingOf(folder: ProjectPath): Promise<ReadonlyMap<string, FileEntry> | undefined> | undefined {
    const known = this.#listings.get(folder);
    const seen = known === undefined && this.#found.listed.has(folder) ? this.#index.get(folder) : undefined;
    if (seen?.kind !== 'directory') return known;
    const listing = this.#byName(folder, seen.entries);
    this.#listings.set(folder, listing);
    return listing;
  }

  /** Pauses, because a folder can have tens of thousands of entries. */
  async #byName(folder: ProjectPath, entries: readonly FileEntry[]): Promise<ReadonlyMap<string, FileEntry>> {
    const byName = new Map<string, FileEntry>();
    for (const entry of entries) {
      if (this.#slice.isUsedUp()) await this.#slice.waitForNextTurn();
      byName.set(entry.name, entry);
      if (entry.target !== undefined) this.#index.link(joinPath(folder, entry.name), entry.target);
    }
    return byName;
  }

  async #list(path: ProjectPath): Promise<ReadonlyMap<string, FileEntry> | undefined> {
    try {
      const entries = await this.#ports.files.list(path);
      this.seen.set(path, { kind: 'directory', entries });
      return await this.#byName(path, entries);
    } catch (error) {
      // Also on missing permission: the next scan then sees the file and reads it again.
      if (isFileFailure(error)) this.seen.set(path, { kind: 'absent' });
      if (!isMissing(error)) throw error;
      return undefined;
    }
  }

  async read(path: ProjectPath): Promise<Uint8Array | undefined> {
    const found = this.#takeFound(path);
    return (
      found ??
      this.#unlessMissing(path, async () => {
        const { bytes, stat } = await this.#ports.files.readWithStat(path);
        this.seen.set(path, await this.#describe(stat, bytes));
        return bytes;
      })
    );
  }

  async readFor<T>(path: ProjectPath, use: (bytes: Uint8Array) => T): Promise<T | undefined> {
    const found = this.#takeFound(path);
    if (found) {
      // Without a wait for the disk, thousands of files would be parsed in one turn. All that are read at the same time pass an `await`
      // together, so there is none between this check and the work.
      if (this.#slice.isUsedUp()) await this.#slice.waitForNextTurn();
      return use(found);
    }
    return this.#unlessMissing(path, () =>
      this.#ports.files.readLent(path, async (bytes, stat) => {
        this.seen.set(path, await this.#describe(stat, bytes));
        return use(bytes);
      }),
    );
  }

  /** The bytes of a file that the scan has read. */
  #takeFound(path: ProjectPath): Uint8Array | undefined {
    const found = this.#found.read.get(path);
    if (found === undefined) return undefined;
    this.seen.set(path, found.seen);
    return found.bytes;
  }

  #describe(stat: FileStat, bytes: Uint8Array): Promise<DiskEntry> | DiskEntry {
    return this.#ports.isReadOnce === true
      ? { ...stat, kind: 'file', gitBlob: '', settled: false }
      : describeFile(this.#ports, stat, bytes, this.#now, this.#slice);
  }

  async #unlessMissing<T>(path: ProjectPath, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (isFileFailure(error)) this.seen.set(path, { kind: 'absent' });
      if (!isMissing(error)) throw error;
      return undefined;
    }
  }
}
