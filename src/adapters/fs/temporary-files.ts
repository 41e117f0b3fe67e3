import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import { tryLink } from '../node/try-link.ts';

const NAME = /^\.atlas-bridge-[0-9a-f]{16}\.(?:(?<replaced>.+)\.)?tmp$/s;

/** Whether the name is that of a temporary file. */
export const isUnfinished = (name: string): boolean => NAME.test(name);

const random = (): string => `.atlas-bridge-${randomBytes(8).toString('hex')}`;

export const temporaryName = (folder: string): string => join(folder, `${random()}.tmp`);

/** The temporary name of a file that is being replaced. Contains its own name, which it gets back after a crash. */
export const asideName = (target: string): string => join(dirname(target), `${random()}.${basename(target)}.tmp`);

/**
 * Removes a temporary file that is no longer needed. A failure does not change whether the target was written, so it is ignored: another
 * program may have the file open. Listings hide the file, and remove it later.
 */
export async function removeTemporary(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch {
    // The target is as it should be.
  }
}

/** Like `removeTemporary`, but blocks the thread. */
export function removeTemporarySync(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // As in `removeTemporary`.
  }
}

/** Milliseconds after which a temporary file is abandoned. Its program renames it right after one flush. */
const ABANDONED_MS = 60_000;

/**
 * Removes the files among `names` that a crash left in the folder, but not those that another program is writing. Files that a crash left
 * without their own name get it back at once.
 *
 * @returns whether a file got its name back
 */
export async function removeAbandoned(folder: string, names: readonly string[]): Promise<boolean> {
  let isRestored = false;
  for (const name of names.filter(isUnfinished)) {
    const path = join(folder, name);
    try {
      if (await restoreAside(folder, name)) isRestored = true;
      // Not the time of its last edit: a file that is being replaced keeps that.
      if (Date.now() - (await lstat(path)).ctimeMs > ABANDONED_MS) await rm(path);
    } catch {
      // It was already removed or cannot be removed; listings hide it either way.
    }
  }
  return isRestored;
}

/** Gives a file its own name back, unless another file has that name. A crash can leave a file without its name (`exchange`). Returns whether it did. */
export async function restoreAside(folder: string, name: string): Promise<boolean> {
  const replaced = NAME.exec(name)?.groups?.['replaced'];
  if (replaced === undefined) return false;
  try {
    return (await tryLink(join(folder, name), join(folder, replaced))) === 'linked';
  } catch (error) {
    if (hasErrorCode(error, 'ENOTDIR')) return false;
    throw error;
  }
}
