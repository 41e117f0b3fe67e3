import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath, nameOf } from '../../base/project-path.ts';
import { type TimeSlice, runInSlices } from '../../base/time-slice.ts';
import type { FileEntry, FileStat } from '../../ports/file-system.ts';
import type { DiskView } from '../snapshot/pass.ts';
import type { DiskIndex, DiskEntry } from '../tree/disk-index.ts';
import { type DiskPorts, isFileFailure, isMissing } from '../tree/disk-ports.ts';

/** Coarsest step of file times that is still in use. Younger files are compared by content. */
const COARSEST_TIME_MS = 2_000;

/** Bytes from which on hashing takes so long that others should have their turn. */
const LARGE = 1024 * 1024;

/**
 * What was seen of a file. The stat is from before the read, so a write in between shows at the next look.
 *
 * @param now milliseconds since the epoch, or a moment before
 */
export async function seenFile(
  { hasher }: DiskPorts,
  stat: FileStat,
  bytes: Uint8Array,
  now: number,
  slice: TimeSlice,
): Promise<Extract<DiskEntry, { readonly kind: 'file' }>> {
  // Many files may have come in one turn.
  await slice.yieldToEventLoop();
  const age = now - stat.mtimeMs;
  const gitBlob =
    bytes.length < LARGE ? hasher.gitBlob(bytes) : await runInSlices(hasher.gitBlobPausable(bytes), slice);
  return {
    kind: 'file',
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    gitBlob,
    settled: age > COARSEST_TIME_MS && stat.size === bytes.length,
  };
}

/** What a look at the disk came by: it need not be read twice. */
export interface DiskFindings {
  /** Paths that are not as the index says. */
  readonly changed: ReadonlySet<ProjectPath>;
  readonly read: ReadonlyMap<ProjectPath, { readonly bytes: Uint8Array; readonly seen: DiskEntry }>;
  /** Folders whose listing is as the index says. */
  readonly listed: ReadonlySet<ProjectPath>;
}

/** Reads for one pass. What it saw goes into `seen`, and into the index only with the patch that came of it. */
export class DiskReader implements DiskView {
  readonly seen = new Map<ProjectPath, DiskEntry>();
  readonly #ports: DiskPorts;
  readonly #index: DiskIndex;
  readonly #listings = new Map<ProjectPath, Promise<ReadonlyMap<string, FileEntry> | undefined>>();

  readonly #now: number;
  readonly #found: DiskFindings;
  readonly #slice: TimeSlice;

  /** @param found what a look just before has read already */
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
    // The listing of its folder shows when it comes.
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

  /** What is known of a folder without another look. */
  #listingOf(folder: ProjectPath): Promise<ReadonlyMap<string, FileEntry> | undefined> | undefined {
    const known = this.#listings.get(folder);
    const seen = known === undefined && this.#found.listed.has(folder) ? this.#index.get(folder) : undefined;
    if (seen?.kind !== 'directory') return known;
    const listing = Promise.resolve(new Map(seen.entries.map(entry => [entry.name, entry])));
    this.#listings.set(folder, listing);
    return listing;
  }

  async #list(path: ProjectPath): Promise<ReadonlyMap<string, FileEntry> | undefined> {
    try {
      const entries = await this.#ports.files.list(path);
      this.seen.set(path, { kind: 'directory', entries });
      for (const { name, target } of entries) if (target !== undefined) this.#index.link(joinPath(path, name), target);
      return new Map(entries.map(entry => [entry.name, entry]));
    } catch (error) {
      // Without permission as well: the next scan finds something there and reads it again.
      if (isFileFailure(error)) this.seen.set(path, { kind: 'absent' });
      if (!isMissing(error)) throw error;
      return undefined;
    }
  }

  async read(path: ProjectPath): Promise<Uint8Array | undefined> {
    const found = this.#found.read.get(path);
    if (found) {
      this.seen.set(path, found.seen);
      return found.bytes;
    }
    try {
      const { bytes, stat } = await this.#ports.files.readWithStat(path);
      this.seen.set(path, await seenFile(this.#ports, stat, bytes, this.#now, this.#slice));
      return bytes;
    } catch (error) {
      if (isFileFailure(error)) this.seen.set(path, { kind: 'absent' });
      if (!isMissing(error)) throw error;
      return undefined;
    }
  }
}
