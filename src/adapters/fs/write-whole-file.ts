import { describeCause } from '../../base/describe-cause.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ifFound } from '../../base/errno.ts';
import { AppError } from '../../base/errors.ts';
import { removeAbandoned, replaceFile } from './replace-file.ts';

/**
 * Writes a file anywhere on disk atomically: flushes a temporary file and renames it over the target. Creates missing folders and removes
 * temporary files that a crash left behind.
 *
 * @param target absolute
 * @throws AppError FS_WRITE_FAILED
 */
export async function writeWholeFile(target: string, bytes: Uint8Array): Promise<void> {
  await replaceWholeFile(target, bytes, () => true);
}

/**
 * Writes like `writeWholeFile`, unless the existing content must stay.
 *
 * @param mayReplace decides about the existing bytes, immediately before the rename
 * @returns false: they stay, and nothing was written
 * @throws AppError FS_WRITE_FAILED
 */
export async function replaceWholeFile(
  target: string,
  bytes: Uint8Array,
  mayReplace: (there: Uint8Array) => boolean,
): Promise<boolean> {
  try {
    const isNew = (await ifFound(stat(target))) === undefined;
    const goes = async (at: string): Promise<boolean> => mayReplace(await readFile(at));
    let result = await replaceFile(target, bytes, isNew ? undefined : goes);
    // The file was created meanwhile.
    if (isNew && result === 'changed') result = await replaceFile(target, bytes, goes);
    if (result === 'changed') return false;
    if (result !== 'replaced') throw new Error(`what was read back is ${result}`);
  } catch (error) {
    const reason = describeCause(error);
    throw new AppError('FS_WRITE_FAILED', { file: target, reason }, { cause: error });
  }
  const folder = dirname(target);
  // The file is written, so a failed cleanup is not a failure.
  const names = await readdir(folder).catch(() => []);
  await removeAbandoned(folder, names);
  return true;
}
