import { randomBytes } from 'node:crypto';
import { open, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type PausableWork, runInSlices, TimeSlice } from '../../../base/time-slice.ts';
import { jsonChunks } from '../../../base/json-chunks.ts';
import { SerialQueue } from '../../../base/serial-queue.ts';
import type { JournalEntry, JournalStore } from '../../../ports/journal-store.ts';
import type { TextStore } from '../../../ports/text-store.ts';
import { nodeClock } from '../clock.ts';
import { flushFolder } from '../flushed-files.ts';
import { withFileLock } from '../lock-file.ts';
import { createPackTextStore } from '../pack-text-store.ts';
import { isOwner, isRunning, isThisProcess, thisProcess } from '../owner.ts';
import { parseState } from '../parse-state.ts';
import { writingState } from '../writing-state.ts';
import {
  encodeInSteps,
  type JournalFrame,
  type FrameKind,
  readFrameAt,
  readPayload,
  scanFrames,
  shortHash,
} from './frames.ts';
import { RetainedBlobs, readBlobAt } from './retained-blobs.ts';
import { baseTextsFolder } from './known-journals.ts';
import { importOldEntries } from './old-entries.ts';
import { JournalReserve } from './reserve.ts';
import { expiredSegments } from './expired-segments.ts';
import {
  type FramePosition,
  type IndexedEntry,
  type Segment,
  SegmentIndex,
  segmentName,
  withFile,
} from './segments.ts';
import { makeStateFolder } from '../make-state-folder.ts';

export interface JournalOptions {
  /** Size at which a new segment begins. A large run may fill one alone. */
  readonly segmentBytes?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Takes the retained blobs that pruning removes. Default: the base texts beside the journal, so that every process passes them on. */
  readonly texts?: Pick<TextStore, 'put'>;
}

const SEGMENT_BYTES = 1024 * 1024;
const never = new AbortController().signal;

/** Entries that this process appended, with any store: those without an ending are still running. */
const ownEntries = new Set<string>();
/** The newest of these entries of each run. */
const newestOwn = new Map<string, string>();
/**
 * The endings of these entries that could not be recorded, by their runs. They are recorded later: without its ending, a run would be completed
 * at the next start, with files that were deleted since.
 */
const unrecordedEndings = new Map<string, unknown>();

/**
 * Journal in a folder: append-only segments of checksummed frames, one or more per day. A damaged part affects only the entries that it
 * belongs to. Created on first use.
 */
