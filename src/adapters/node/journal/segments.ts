import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../../base/errno.ts';
import { endOf, type Frame, scanFrames } from './frames.ts';

/** The position of a frame. */
export interface FramePlace {
  readonly segment: Segment;
  /** Byte offset in the segment. */
  readonly offset: number;
}

/** An entry of the journal, with the positions of its parts. There can be tens of thousands, so it has nothing that the segment has. */
export interface IndexedEntry {
  readonly id: string;
  readonly runId: string;
  readonly segment: Segment;
  /** Byte offset of the record. */
  readonly record: number;
  /** Byte offset of the entry: its blobs precede its record. */
  readonly start: number;
  notes: readonly FramePlace[];
  ending: FramePlace | undefined;
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
  /** Ids of entries of other segments that have notes or endings here. */
  readonly referred: Set<string>;
}

const NAME = /^(\d{8})-(\d{8})\.journal$/;
export const segmentName = (number: number, day: string): string => `${String(number).padStart(8, '0')}-${day}.journal`;

/** The index of a journal, kept up to date with what this and other processes append. */
export class SegmentIndex {
  readonly #folder: string;
  #segments: Segment[] = [];
  /** Oldest first. */
  #entries = new Map<string, IndexedEntry>();
  /** The newest entry of each run. */
  readonly #newest = new Map<string, IndexedEntry>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Newest first. */
  entries(): readonly IndexedEntry[] {
    return Array.from(this.#entries.values()).toReversed();
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  newestOf(runId: string): IndexedEntry | undefined {
    return this.#newest.get(runId);
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
      for (const entry of this.#entries.values()) if (!numbers.has(entry.segment.number)) this.#forget(entry);
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

  #forget(entry: IndexedEntry): void {
    this.#entries.delete(entry.id);
    if (this.#newest.get(entry.runId) === entry) this.#newest.delete(entry.runId);
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
      let start: { readonly id: string; readonly offset: number } | undefined;
      for await (const frame of scanFrames(file, segment.size, size)) {
        if (frame.kind === 'damage') {
          segment.damage.add(frame.offset);
          start = undefined;
          continue;
        }
        if (frame.kind === 'blob') {
          if (start?.id !== frame.entry) start = { id: frame.entry, offset: frame.offset };
          // Added with its record: until then, the append may be in progress.
          continue;
        }
        this.#take(frame, segment, start?.id === frame.entry ? start.offset : frame.offset);
        segment.size = endOf(frame);
        start = undefined;
      }
    });
  }

  #take(frame: Frame, segment: Segment, start: number): void {
    const { kind, entry: id, offset } = frame;
    if (kind === 'record') {
      if (this.#entries.has(id)) return;
      const runId = flat(frame.label);
      const entry = { id: flat(id), runId, segment, record: offset, start, notes: noNotes, ending: undefined };
      this.#entries.set(entry.id, entry);
      this.#newest.set(runId, entry);
      return;
    }
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    if (entry.segment !== segment) segment.referred.add(entry.id);
    if (kind === 'ending') entry.ending = { segment, offset };
    else if (kind === 'note') entry.notes = [...entry.notes, { segment, offset }];
  }
}

const noNotes: readonly FramePlace[] = [];

/** A copy without the header that the text is a part of: V8 would keep the whole header. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

export async function withFile<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  await using file = await open(path, 'r');
  return await work(file);
}
