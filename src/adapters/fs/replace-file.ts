import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';

/** Whether a name is that of a file that was being written when the program ended. */
export const isUnfinished = (name: string): boolean => /^\.atlas-bridge-[0-9a-f]{16}\.tmp$/.test(name);

/** Milliseconds after which a temporary file is abandoned: only one flush separates its last byte from its rename. */
const FORGOTTEN_MS = 60_000;

/** Removes of the names in a folder what a crash has left behind; what another program is writing now stays. */
export async function removeForgotten(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter(isUnfinished)) {
    const path = join(folder, name);
    try {
      if (Date.now() - (await lstat(path)).mtimeMs > FORGOTTEN_MS) await rm(path);
    } catch {
      // It is already gone or cannot be removed; listings hide it either way.
    }
  }
}

/** `overwritten`: the file was put in place, and another program has changed or removed it since. */
export type Replaced = 'replaced' | 'overwritten' | 'changed' | 'not what was written';

/**
 * Writes a file beside the target, flushes it, asks `isUnchanged` once more, and puts it in place in one step. Nothing is left behind
 * when it fails. `isNew`: the target must not exist, which the last step makes sure of.
 */
export async function replaceFile(
  target: string,
  bytes: Uint8Array,
  isNew: boolean,
  isUnchanged: () => Promise<boolean>,
): Promise<Replaced> {
  const folder = dirname(target);
  const made = isNew ? await mkdir(folder, { recursive: true }) : undefined;
  const beside = join(folder, `.atlas-bridge-${randomBytes(8).toString('hex')}.tmp`);
  let isDone = false;
  try {
    const own = await writeFlushed(beside, bytes, isNew ? undefined : (await stat(target)).mode);
    if (!(await isUnchanged())) return 'changed';
    if (!(await putInPlace(beside, target, isNew))) return 'changed';
    isDone = true;
    await flushFolder(folder);
    return await compareWritten(target, bytes, own);
  } finally {
    await rm(beside, { force: true });
    if (!isDone && made !== undefined) await removeEmptyFolders(folder, made);
  }
}

/** Reads the file back. If it differs, its identity shows whether another program wrote it or the disk changed what was written. */
async function compareWritten(target: string, bytes: Uint8Array, own: FileIdentity): Promise<Replaced> {
  try {
    if (Buffer.compare(await readFile(target), bytes) === 0) return 'replaced';
    return isSameFile(await identityOf(target), own) ? 'not what was written' : 'overwritten';
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 'overwritten';
    throw error;
  }
}

interface FileIdentity {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

const identityOf = (path: string): Promise<FileIdentity> => lstat(path, { bigint: true });

const isSameFile = (left: FileIdentity, right: FileIdentity): boolean =>
  left.ino === right.ino && left.size === right.size && left.mtimeNs === right.mtimeNs;

async function putInPlace(beside: string, target: string, isNew: boolean): Promise<boolean> {
  if (isNew) {
    try {
      // A rename would replace a file that has come meanwhile; a hard link does not.
      await link(beside, target);
      return true;
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) return false;
      if (!hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK')) throw error;
    }
  }
  await rename(beside, target);
  return true;
}

async function writeFlushed(path: string, bytes: Uint8Array, mode: number | undefined): Promise<FileIdentity> {
  const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o666);
  try {
    await handle.writeFile(bytes);
    if (mode !== undefined) await handle.chmod(mode & 0o7777);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

/** Makes a rename last; Windows has no such thing. */
export async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!hasErrorCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'EBADF')) throw error;
  }
}

async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let at = from; at.length >= upTo.length; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      // Another program created a file there meanwhile: it stays.
      return;
    }
  }
}
