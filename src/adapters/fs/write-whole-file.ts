import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode, ifFound } from '../../base/errno.ts';
import { writeFailed } from '../../base/write-failed.ts';
import { type FileContent, removeFile, replaceFile } from './replace-file.ts';
import { type FileIdentity, isSameFile } from './swap-file.ts';
import { removeAbandoned } from './temporary-files.ts';

/**
 * Writes a file anywhere on disk atomically, unless the existing content must stay: flushes a temporary file and renames it over the
 * target. Creates missing folders, and removes temporary files that a crash left behind.
 *
 * @param target absolute
 * @param content the bytes, or the parts that make up the file
 * @param mayReplace decides about the existing bytes, immediately before the rename
 * @returns false: the existing bytes stay, and nothing was written
 * @throws AppError FS_WRITE_FAILED
 */
export const replaceWholeFile = (
  target: string,
  content: FileContent,
  mayReplace: (there: Uint8Array) => boolean,
): Promise<boolean> => replaceIf(target, content, async at => mayReplace(await readFile(at)));

/**
 * Creates a file as `replaceWholeFile` does, unless it exists.
 *
 * @returns false: the file exists, and stays unchanged
 * @throws AppError FS_WRITE_FAILED
 */
export const createWholeFile = (target: string, text: string): Promise<boolean> =>
  replaceIf(target, new TextEncoder().encode(text), async () => false);

/**
 * Writes like `replaceWholeFile`, unless the existing file is no longer the one with the identity `seen`. Its content is not read.
 *
 * @returns false: the existing file stays, and nothing was written
 * @throws AppError FS_WRITE_FAILED
 */
export const replaceSeenFile = (target: string, content: FileContent, seen: FileIdentity): Promise<boolean> =>
  replaceIf(target, content, async at => isSameFile(await stat(at, { bigint: true }), seen));

/**
 * Creates a file that can be written again after a crash, and creates missing folders: quickly, because nothing is flushed.
 *
 * @returns false: the file exists with other content, and stays unchanged
 * @throws AppError FS_WRITE_FAILED
 */
export async function createCopy(target: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await mkdir(dirname(target), { recursive: true });
    try {
      await writeFile(target, bytes, { flag: 'wx' });
      return true;
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error;
      return Buffer.compare(await readFile(target), bytes) === 0;
    }
  } catch (error) {
    throw writeFailed(target, error);
  }
}

/**
 * Removes a file anywhere on disk, unless the existing content must stay.
 *
 * @param mayRemove decides about the existing bytes. If another program saves meanwhile, its version stays.
 * @returns false: the existing bytes stay
 * @throws AppError FS_WRITE_FAILED
 */
export async function removeWholeFile(target: string, mayRemove: (there: Uint8Array) => boolean): Promise<boolean> {
  try {
    return await removeFile(target, async at => mayRemove(await readFile(at)));
  } catch (error) {
    throw writeFailed(target, error);
  }
}

async function replaceIf(
  target: string,
  content: FileContent,
  isExpected: (existing: string) => Promise<boolean>,
): Promise<boolean> {
  try {
    const isNew = (await ifFound(stat(target))) === undefined;
    let result = await replaceFile(target, content, isNew ? undefined : isExpected);
    // The file was created meanwhile.
    if (isNew && result === 'changed') result = await replaceFile(target, content, isExpected);
    if (result === 'changed') return false;
    if (result === 'overwritten') throw new Error('another program changed it right after it was written');
    if (result === 'corrupted') throw new Error('the disk returned other bytes than were written');
  } catch (error) {
    throw writeFailed(target, error);
  }
  const folder = dirname(target);
  // The file is written, so a failed cleanup is not a failure.
  const names = await readdir(folder).catch(() => []);
  await removeAbandoned(folder, names);
  return true;
}