export function createFileJournalStore(folder: string, options: JournalOptions = {}): JournalStore {
  const { segmentBytes = SEGMENT_BYTES, now = Date.now } = options;
  const texts = options.texts ?? createPackTextStore(baseTextsFolder(folder));
  const queue = new SerialQueue();
  const index = new SegmentIndex(folder);
  const retainedBlobs = new RetainedBlobs(folder, index, texts);
  const reserve = new JournalReserve(folder);
  let hasImported = false;

  const reading = <T>(work: () => Promise<T>): Promise<T> =>
    queue.run(never, async () => {
      await importOld();
      await index.refresh();
      return await work();
    });
  const writing = <T>(work: () => Promise<T>): Promise<T> =>
    queue.run(never, () =>
      writingState(folder, async () => {
        await makeStateFolder(folder);
        await importOld();
        return await withFileLock(join(folder, 'journal.lock'), async () => {
          await index.refresh();
          return await work();
        });
      }),
    );
  const importOld = async (): Promise<void> => {
    if (hasImported) return;
    hasImported = true;
    await importOldEntries(folder, async old => {
      await withFileLock(join(folder, 'journal.lock'), async () => {
        await index.refresh();
        if (!index.has(old.id)) await appendFrames(old.frames, old.day);
      });
    });
  };

  const appendFrames = async (frames: readonly Uint8Array[], day = dayOf(now())): Promise<void> => {
    const newest = index.segments.at(-1);
    const isUsable =
      newest !== undefined &&
      newest.day >= day &&
      newest.size < segmentBytes &&
      // Otherwise another process was killed during its append.
      (await stat(newest.path)).size === newest.size;
    const path = isUsable
      ? newest.path
      : join(folder, segmentName((newest?.number ?? 0) + 1, latest(newest?.day, day)));
    await using file = await open(path, isUsable ? 'a' : 'ax', 0o600);
    try {
      for (const bytes of frames) await file.writeFile(bytes);
      await file.sync();
    } catch (error) {
      // A failed append must leave nothing behind, because the disk may be full.
      if (isUsable) await file.truncate(newest.size);
      else await rm(path, { force: true });
      throw error;
    }
    if (!isUsable) await flushFolder(folder);
    await index.refresh();
  };

  /** Those of the git blob ids whose bytes the journal has. */
  const present = async (ids: Iterable<string>): Promise<ReadonlySet<string>> => {
    const slice = new TimeSlice(nodeClock);
    const found = new Set<string>();
    for (const id of ids) {
      await slice.yieldToEventLoop();
      if (index.blob(shortHash(id)) !== undefined) found.add(id);
    }
    return found;
  };
  /** Even the lock needs disk space, so the reserve supports all of it. */
  const add = (kind: 'note' | 'ending', runId: string, value: unknown): Promise<void> =>
    reserve.support(runId, () => writing(() => addPart(kind, runId, value)));
  /** Requires the lock. */
  const addPart = async (kind: 'note' | 'ending', runId: string, value: unknown): Promise<void> => {
    const newest = index.newestOf(runId);
    const record = newest && (await readPart('record', newest.record)).frame;
    if (record === undefined) throw missing(`the journal has no run ${runId}`);
    const frame = encodeInSteps(kind, record.entry, runId, jsonChunks(value));
    await appendFrames(await runInSlices(frame, new TimeSlice(nodeClock)));
    // Pruning releases it otherwise.
    if (kind === 'ending') await reserve.release(runId).catch(() => undefined);
  };
  /** Records what could not be recorded before. Requires the lock. */
  const recordLateEndings = async (): Promise<void> => {
    for (const [runId, ending] of unrecordedEndings) {
      const newest = index.newestOf(runId);
      if (newest === undefined) continue;
      if (newest.ending === undefined) await addPart('ending', runId, ending);
      unrecordedEndings.delete(runId);
    }
  };
  /** @returns `undefined` for an entry that was damaged after it was indexed: `damage` lists it from now on */
  const readEntry = async (entry: IndexedEntry): Promise<JournalEntry | undefined> => {
    const head = await readPart('record', entry.record);
    if (head.frame === undefined) {
      entry.record.segment.damage.add(entry.record.offset);
      return undefined;
    }
    const { entry: id, label: runId } = head.frame;
    const notes = await Promise.all(entry.notes.map(place => readPart('note', place, id)));
    const ending = entry.ending && (await readPart('ending', entry.ending, id));
    const isEnded = entry.ending !== undefined;
    const owner = isOwner(head.value?.['owner']) ? head.value['owner'] : undefined;
    const isAlive =
      !isEnded && owner !== undefined && (isThisProcess(owner) ? ownEntries.has(id) : await isRunning(owner));
    const damage = [head, ...notes, ...(ending === undefined ? [] : [ending])].find(part => part.damage !== undefined);
    const missingPart = isEnded ? undefined : damageAfter(entry, index.segments);
    const where = damage?.damage ?? missingPart;
    return {
      runId,
      record: head.value?.['record'],
      notes: notes.flatMap(note => (note.value === undefined ? [] : [note.value])),
      // A damaged ending is still an ending, so nothing may be recovered.
      ending: ending === undefined ? undefined : (ending.value ?? null),
      isRunning: isAlive,
      ...(where === undefined ? {} : { damage: where }),
    };
  };
  /** The entries that match, newest first. */
  const readEntries = async (
    limit: number,
    matches: (entry: IndexedEntry) => boolean,
  ): Promise<readonly JournalEntry[]> => {
    const entries: JournalEntry[] = [];
    for (const entry of index.entries()) {
      if (entries.length >= limit) break;
      const found = matches(entry) ? await readEntry(entry) : undefined;
      if (found !== undefined) entries.push(found);
    }
    return entries;
  };

  return {
    async append(runId, record, blobs, ending, endBytes = 0) {
      if (!/^[\w-]{1,64}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} cannot be the name of a run`);
      const id = randomBytes(8).toString('hex');
      const head = { owner: await thisProcess(), record };
      const frames = await runInSlices(encodeEntry(id, runId, head, blobs, ending), new TimeSlice(nodeClock));
      if (ending === undefined) {
        ownEntries.add(id);
        newestOwn.set(runId, id);
      }
      try {
        await writing(async () => {
          await reserve.growShared();
          try {
            if (ending === undefined) await reserve.hold(runId, endBytes);
            await appendFrames(frames);
          } catch (error) {
            await reserve.release(runId);
            throw error;
          }
          await recordLateEndings().catch(() => undefined);
        });
      } catch (error) {
        ownEntries.delete(id);
        newestOwn.delete(runId);
        throw error;
      }
    },
    note: (runId, note) => add('note', runId, note),
    async finish(runId, ending) {
      try {
        await add('ending', runId, ending);
      } catch (error) {
        if (newestOwn.has(runId)) unrecordedEndings.set(runId, ending);
        throw error;
      } finally {
        // The run has ended, even if the ending could not be recorded.
        ownEntries.delete(newestOwn.get(runId) ?? '');
        newestOwn.delete(runId);
      }
    },
    list: (limit = Number.POSITIVE_INFINITY) => reading(() => readEntries(limit, () => true)),
    find: runId =>
      reading(async () => {
        const entry = index.newestOf(runId);
        return entry && (await readEntry(entry));
      }),
    async unfinished() {
      if (unrecordedEndings.size > 0) await writing(recordLateEndings).catch(() => undefined);
      return await reading(() => readEntries(Number.POSITIVE_INFINITY, ({ ending }) => ending === undefined));
    },
    damage: () =>
      reading(async () =>
        index.segments.flatMap(({ path, damage }) => Array.from(damage, offset => `${path}, byte ${offset}`)),
      ),
    readBlob: (runId, name) =>
      reading(async () => {
        for (const entry of index.entriesOf(runId)) {
          const bytes = await readBlobOf(entry, shortHash(name));
          if (bytes !== undefined) return bytes;
        }
        throw missing(`run ${runId} has no blob ${name}`);
      }),
    async keepBlobs(ids) {
      // Most texts are not in the journal, and reading waits for no other process.
      const found = await reading(() => present(ids));
      if (found.size === 0) return found;
      return await writing(async () => {
        const kept = await present(found);
        await retainedBlobs.add(kept);
        return kept;
      });
    },
    findBlob: id =>
      reading(async () => {
        const place = index.blob(shortHash(id));
        return place && (await readBlobAt(place));
      }),
    prune: limits =>
      writing(async () => {
        // Oldest first and one by one, so that a kill in between leaves newer segments complete.
        for (const segment of expiredSegments(index, limits, now())) {
          await retainedBlobs.moveFrom(segment);
          try {
            await unlink(segment.path);
          } catch {
            // Windows cannot remove a file that a reader has open. The next pruning tries again. Until then, newer segments stay: they may
            // have the endings of its entries.
            break;
          }
        }
        await index.refresh();
        await reserve.releaseOthers(runId => {
          const newest = index.newestOf(runId);
          return newest !== undefined && newest.ending === undefined;
        });
      }),
  };
}

function* encodeEntry(
  id: string,
  runId: string,
  head: unknown,
  blobs: ReadonlyMap<string, Uint8Array>,
  ending: unknown,
): PausableWork<readonly Uint8Array[]> {
  const frames: Uint8Array[] = [];
  for (const [name, bytes] of blobs) frames.push(...(yield* encodeInSteps('blob', id, shortHash(name), [bytes])));
  for (const part of yield* encodeInSteps('record', id, runId, jsonChunks(head))) frames.push(part);
  if (ending !== undefined)
    for (const part of yield* encodeInSteps('ending', id, runId, jsonChunks(ending))) frames.push(part);
  return frames;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
/** The later day: a segment is never named for a day before the previous segment, even if the clock was set back. */
const latest = (before: string | undefined, day: string): string =>
  before !== undefined && before > day ? before : day;
const missing = (message: string): Error => Object.assign(new Error(message), { code: 'ENOENT' });

/** A part of an entry. Without a frame, its header is damaged. */
interface EntryPart {
  readonly frame?: JournalFrame;
  readonly value?: Record<string, unknown>;
  readonly damage?: string;
}

/** @param id the id of the entry, unless the part is its record */
async function readPart(kind: FrameKind, { segment, offset }: FramePosition, id?: string): Promise<EntryPart> {
  const damage = `${segment.path}, byte ${offset}`;
  try {
    return await withFile(segment.path, async file => {
      const frame = await readFrameAt(file, offset, kind);
      if (frame === undefined || (id ?? frame.entry) !== frame.entry) return { damage };
      const payload = await readPayload(file, frame);
      if (payload === undefined) return { frame, damage };
      const value = await parseState(payload);
      // The checksum matches, so the content has the type that was written.
      return value === undefined ? { frame, damage } : { frame, value: value as Record<string, unknown> };
    });
  } catch {
    return { damage };
  }
}

/** The first position where frames of an open entry may be missing, because something after its record is damaged. */
function damageAfter({ record }: IndexedEntry, segments: readonly Segment[]): string | undefined {
  for (const { number, path, damage } of segments) {
    if (number < record.segment.number) continue;
    for (const offset of damage)
      if (number > record.segment.number || offset > record.offset) return `${path}, byte ${offset}`;
  }
  return undefined;
}

async function readBlobOf({ record, start }: IndexedEntry, nameHash: string): Promise<Uint8Array | undefined> {
  const { path } = record.segment;
  return await withFile(path, async file => {
    for await (const frame of scanFrames(file, start, record.offset)) {
      if (frame.kind !== 'blob' || frame.label !== nameHash) continue;
      const bytes = await readPayload(file, frame);
      if (bytes !== undefined) return bytes;
      throw new Error(`${path}, byte ${frame.offset}: the content is damaged`);
    }
    return undefined;
  });
}
