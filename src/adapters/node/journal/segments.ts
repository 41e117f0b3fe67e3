import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../../base/errno.ts';
import { type EntryRow, EntryTable, type RowPosition } from './entry-table.ts';
import { endOf, type JournalFrame, scanFrames } from './frames.ts';
import { keyOfHash, RowTable } from './row-table.ts';

/** The position of a frame. */
export interface FramePosition {
  readonly segment: Segment;
  /** Byte offset in the segment. */
  readonly offset: number;
}

/** An entry of the journal, with the positions of its parts. Its id and run are in its record. */
export interface IndexedEntry {
  readonly record: FramePosition;
  /** Byte offset of the entry: its blobs precede its record. */
  readonly start: number;
  readonly notes: readonly FramePosition[];
  readonly ending: FramePosition | undefined;
}

/** A file of the journal. Only the newest one grows. */
export interface Segment {
  readonly number: number;
  /** The day of its creation, in UTC: `20260131`. */
  readonly day: string;
  readonly path: string;
  /** Bytes of whole frames. */
  size: number;
  /** Positions that are not frames. */
  readonly damage: Set<number>;
  /** Numbers of the other segments whose entries have notes or endings here. */
  readonly referred: Set<number>;
}

const NAME = /^(\d{8})-(\d{8})\.journal$/;
export const segmentName = (number: number, day: string): string => `${String(number).padStart(8, '0')}-${day}.journal`;

/** The index of a journal, kept up to date with what this and other processes append. */
export class SegmentIndex {
  readonly #folder: string;
  #segments: Segment[] = [];
  readonly #entries = new EntryTable();
  /** The newest place of each blob, by the hash of its name. */
  #blobs = new RowTable(2);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Newest first. */
  entries(): Iterable<IndexedEntry> {
    return this.#withSegments(this.#entries.entries());
  }

  /** The numbers of the segments that have entries without an ending. */
  openSegments(): ReadonlySet<number> {
    return this.#entries.openSegments();
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Newest first. */
  entriesOf(runId: string): Iterable<IndexedEntry> {
    return this.#withSegments(this.#entries.entriesOf(runId));
  }

  newestOf(runId: string): IndexedEntry | undefined {
    const [newest] = this.entriesOf(runId);
    return newest;
  }

  /** The newest blob with this hash of its name. */
  blob(nameHash: string): FramePosition | undefined {
    const row = this.#blobs.find(keyOfHash(nameHash));
    if (row === undefined) return undefined;
    const segment = this.#segments.find(({ number }) => number === this.#blobs.at(row, 0));
    return segment && { segment, offset: this.#blobs.at(row, 1) };
  }

  *#withSegments(rows: Iterable<EntryRow>): Generator<IndexedEntry> {
    const byNumber = new Map(this.#segments.map(segment => [segment.number, segment]));
    const placeOf = ({ number, offset }: RowPosition): readonly FramePosition[] => {
      const segment = byNumber.get(number);
      return segment === undefined ? [] : [{ segment, offset }];
    };
    for (const row of rows) {
      const [record] = placeOf(row);
      const [ending] = row.ending === undefined ? [] : placeOf(row.ending);
      if (record !== undefined) yield { record, start: row.start, notes: row.notes.flatMap(placeOf), ending };
    }
  }

  /** Reads what was appended or removed since the last call. */
  async refresh(): Promise<void> {
    const found = ((await ifFound(readdir(this.#folder))) ?? [])
      .map(name => NAME.exec(name))
      .flatMap(match => (match === null ? [] : [{ number: Number(match[1]), day: match[2] ?? '', name: match[0] }]))
      .toSorted((a, b) => a.number - b.number);
    const numbers = new Set(found.map(({ number }) => number));
    if (this.#segments.some(({ number }) => !numbers.has(number))) {
      this.#segments = this.#segments.filter(({ number }) => numbers.has(number));
      this.#entries.keepSegments(numbers);
      this.#keepBlobsOf(numbers);
    }
    const known = new Map(this.#segments.map(segment => [segment.number, segment]));
    // Only the newest segment grows, and a segment that is not known yet is newer or was restored from a backup.
    const newest = this.#segments.at(-1)?.number ?? -1;
    for (const { number, day, name } of found) {
      const segment = known.get(number);
      if (segment !== undefined && number < newest) continue;
      await this.#scan(segment ?? this.#add(number, day, join(this.#folder, name)));
    }
  }

  #keepBlobsOf(numbers: ReadonlySet<number>): void {
    const before = this.#blobs;
    this.#blobs = new RowTable(2);
    for (let row = 0; row < before.size; row += 1)
      if (numbers.has(before.at(row, 0))) this.#blobs.put(before.keyAt(row), before.at(row, 0), before.at(row, 1));
  }

  #add(number: number, day: string, path: string): Segment {
    const segment: Segment = { number, day, path, size: 0, damage: new Set(), referred: new Set() };
    this.#segments = [...this.#segments, segment].toSorted((a, b) => a.number - b.number);
    return segment;
  }

  async #scan(segment: Segment): Promise<void> {
    const size = (await ifFound(stat(segment.path)))?.size ?? 0;
    if (size <= segment.size) return;
    try {
      await this.#scanFrom(segment, size);
    } catch (error) {
      if (!(error instanceof Error) || !('syscall' in error)) throw error;
      // Unreadable, or a folder; the other segments are still readable.
      segment.damage.add(segment.size);
    }
  }

  async #scanFrom(segment: Segment, size: number): Promise<void> {
    await withFile(segment.path, async file => {
      let start: { readonly id: string; readonly offset: number; readonly blobs: Map<string, number> } | undefined;
      for await (const frame of scanFrames(file, segment.size, size)) {
        if (frame.kind === 'damage') {
          segment.damage.add(frame.offset);
          start = undefined;
          continue;
        }
        if (frame.kind === 'blob') {
          if (start?.id !== frame.entry) start = { id: frame.entry, offset: frame.offset, blobs: new Map() };
          // Added with its record: until then, the append may be in progress.
          start.blobs.set(frame.label, frame.offset);
          continue;
        }
        const own = start?.id === frame.entry ? start : undefined;
        this.#take(frame, segment, own?.offset ?? frame.offset);
        for (const [name, offset] of own?.blobs ?? []) this.#takeBlob(name, segment.number, offset);
        segment.size = endOf(frame);
        start = undefined;
      }
    });
  }

  #takeBlob(nameHash: string, number: number, offset: number): void {
    const key = keyOfHash(nameHash);
    const row = this.#blobs.find(key);
    if (row === undefined || this.#blobs.at(row, 0) <= number) this.#blobs.put(key, number, offset);
  }

  #take({ kind, entry: id, label, offset }: JournalFrame, segment: Segment, start: number): void {
    const place = { number: segment.number, offset };
    if (kind === 'record') {
      if (!this.#entries.has(id)) this.#entries.add(id, label, { ...place, start });
      return;
    }
    if (kind === 'blob') return;
    const number = this.#entries.addPart(kind, id, place);
    if (number !== undefined && number !== segment.number) segment.referred.add(number);
  }
}

export async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path, 'r');
  return await work(file);
}
