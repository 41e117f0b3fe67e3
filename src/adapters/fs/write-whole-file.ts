import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { AppError } from '../../base/errors.ts';
import { removeForgotten, replaceFile } from './replace-file.ts';

/**
 * Writes a file that a person named, anywhere on disk, atomically: a temporary file is flushed and renamed over it. Creates missing
 * folders and removes temporary files that a crash left behind.
 *
 * @param target absolute
 * @throws AppError FS_WRITE_FAILED
 */
export async function writeWholeFile(target: string, bytes: Uint8Array): Promise<void> {
  await replaceWholeFile(target, bytes, () => true);
}

/**
 * The same where what is there may have to stay.
 *
 * @param mayGo asked about the bytes that are there when nothing but the last step is left
 * @returns false: they must stay, and nothing was written
 * @throws AppError FS_WRITE_FAILED
 */
export async function replaceWholeFile(
  target: string,
  bytes: Uint8Array,
  mayGo: (there: Uint8Array) => boolean,
): Promise<boolean> {
  try {
    const isNew = (await ifFound(stat(target))) === undefined;
    const goes = async (at: string): Promise<boolean> => mayGo(await readFile(at));
    let result = await replaceFile(target, bytes, isNew ? undefined : goes);
    // It has come meanwhile.
    if (isNew && result === 'changed') result = await replaceFile(target, bytes, goes);
    if (result === 'changed') return false;
    if (result !== 'replaced') throw new Error(`what was read back is ${result}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('FS_WRITE_FAILED', { file: target, reason }, { cause: error });
  }
  const folder = dirname(target);
  // The file is written: a failed cleanup is not a failure.
  const names = await readdir(folder).catch(() => []);
  await removeForgotten(folder, names);
  return true;
}
