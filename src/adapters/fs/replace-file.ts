import { randomBytes } from 'node:crypto';
import { constants, lstatSync, renameSync } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import { flushFolder } from '../node/flushed-files.ts';

/** Whether the name is that of a temporary file. */
export const isUnfinished = (name: string): boolean => /^\.atlas-bridge-[0-9a-f]{16}\.tmp$/.test(name);

/** Milliseconds after which a temporary file is abandoned: only one flush separates its last byte from its rename. */
const ABANDONED_MS = 60_000;

/** Removes the files among `names` that a crash left in the folder, but not those that another program is writing. */
export async function removeAbandoned(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names.filter(isUnfinished)) {
    const path = join(folder, name);
    try {
      if (Date.now() - (await lstat(path)).mtimeMs > ABANDONED_MS) await rm(path);
    } catch {
      // It is already gone or cannot be removed; listings hide it either way.
    }
  }
}

/** `overwritten`: the file was put in place, and another program has changed or removed it since. */
export type ReplaceResult = 'replaced' | 'overwritten' | 'changed' | 'not what was written';

/** Checks the content of the file at a path, which may be another name of the target. */
type IsExpected = (path: string) => Promise<boolean>;

/** The bytes of a file, or the parts that make it up. */
export type FileContent = Uint8Array | readonly Uint8Array[];

/**
 * Writes a temporary file, flushes it, and renames it to the target in one step if `isExpected` accepts the replaced content. If another
 * program saves during that step, restores its version. Leaves nothing behind on failure.
 *
 * @param isExpected `undefined`: the target must not exist
 */
export async function replaceFile(
  target: string,
  content: FileContent,
  isExpected: IsExpected | undefined,
): Promise<ReplaceResult> {
  const parts = partsOf(content);
  const folder = dirname(target);
  const made = isExpected === undefined ? await mkdir(folder, { recursive: true }) : undefined;
  const beside = temporaryName(folder);
  let isDone = false;
  try {
    const mode = isExpected === undefined ? undefined : (await stat(target)).mode;
    const own = await writeFlushed(beside, parts, mode);
    isDone = await (isExpected === undefined ? putNew(beside, target) : swap(beside, target, isExpected));
    if (!isDone) return 'changed';
    await flushFolder(folder);
    if (made !== undefined)
      for (let at = folder; at.length >= made.length; at = dirname(at)) await flushFolder(dirname(at));
    return await compareWritten(target, parts, own);
  } finally {
    await rm(beside, { force: true });
    if (!isDone && made !== undefined) await removeEmptyFolders(folder, made);
  }
}

/** Reads the file back. If it differs, its identity shows whether another program wrote it or the disk changed what was written. */
async function compareWritten(target: string, parts: FileParts, own: FileIdentity): Promise<ReplaceResult> {
  try {
    if (await hasContent(target, parts)) return 'replaced';
    return isSameFile(await identityOf(target), own) ? 'not what was written' : 'overwritten';
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 'overwritten';
    throw error;
  }
}

/** Bytes that are read back at once: a large file must not be in memory twice. */
const PIECE_BYTES = 1024 * 1024;

/** Whether the file at the path has exactly this content. */
export async function hasContent(path: string, content: FileContent): Promise<boolean> {
  const parts = partsOf(content);
  await using file = await open(path, constants.O_RDONLY);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const piece = Buffer.allocUnsafe(Math.min(length + 1, PIECE_BYTES));
  let rest = parts;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length);
    if (bytesRead === 0) return rest.every(part => part.length === 0);
    let compared = 0;
    for (const part of rest) {
      const expected = part.subarray(0, bytesRead - compared);
      if (Buffer.compare(piece.subarray(compared, compared + expected.length), expected) !== 0) return false;
      compared += expected.length;
      if (compared === bytesRead) break;
    }
    if (compared < bytesRead) return false;
    rest = after(rest, bytesRead);
  }
}

type FileParts = readonly Uint8Array[];

const partsOf = (content: FileContent): FileParts => (content instanceof Uint8Array ? [content] : content);

/** The parts without their first `count` bytes. */
function after(parts: FileParts, count: number): FileParts {
  let left = count;
  for (const [index, part] of parts.entries()) {
    if (left < part.length) return [part.subarray(left), ...parts.slice(index + 1)];
    left -= part.length;
  }
  return [];
}

