import { temporaryBeside } from '../temporary-beside.ts';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifFound } from '../../../base/errno.ts';
import type { TextStore, TextToStore } from '../../../ports/text-store.ts';
import { flushFolder, putFlushed } from '../flushed-files.ts';
import { nodeHasher } from '../hasher.ts';
import { readFrameAt, readPayload, shortHash } from './frames.ts';
import { type FramePosition, type Segment, type SegmentIndex, withFile } from './segments.ts';

const NAME = 'retained-blobs';

/**
 * The git blob ids of the texts that are stored in the journal instead of the text store, one per line in a file of the journal's folder. A
 * run appends its ids, and pruning writes the file again. Call every method while holding the lock of the journal, so that no process
 * removes a text that another one relies on.
 */
export class RetainedBlobs {
  readonly #path: string;
  readonly #index: Pick<SegmentIndex, 'blob'>;
  readonly #texts: Pick<TextStore, 'put'>;
  #hasRepeats = true;

  constructor(folder: string, index: Pick<SegmentIndex, 'blob'>, texts: Pick<TextStore, 'put'>) {
    this.#path = join(folder, NAME);
    this.#index = index;
    this.#texts = texts;
  }

  async add(ids: Iterable<string>): Promise<void> {
    await this.#removeRepeats();
    const lines = Array.from(ids, id => `${id}\n`).join('');
    if (lines === '') return;
    await using file = await open(this.#path, 'a', 0o600);
    const isNew = (await file.stat()).size === 0;
    // A crash can leave a part of a line, which must not become a part of the next one.
    await file.writeFile(`\n${lines}`);
    await file.sync();
    if (isNew) await flushFolder(dirname(this.#path));
  }

  /** Removes repeated ids, once per process: a process appends all ids that it does not know, even if another process has appended them. */
  async #removeRepeats(): Promise<void> {
    if (!this.#hasRepeats) return;
    this.#hasRepeats = false;
    const { ids, count } = await this.#read();
    if (count > 2 * ids.size) await this.#write(ids);
  }

  /** Passes the texts in a segment to the text store. Afterwards, the segment may be removed. */
  async moveFrom(segment: Segment): Promise<void> {
    const { ids: kept } = await this.#read();
    const before = kept.size;
    const moved: TextToStore[] = [];
    for (const id of kept) {
      const place = this.#index.blob(shortHash(id));
      if (place !== undefined && place.segment !== segment) continue;
      const text = place && (await readText(place, id));
      if (text !== undefined) moved.push({ hash: id, text: () => text });
      // A blob without a place is damaged, or was moved before.
      kept.delete(id);
    }
    if (moved.length > 0) await this.#texts.put(moved);
    if (kept.size < before) await this.#write(kept);
  }

  async #read(): Promise<{ readonly ids: Set<string>; readonly count: number }> {
    const text = (await ifFound(readFile(this.#path, 'latin1'))) ?? '';
    const found = text.match(/^[0-9a-f]{40}$/gm) ?? [];
    return { ids: new Set(found), count: found.length };
  }

  async #write(ids: ReadonlySet<string>): Promise<void> {
    const lines = Array.from(ids, id => `${id}\n`).join('');
    await putFlushed(this.#path, temporaryBeside(this.#path), new TextEncoder().encode(lines));
  }
}

/** The bytes of a blob; `undefined` if it is damaged. */
export const readBlobAt = ({ segment, offset }: FramePosition): Promise<Uint8Array | undefined> =>
  ifFound(
    withFile(segment.path, async file => {
      const frame = await readFrameAt(file, offset, 'blob');
      return frame && (await readPayload(file, frame));
    }),
  );

async function readText(place: FramePosition, id: string): Promise<string | undefined> {
  const bytes = await readBlobAt(place);
  return bytes === undefined || nodeHasher.gitBlob(bytes) !== id
    ? undefined
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
