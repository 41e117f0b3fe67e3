import { linkSync, lstatSync, renameSync } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import { asideName, removeTemporary, removeTemporarySync, temporaryName } from './temporary-files.ts';
import { tryLink } from '../node/try-link.ts';

/** Checks the content of the file at a path, which may be another name of the target. */
export type IsExpected = (path: string) => Promise<boolean>;

/** The properties of a file that change when a program edits or replaces it, but not with a hard link or another name. */
export interface FileIdentity {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export const isSameFile = (left: FileIdentity, right: FileIdentity): boolean =>
  left.ino === right.ino && left.size === right.size && left.mtimeNs === right.mtimeNs;

export const identityOf = (path: string): Promise<FileIdentity> => lstat(path, { bigint: true });

/** Milliseconds within which a disk must complete one of `MAX_TIMED` calls, so that blocking calls are acceptable. */
const FAST_DISK_MS = 5;
const MAX_TIMED = 5;

/**
 * Replaces the target with a new file, if the target is as expected. Another program may save into the target, or replace it, at any
 * moment; its version stays. On a slow disk, or one without hard links, a file that another program renames over the target at the moment of
 * the replacement is lost.
 *
 * @param own the new file, at `beside`
 * @returns false: the target has the version that another program saved
 */
export async function swapFile(
  beside: string,
  target: string,
  own: FileIdentity,
  isExpected: IsExpected,
): Promise<boolean> {
  const backup = temporaryName(dirname(target));
  const { linked, isFast } = await linkTimed(target, backup);
  if (linked === 'unsupported') {
    if (!(await isExpected(target))) return false;
    await rename(beside, target);
    return true;
  }
  if (linked === 'missing') return false;
  try {
    const old = await identityOf(backup);
    if (!(await isExpected(backup))) return false;
    const put = isFast ? exchange(beside, target, old, asideName(target)) : 'impossible';
    if (put === 'kept') return false;
    if (put === 'impossible') {
      if ((await identityOf(target)).ino !== old.ino) return false;
      await rename(beside, target);
    }
    let isReplaced = false;
    try {
      isReplaced = await isExpected(backup);
    } finally {
      // The other program may still be writing into the replaced file, so that file gets its name back.
      if (!isReplaced) await restore(backup, target, own);
    }
    return isReplaced;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  } finally {
    await removeTemporary(backup);
  }
}

/** Links a file, and measures whether the disk is fast: several times, because on a busy machine a single call can take long. */
async function linkTimed(
  target: string,
  backup: string,
): Promise<{ readonly linked: Awaited<ReturnType<typeof tryLink>>; readonly isFast: boolean }> {
  for (let tries = 1; ; tries += 1) {
    const startedAt = performance.now();
    const linked = await tryLink(target, backup);
    const isFast = performance.now() - startedAt < FAST_DISK_MS;
    if (linked !== 'linked' || isFast || tries === MAX_TIMED) return { linked, isFast };
    await rm(backup);
  }
}

/** Gives a replaced file its name back, if the target is still the new file. Otherwise another program has saved a newer version. */
async function restore(backup: string, target: string, own: FileIdentity): Promise<void> {
  const named = asideName(target);
  try {
    // A crash in the gap must bring back this file.
    await rename(backup, named);
  } catch (error) {
    if (!hasErrorCode(error, 'ENAMETOOLONG')) throw error;
    return await rename(backup, target);
  }
  try {
    exchange(named, target, own, temporaryName(dirname(target)));
  } finally {
    await removeTemporary(named);
  }
}

/** How often this process left a name without a file for a moment (`exchange`). */
let gaps = 0;
export const countGaps = (): number => gaps;

/**
 * Replaces the target with a file, if the target is the expected one. A rename over the target would remove any file that has that name by
 * then, so the target is moved aside first and checked there. The new file gets its name by a hard link, which replaces nothing. In between,
 * for some microseconds, no file has the name: readers of this process try again (`countGaps`), and `restoreAside` repairs a crash.
 *
 * @returns `kept`: the target is what another program saved; `impossible`: the name is too long for a temporary one, nothing happened
 */
function exchange(from: string, target: string, expected: FileIdentity, aside: string): 'put' | 'kept' | 'impossible' {
  try {
    renameSync(target, aside);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 'kept';
    if (hasErrorCode(error, 'ENAMETOOLONG')) return 'impossible';
    throw error;
  }
  let isPut = false;
  try {
    isPut = isSameFile(lstatSync(aside, { bigint: true }), expected) && putLink(from, target);
    return isPut ? 'put' : 'kept';
  } finally {
    if (!isPut) putBack(aside, target);
    gaps += 1;
    removeTemporarySync(aside);
  }
}

/** Returns false if another program has created the target meanwhile. */
function putLink(from: string, target: string): boolean {
  try {
    linkSync(from, target);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function putBack(aside: string, target: string): void {
  try {
    putLink(aside, target);
  } catch {
    // A full disk may have no space for a second name.
    renameSync(aside, target);
  }
}
