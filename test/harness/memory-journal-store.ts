import { nodeClock } from '../../src/adapters/node/clock.ts';
import { jsonChunks } from '../../src/base/json-chunks.ts';
import { TimeSlice } from '../../src/base/time-slice.ts';
import type { JournalEntry, JournalLimits, JournalStore } from '../../src/ports/journal-store.ts';
import type { TextStore } from '../../src/ports/text-store.ts';
import { MemoryTextStore } from './memory-text-store.ts';

interface StoredEntry {
  readonly runId: string;
  record: () => unknown;
  blobs: ReadonlyMap<string, Uint8Array>;
  damage?: string;
  readonly notes: unknown[];
  ending: unknown;
  isOpen: boolean;
}

/** A journal in memory. */
export class MemoryJournalStore implements JournalStore {
  /** Makes the next `append` fail, as a full disk does. */
  failing = false;
  readonly #entries: StoredEntry[] = [];
  readonly #kept = new Set<string>();
  readonly #texts: Pick<TextStore, 'put'>;

  /** @param texts takes the retained blobs that pruning removes */
  constructor(texts: Pick<TextStore, 'put'> = new MemoryTextStore()) {
    this.#texts = texts;
  }

  async append(
    runId: string,
    record: unknown,
    blobs: ReadonlyMap<string, Uint8Array>,
    ending?: unknown,
    _endBytes?: number,
  ): Promise<void> {
    if (this.failing) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    if (!/^[\w-]{1,64}$/.test(runId)) throw new Error(`${JSON.stringify(runId)} cannot be the name of a run`);
    const copies = new Map([...blobs].map(([name, bytes]) => [name, bytes.slice()]));
    // In slices as on disk, so that the fake adds no long turn.
    const json = await jsonOf(record);
    const isOpen = ending === undefined;
    this.#entries.unshift({ runId, record: parsedOnce(json), blobs: copies, notes: [], ending, isOpen });
  }

  async note(runId: string, note: unknown): Promise<void> {
    this.#newest(runId).notes.push(copy(note));
  }

  async finish(runId: string, ending: unknown): Promise<void> {
    Object.assign(this.#newest(runId), { ending: copy(ending), isOpen: false });
  }

  async list(most = Number.POSITIVE_INFINITY): Promise<readonly JournalEntry[]> {
    return this.#entries.slice(0, most).map(toEntry);
  }

  async find(runId: string): Promise<JournalEntry | undefined> {
    const entry = this.#entries.find(candidate => candidate.runId === runId);
    return entry && toEntry(entry);
  }

  async unfinished(): Promise<readonly JournalEntry[]> {
    return this.#entries.filter(entry => entry.ending === undefined).map(toEntry);
  }

  async damage(): Promise<readonly string[]> {
    return [];
  }

  async readBlob(runId: string, name: string): Promise<Uint8Array> {
    const bytes = this.#entries.find(entry => entry.runId === runId && entry.blobs.has(name))?.blobs.get(name);
    if (bytes === undefined) throw Object.assign(new Error(`run ${runId} has no blob ${name}`), { code: 'ENOENT' });
    return bytes;
  }

  async keepBlobs(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const kept = new Set(ids.filter(id => this.#blob(id) !== undefined));
    for (const id of kept) this.#kept.add(id);
    return kept;
  }

  async findBlob(id: string): Promise<Uint8Array | undefined> {
    return this.#blob(id);
  }

  #blob(id: string): Uint8Array | undefined {
    return this.#entries.find(({ blobs }) => blobs.has(id))?.blobs.get(id);
  }

  /** Nothing expires by age here; sizes are those of the blobs. */
  async prune({ maxBytes: byteLimit }: JournalLimits): Promise<void> {
    let bytes = 0;
    for (const [index, entry] of Array.from(this.#entries.entries())) {
      const size = [...entry.blobs.values()].reduce((sum, blob) => sum + blob.length, 0);
      const isKept = index === 0 || entry.ending === undefined || bytes + size <= byteLimit;
      if (isKept) bytes += size;
      else {
        for (const [hash, blob] of entry.blobs)
          if (this.#kept.has(hash)) await this.#texts.put([{ hash, text: () => new TextDecoder().decode(blob) }]);
        this.#entries.splice(this.#entries.indexOf(entry), 1);
      }
    }
  }

  /** Simulates the death of the process that appended everything so far. */
  crash(): void {
    for (const entry of this.#entries) entry.isOpen = false;
  }

  /** Damages the record of the newest entry, and the bytes that it had. */
  damageNewest(): void {
    const [newest] = this.#entries;
    if (newest === undefined) return;
    Object.assign(newest, { record: () => undefined, blobs: new Map(), damage: 'memory, byte 0' });
  }

  #newest(runId: string): StoredEntry {
    const entry = this.#entries.find(candidate => candidate.runId === runId);
    if (entry === undefined) throw Object.assign(new Error(`the journal has no run ${runId}`), { code: 'ENOENT' });
    return entry;
  }
}

async function jsonOf(value: unknown): Promise<string> {
  const slice = new TimeSlice(nodeClock);
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (const chunk of jsonChunks(value)) {
    pieces.push(decoder.decode(chunk, { stream: true }));
    if (slice.isUsedUp()) await slice.waitForNextTurn();
  }
  return pieces.join('');
}

function parsedOnce(json: string): () => unknown {
  let parsed: { readonly value: unknown } | undefined;
  return () => (parsed ??= { value: JSON.parse(json) }).value;
}

const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const toEntry = ({ runId, record, notes, ending, isOpen, damage }: StoredEntry): JournalEntry => ({
  runId,
  ...(damage === undefined ? {} : { damage }),
  record: record(),
  notes: [...notes],
  ending,
  isRunning: isOpen,
});
