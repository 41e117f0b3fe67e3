import { open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode, ifFound } from '../../../base/errno.ts';

const MIN_BYTES = 64 * 1024;
const BLOCK = new Uint8Array(MIN_BYTES);
const NAME_OF_RUN = /^reserve-([\w-]{1,64})$/;

/**
 * Disk space that is reserved for the notes and endings of runs, in case the disk is full by then: files of zeros in the journal's folder.
 * Each run has its own until its ending is recorded, by whichever process; entries that have an ending already share a small one.
 */
export class JournalReserve {
  readonly #folder: string;
  readonly #shared: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#shared = join(folder, 'reserve');
  }

  /** Reserves the space of entries that have an ending already. @throws Error if the disk has less */
  async growShared(): Promise<void> {
    await grow(this.#shared, MIN_BYTES);
  }

  /** Reserves `bytes` for the note and the ending of a run, and as much for each as any append needs. @throws Error if the disk has less */
  async hold(runId: string, bytes: number): Promise<void> {
    await grow(this.#pathOf(runId), bytes + MIN_BYTES);
  }

  /** Returns the space of a run. */
  async release(runId: string): Promise<void> {
    await rm(this.#pathOf(runId), { force: true });
  }

  /** Returns the space of the runs that have ended, or have no entry because their process was killed before it appended one. */
  async releaseOthers(isOpen: (runId: string) => boolean): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const runId = NAME_OF_RUN.exec(name)?.[1];
      if (runId !== undefined && !isOpen(runId)) await this.release(runId);
    }
  }

  /**
   * Repeats `work` with the reserved space if the disk is full: with half of the run's first, because the files that a run writes between
   * its note and its ending may fill the rest of the disk.
   */
  async support(runId: string, work: () => Promise<void>): Promise<void> {
    const own = this.#pathOf(runId);
    for (const release of [() => halve(own), () => remove(own), () => halve(this.#shared), () => remove(this.#shared)])
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Error) || !hasErrorCode(error.cause, 'ENOSPC', 'EDQUOT')) throw error;
        await release();
      }
    await work();
  }

  #pathOf(runId: string): string {
    return join(this.#folder, `reserve-${runId}`);
  }
}

const sizeOf = async (path: string): Promise<number> => (await ifFound(stat(path)))?.size ?? 0;
const halve = async (path: string): Promise<void> =>
  await ifFound(truncate(path, Math.floor((await sizeOf(path)) / 2)));
const remove = (path: string): Promise<void> => rm(path, { force: true });

async function grow(path: string, bytes: number): Promise<void> {
  if ((await sizeOf(path)) >= bytes) return;
  await using file = await open(path, 'a', 0o600);
  const { size } = await file.stat();
  try {
    for (let at = size; at < bytes; at += BLOCK.length)
      await file.writeFile(BLOCK.subarray(0, Math.min(BLOCK.length, bytes - at)));
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
}