/** Parts of one write; Linux accepts 1,024. */
const MAX_PARTS = 512;

async function writeParts(handle: FileHandle, parts: FileParts): Promise<void> {
  for (let rest = after(parts, 0); rest.length > 0;) {
    const { bytesWritten } = await handle.writev(rest.slice(0, MAX_PARTS));
    rest = after(rest, bytesWritten);
  }
}

/** What changes when a program edits a file or replaces it. Hard links leave it as it is. */
export interface FileIdentity {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

const identityOf = (path: string): Promise<FileIdentity> => lstat(path, { bigint: true });

export const isSameFile = (left: FileIdentity, right: FileIdentity): boolean =>
  left.ino === right.ino && left.size === right.size && left.mtimeNs === right.mtimeNs;

const temporaryName = (folder: string): string => join(folder, `.atlas-bridge-${randomBytes(8).toString('hex')}.tmp`);

/** Creates a hard link. `unsupported`: by the disk, or for this file. */
async function tryLink(from: string, to: string): Promise<'linked' | 'exists' | 'missing' | 'unsupported'> {
  try {
    await link(from, to);
    return 'linked';
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return 'exists';
    if (hasErrorCode(error, 'ENOENT')) return 'missing';
    if (hasErrorCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK')) return 'unsupported';
    throw error;
  }
}

async function putNew(beside: string, target: string): Promise<boolean> {
  // A rename would replace a file that was created meanwhile; a hard link does not.
  const linked = await tryLink(beside, target);
  if (linked === 'unsupported') await rename(beside, target);
  return linked !== 'exists';
}

/** Milliseconds within which a disk must answer, so that blocking calls are acceptable. */
const FAST_DISK_MS = 5;

/**
 * Replaces the target if it is as expected, and keeps the replaced file until it was checked again, because an editor may save into it, or
 * replace it, until the last moment.
 *
 * @returns false: the target has the version that another program saved
 */
async function swap(beside: string, target: string, isExpected: IsExpected): Promise<boolean> {
  const backup = temporaryName(dirname(target));
  const startedAt = performance.now();
  const linked = await tryLink(target, backup);
  const isFast = performance.now() - startedAt < FAST_DISK_MS;
  if (linked === 'unsupported') {
    if (!(await isExpected(target))) return false;
    await rename(beside, target);
    return true;
  }
  if (linked === 'missing') return false;
  try {
    if (!(await isExpected(backup))) return false;
    if (isFast) {
      // Only another process can run between these calls, within some microseconds.
      if (lstatSync(target).ino !== lstatSync(backup).ino) return false;
      renameSync(beside, target);
    } else {
      if (!(await isSameInode(target, backup))) return false;
      await rename(beside, target);
    }
    if (await isExpected(backup)) return true;
    // The other program may still be writing into the replaced file, so that file gets its name back.
    if (linked === 'linked') await rename(backup, target);
    return false;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  } finally {
    await rm(backup, { force: true });
  }
}

const isSameInode = async (left: string, right: string): Promise<boolean> =>
  (await lstat(left)).ino === (await lstat(right)).ino;

/**
 * Removes a file if it is as expected. Moves the file aside first, so that a save during the check can be restored.
 *
 * @returns false: the file has the version that another program saved
 */
export async function removeFile(entry: string, isExpected: IsExpected): Promise<boolean> {
  if (!(await isExpected(entry))) return false;
  const aside = temporaryName(dirname(entry));
  try {
    await rename(entry, aside);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
  if (await isExpected(aside)) {
    await unlink(aside);
    return true;
  }
  // A file that was created meanwhile is even newer.
  if ((await tryLink(aside, entry)) === 'unsupported') await rename(aside, entry);
  await rm(aside, { force: true });
  return false;
}

async function writeFlushed(path: string, parts: FileParts, mode: number | undefined): Promise<FileIdentity> {
  const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, (mode ?? 0o666) & 0o777);
  try {
    // Before the content is written, because others who cannot read the target must not read it here.
    if (mode !== undefined) await handle.chmod(mode & 0o7777);
    await writeParts(handle, parts);
    await handle.sync();
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

async function removeEmptyFolders(from: string, upTo: string): Promise<void> {
  for (let at = from; at.length >= upTo.length; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      // Another program created a file there meanwhile, which stays.
      return;
    }
  }
}
