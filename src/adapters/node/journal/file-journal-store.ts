import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode, ifFound } from '../../../base/errno.ts';
import { jsonChunks } from '../../../base/json-chunks.ts';
import { SerialQueue } from '../../../base/serial-queue.ts';
import type { JournalEntry, JournalStore } from '../../../ports/journal-store.ts';
import { flushFolder } from '../flushed-files.ts';
import { withFileLock } from '../lock-file.ts';
import { isOwner, isRunning, isThisProcess, thisProcess } from '../owner.ts';
import { writingState } from '../writing-state.ts';
import { encodeFrame, type FrameKind, readPayload, readPayloadAt, scanFrames, shortHash } from './frames.ts';
import { importOldEntries } from './old-entries.ts';
import { expiredSegments } from './expired-segments.ts';
import { type FramePlace, type IndexedEntry, type Segment, SegmentIndex, segmentName, withFile } from './segments.ts';

export interface JournalOptions {
  /** Size at which a new segment begins. A large run may fill one alone. */
  readonly segmentBytes?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const SEGMENT_BYTES = 1024 * 1024;
/** Disk space reserved for the ending of a run when the disk is full. */
const RESERVE_BYTES = 64 * 1024;
const RESERVE = 'reserve';
const never = new AbortController().signal;

/** Entries that this process appended, with any store: those without an ending are still running. */
const ownEntries = new Set<string>();

/**
 * Journal in a folder: append-only segments of checksummed frames, one or more per day. A damaged part affects only the entries that it
 * belongs to. Created on first use.
 */
export function createFileJournalStore(folder: string, options: JournalOptions = {}): JournalStore {
  const { segmentBytes = SEGMENT_BYTES, now = Date.now } = options;
  const lane = new SerialQueue();
  const index = new SegmentIndex(folder);
  let hasImported = false;

  const reading = <T>(work: () => Promise<T>): Promise<T> =>
    lane.run(never, async () => {
      await importOld();
      await index.refresh();
      return await work();
    });
  const writing = <T>(work: () => Promise<T>): Promise<T> =>
    lane.run(never, () =>
      writingState(folder, async () => {
        await mkdir(folder, { recursive: true });
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
      // Another process was killed during its append.
      (await stat(newest.path)).size === newest.size;
    const path = isUsable
      ? newest.path
      : join(folder, segmentName((newest?.number ?? 0) + 1, latest(newest?.day, day)));
    await using file = await open(path, isUsable ? 'a' : 'ax', 0o600);
    try {
      for (const bytes of frames) await file.writeFile(bytes);
      await file.sync();
    } catch (error) {
      // A failed append must leave nothing behind, least of all on a full disk.
      if (isUsable) await file.truncate(newest.size);
      else await rm(path, { force: true });
      throw error;
    }
    if (!isUsable) await flushFolder(folder);
    await index.refresh();
  };

  /** Frees the reserve, because the ending of a run must be recorded on a full disk too. */
  const appendWithReserve = async (frames: readonly Uint8Array[]): Promise<void> => {
    try {
      await appendFrames(frames);
    } catch (error) {
      if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT')) throw error;
      await rm(join(folder, RESERVE), { force: true });
      await appendFrames(frames);
    }
  };

  const newestOf = (runId: string): IndexedEntry => {
    const entry = index.newestOf(runId);
    if (entry === undefined) throw missing(`the journal has no run ${runId}`);
    return entry;
  };
  const add = (kind: 'note' | 'ending', runId: string, value: unknown): Promise<void> =>
    writing(() => appendWithReserve(encodeFrame(kind, newestOf(runId).id, runId, encodeJson(value))));
  const readEntry = async (entry: IndexedEntry): Promise<JournalEntry> => {
    const head = await readJson('record', entry, { segment: entry.segment, offset: entry.record });
    const notes = await Promise.all(entry.notes.map(place => readJson('note', entry, place)));
    const ending = entry.ending && (await readJson('ending', entry, entry.ending));
    const isEnded = entry.ending !== undefined;
    const owner = isOwner(head.value?.['owner']) ? head.value['owner'] : undefined;
    const isAlive =
      !isEnded && owner !== undefined && (isThisProcess(owner) ? ownEntries.has(entry.id) : await isRunning(owner));
    const damage = [head, ...notes, ...(ending === undefined ? [] : [ending])].find(part => part.damage !== undefined);
    const missingPart = isEnded ? undefined : damageAfter(entry, index.segments);
    const where = damage?.damage ?? missingPart;
    return {
      runId: entry.runId,
      record: head.value?.['record'],
      notes: notes.flatMap(note => (note.value === undefined ? [] : [note.value])),
      // A damaged ending is still an ending, so nothing may be recovered.
      ending: ending === undefined ? undefined : (ending.value ?? null),
      isRunning: isAlive,
      ...(where === undefined ? {} : { damage: where }),
    };
  };

  return {
    async append(runId, record, blobs, ending) {
      if (!/^[\w-]{1,64}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} cannot be the name of a run`);
      const id = randomBytes(8).toString('hex');
      const head = { owner: await thisProcess(), record };
      const frames = Array.from(blobs, ([name, bytes]) => encodeFrame('blob', id, shortHash(name), bytes)).flat();
      frames.push(...encodeFrame('record', id, runId, encodeJson(head)));
      if (ending !== undefined) frames.push(...encodeFrame('ending', id, runId, encodeJson(ending)));
      if (ending === undefined) ownEntries.add(id);
      try {
        await writing(async () => {
          await keepReserve(folder);
          await appendFrames(frames);
        });
      } catch (error) {
        ownEntries.delete(id);
        throw error;
      }
    },
    note: (runId, note) => add('note', runId, note),
    async finish(runId, ending) {
      try {
        await add('ending', runId, ending);
      } finally {
        // The run has ended, even if the ending could not be recorded.
        const id = index.newestOf(runId)?.id;
        if (id !== undefined) ownEntries.delete(id);
      }
    },
    list: (limit = Number.POSITIVE_INFINITY) =>
      reading(async () => {
        const entries: JournalEntry[] = [];
        for (const entry of index.entries().slice(0, limit)) entries.push(await readEntry(entry));
        return entries;
      }),
    find: runId =>
      reading(async () => {
        const entry = index.newestOf(runId);
        return entry && (await readEntry(entry));
      }),
    unfinished: () =>
      reading(async () => {
        const entries: JournalEntry[] = [];
        for (const entry of index.entries()) if (entry.ending === undefined) entries.push(await readEntry(entry));
        return entries;
      }),
    damage: () =>
      reading(async () =>
        index.segments.flatMap(({ path, damage }) => Array.from(damage, offset => `${path}, byte ${offset}`)),
      ),
    readBlob: (runId, name) =>
      reading(async () => {
        for (const entry of index.entries()) {
          if (entry.runId !== runId) continue;
          const bytes = await readBlobOf(entry, shortHash(name));
          if (bytes !== undefined) return bytes;
        }
        throw missing(`run ${runId} has no blob ${name}`);
      }),
    prune: limits =>
      writing(async () => {
        // Oldest first and one by one, so that a kill in between leaves newer segments complete.
        for (const { path } of expiredSegments(index, limits, now())) await unlink(path).catch(() => undefined);
        await index.refresh();
      }),
  };
}

const encodeJson = (value: unknown): Uint8Array => Buffer.concat(Array.from(jsonChunks(value)));
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
/** Never before the day of the previous segment, even if the clock was set back. */
const latest = (before: string | undefined, day: string): string =>
  before !== undefined && before > day ? before : day;
const missing = (message: string): Error => Object.assign(new Error(message), { code: 'ENOENT' });

async function readJson(
  kind: FrameKind,
  { id }: IndexedEntry,
  { segment, offset }: FramePlace,
): Promise<{ readonly value?: Record<string, unknown>; readonly damage?: string }> {
  const damage = `${segment.path}, byte ${offset}`;
  try {
    const payload = await withFile(segment.path, file => readPayloadAt(file, offset, { kind, entry: id }));
    // The checksum matches, so the content has the type that was written.
    return payload === undefined ? { damage } : { value: JSON.parse(new TextDecoder().decode(payload)) };
  } catch {
    return { damage };
  }
}

/** The first position where frames of an open entry may be missing, because something after its record is damaged. */
function damageAfter(entry: IndexedEntry, segments: readonly Segment[]): string | undefined {
  for (const { number, path, damage } of segments) {
    if (number < entry.segment.number) continue;
    for (const offset of damage)
      if (number > entry.segment.number || offset > entry.record) return `${path}, byte ${offset}`;
  }
  return undefined;
}

async function readBlobOf(entry: IndexedEntry, nameHash: string): Promise<Uint8Array | undefined> {
  return await withFile(entry.segment.path, async file => {
    for await (const frame of scanFrames(file, entry.start, entry.segment.size)) {
      if (frame.kind === 'damage' || frame.entry !== entry.id || frame.kind === 'record') continue;
      if (frame.offset > entry.record) return undefined;
      if (frame.kind !== 'blob' || frame.label !== nameHash) continue;
      const bytes = await readPayload(file, frame);
      if (bytes !== undefined) return bytes;
      throw new Error(`${entry.segment.path}, byte ${frame.offset}: the content is damaged`);
    }
    return undefined;
  });
}

async function keepReserve(folder: string): Promise<void> {
  const path = join(folder, RESERVE);
  if ((await ifFound(stat(path)))?.size === RESERVE_BYTES) return;
  try {
    await using file = await open(path, 'w', 0o600);
    await file.writeFile(new Uint8Array(RESERVE_BYTES));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
