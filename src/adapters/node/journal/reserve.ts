import { open, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode, ifFound } from '../../../base/errno.ts';

const MIN_BYTES = 64 * 1024;
const BLOCK = new Uint8Array(MIN_BYTES);

/** Disk space that is reserved for the notes and endings of runs, in case the disk is full by then: a file of zeros in the journal's folder. */
export class JournalReserve {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, 'reserve');
  }

  /** Reserves at least `bytes`. @throws Error if the disk has less */
  async grow(bytes: number): Promise<void> {
    const wanted = Math.max(bytes, MIN_BYTES);
    if ((await this.#size()) >= wanted) return;
    await using file = await open(this.#path, 'a', 0o600);
    const { size } = await file.stat();
    try {
      for (let at = size; at < wanted; at += BLOCK.length)
        await file.writeFile(BLOCK.subarray(0, Math.min(BLOCK.length, wanted - at)));
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
  }

  /** Returns the space that no run needs. */
  async shrink(): Promise<void> {
    if ((await this.#size()) > MIN_BYTES) await truncate(this.#path, MIN_BYTES);
  }

  /**
   * Repeats `work` with the reserved space if the disk is full: with half of it first, because the files that a run writes between its
   * note and its ending may fill the rest of the disk.
   */
  async support(work: () => Promise<void>): Promise<void> {
    const halve = async (): Promise<void> => await ifFound(truncate(this.#path, Math.floor((await this.#size()) / 2)));
    const remove = (): Promise<void> => rm(this.#path, { force: true });
    for (const release of [halve, remove])
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Error) || !hasErrorCode(error.cause, 'ENOSPC', 'EDQUOT')) throw error;
        await release();
      }
    await work();
  }

  async #size(): Promise<number> {
    return (await ifFound(stat(this.#path)))?.size ?? 0;
  }
}
