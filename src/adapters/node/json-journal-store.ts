import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { jsonChunks } from '../../base/json-chunks.ts';
import type { JournalEntry, JournalStore } from '../../ports/journal-store.ts';
import { flushFolder, putFlushed, writeFlushed } from './flushed-files.ts';
import { isOwner, isRunning, isThisProcess, thisProcess } from './owner.ts';

const RECORD = 'record.json';
const ENDING = 'ending.json';
const UNFINISHED = '.unfinished-';
const DAY_MS = 24 * 60 * 60 * 1000;
const never = new AbortController().signal;

interface Place {
  readonly number: number;
  readonly runId: string;
  readonly path: string;
}

/** Entries that were appended by this process, whichever store did it: those without an ending are still running. */
const ownEntries = new Set<string>();

/**
 * Journal in a folder: one sub-folder `<number>-<runId>` per `append`, with `record.json`, a file per blob, `note-<number>.json` and
 * `ending.json`. A sub-folder is written beside, flushed, and renamed into its place, so that one is either whole or ignored;
 * so is every file that comes later. Created on first use.
 */
export function createJsonJournalStore(folder: string): JournalStore {
  const lane = new SerialQueue();
  const sizes = new Map<string, number>();

  const places = async (): Promise<readonly Place[]> => {
    const names = await namesIn(folder);
    return names
      .map(name => /^(\d+)-([\w-]+)$/.exec(name))
      .flatMap(match =>
        match === null ? [] : [{ number: Number(match[1]), runId: match[2] ?? '', path: join(folder, match[0]) }],
      )
      .sort((a, b) => b.number - a.number);
  };
  const newestOf = async (runId: string): Promise<Place> => {
    const place = (await places()).find(candidate => candidate.runId === runId);
    if (place === undefined) throw missing(`the journal has no run ${runId}`);
    return place;
  };
  const hasEnding = async (place: Place): Promise<boolean> => (await namesIn(place.path)).includes(ENDING);
  const put = (runId: string, nameOf: (names: readonly string[]) => string, value: unknown): Promise<void> =>
    lane.run(never, async () => {
      const { path } = await newestOf(runId);
      const name = nameOf(await namesIn(path));
      const beside = join(path, `${UNFINISHED}${randomBytes(8).toString('hex')}`);
      sizes.delete(path);
      await putFlushed(join(path, name), beside, jsonChunks(value));
    });

  return {
    append: (runId, record, blobs, ending) =>
      lane.run(never, async () => {
        if (!/^[\w-]{1,64}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} cannot be the name of a run`);
        const [newest] = await places();
        const unfinished = join(folder, `${UNFINISHED}${runId}`);
        await rm(unfinished, { recursive: true, force: true });
        await mkdir(unfinished, { recursive: true });
        for (const [name, bytes] of blobs) await writeFlushed(join(unfinished, blobFile(name)), bytes);
        const head = { runId, owner: await thisProcess(), record };
        await writeFlushed(join(unfinished, RECORD), jsonChunks(head));
        if (ending !== undefined) await writeFlushed(join(unfinished, ENDING), jsonChunks(ending));
        await flushFolder(unfinished);
        const number = String((newest?.number ?? 0) + 1).padStart(8, '0');
        const path = join(folder, `${number}-${runId}`);
        if (ending === undefined) ownEntries.add(path);
        await rename(unfinished, path);
        await flushFolder(folder);
      }),
    note: (runId, note) => put(runId, names => `note-${String(notesIn(names).length + 1).padStart(4, '0')}.json`, note),
    async finish(runId, ending) {
      await put(runId, () => ENDING, ending);
      ownEntries.delete((await newestOf(runId)).path);
    },
    async list(most = Number.POSITIVE_INFINITY) {
      const entries: JournalEntry[] = [];
      for (const place of await places()) {
        if (entries.length >= most) break;
        const entry = await readEntry(place);
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
    },
    async find(runId) {
      const place = (await places()).find(candidate => candidate.runId === runId);
      return place && (await readEntry(place));
    },
    async unfinished() {
      const entries: JournalEntry[] = [];
      for (const place of await places()) {
        const entry = (await hasEnding(place)) ? undefined : await readEntry(place);
        if (entry !== undefined) entries.push(entry);
      }
      return entries;
    },
    async readBlob(runId, name) {
      for (const place of await places()) {
        if (place.runId !== runId) continue;
        const bytes = await readIfThere(join(place.path, blobFile(name)));
        if (bytes !== undefined) return bytes;
      }
      throw missing(`run ${runId} has no blob ${name}`);
    },
    prune: ({ maxBytes, maxDays }) =>
      lane.run(never, async () => {
        let bytes = 0;
        for (const [index, place] of (await places()).entries()) {
          const size = sizes.get(place.path) ?? (await sizeOf(place.path));
          sizes.set(place.path, size);
          bytes += size;
          const isOld = Date.now() - (await writtenAt(place.path)) > maxDays * DAY_MS;
          if (index === 0 || !(isOld || bytes > maxBytes) || !(await hasEnding(place))) continue;
          await rm(place.path, { recursive: true, force: true });
          sizes.delete(place.path);
          bytes -= size;
        }
        await removeLeftOvers(folder);
      }),
  };
}

async function readEntry({ runId, path }: Place): Promise<JournalEntry | undefined> {
  const head = await readJson(join(path, RECORD));
  // Removed by another process since the folder was listed.
  if (typeof head !== 'object' || head === null || !('record' in head)) return undefined;
  const names = await namesIn(path);
  const notes: unknown[] = [];
  for (const name of notesIn(names)) notes.push(await readJson(join(path, name)));
  const ending = names.includes(ENDING) ? await readJson(join(path, ENDING)) : undefined;
  const owner = 'owner' in head && isOwner(head.owner) ? head.owner : undefined;
  const isAlive = owner !== undefined && (isThisProcess(owner) ? ownEntries.has(path) : await isRunning(owner));
  return { runId, record: head.record, notes, ending, isRunning: ending === undefined && isAlive };
}

const notesIn = (names: readonly string[]): readonly string[] =>
  names.filter(name => /^note-\d+\.json$/.test(name)).toSorted();

/** Names of blobs are paths and ids of any length; a file name is neither. */
const blobFile = (name: string): string => `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.blob`;

const missing = (message: string): Error => Object.assign(new Error(message), { code: 'ENOENT' });

const readIfThere = (path: string): Promise<Uint8Array | undefined> => ifFound(readFile(path));
const namesIn = async (path: string): Promise<readonly string[]> => (await ifFound(readdir(path))) ?? [];

async function readJson(path: string): Promise<unknown> {
  const bytes = await readIfThere(path);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
}

async function sizeOf(path: string): Promise<number> {
  const found = await Promise.all((await namesIn(path)).map(name => ifFound(stat(join(path, name)))));
  return found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

const writtenAt = async (path: string): Promise<number> =>
  (await ifFound(stat(join(path, RECORD))))?.mtimeMs ?? Date.now();

/** What was being appended when a process ended. */
async function removeLeftOvers(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (!name.startsWith(UNFINISHED)) continue;
    const found = await ifFound(stat(join(folder, name)));
    if (found !== undefined && Date.now() - found.mtimeMs > DAY_MS)
      await rm(join(folder, name), { recursive: true, force: true });
  }
}
