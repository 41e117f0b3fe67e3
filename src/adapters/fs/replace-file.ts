import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';
import { flushFolder } from '../node/flushed-files.ts';
import { type FileIdentity, identityOf, type IsExpected, isSameFile, swapFile } from './swap-file.ts';
import { removeTemporary, temporaryName } from './temporary-files.ts';
import { tryLink } from '../node/try-link.ts';

/**
 * `changed`: nothing was written. `overwritten`: the target was replaced, and another program has changed or removed it since.
 * `corrupted`: the disk returned other bytes than were written.
 */
export type ReplaceResult = 'replaced' | 'overwritten' | 'changed' | 'corrupted';

/** The bytes of a file, or the parts that make it up. */
export type FileContent = Uint8Array | readonly Uint8Array[];

/**
 * Writes a temporary file, flushes it, and replaces the target with it if `isExpected` accepts the replaced content. If another program
 * saves meanwhile, its version stays. Leaves no temporary file or new folder behind on failure.
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
    isDone = await (isExpected === undefined ? putNew(beside, target) : swapFile(beside, target, own, isExpected));
    if (!isDone) return 'changed';
    await flushFolder(folder);
    if (made !== undefined)
      for (let at = folder; at.length >= made.length; at = dirname(at)) await flushFolder(dirname(at));
    return await compareWritten(target, parts, own);
  } finally {
    await removeTemporary(beside);
    if (!isDone && made !== undefined) await removeEmptyFolders(folder, made);
  }
}

/** Reads the file back. If it differs, its identity shows whether another program wrote it or the disk changed what was written. */
async function compareWritten(target: string, parts: FileParts, own: FileIdentity): Promise<ReplaceResult> {
  try {
    if (await hasContent(target, parts)) return 'replaced';
    return isSameFile(await identityOf(target), own) ? 'corrupted' : 'overwritten';
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 'overwritten';
    throw error;
  }
}

/** Bytes that are read back at a time, because a large file must not be in memory twice. */
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

/** Maximum parts of one write; Linux accepts 1,024. */
const MAX_PARTS = 512;

async function writeParts(handle: FileHandle, parts: FileParts): Promise<void> {
  for (let rest = after(parts, 0); rest.length > 0;) {
    const { bytesWritten } = await handle.writev(rest.slice(0, MAX_PARTS));
    rest = after(rest, bytesWritten);
  }
}

async function putNew(beside: string, target: string): Promise<boolean> {
  // A rename would replace a file that was created meanwhile; a hard link does not.
  const linked = await tryLink(beside, target);
  return linked === 'unsupported' ? await renameIfFree(beside, target) : linked !== 'exists';
}

/**
 * Renames a file unless the new name is taken, where no hard link can be made. A file that is created between both calls is replaced.
 * Returns whether it renamed the file.
 */
async function renameIfFree(from: string, to: string): Promise<boolean> {
  const isTaken = await lstat(to).then(
    () => true,
    () => false,
  );
  if (!isTaken) await rename(from, to);
  return !isTaken;
}

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
  let isRemoved = false;
  try {
    if (!(await isExpected(aside))) return false;
    await unlink(aside);
    isRemoved = true;
    return true;
  } finally {
    if (!isRemoved) await giveBack(aside, entry);
  }
}

/** Gives a file that was moved aside its name back, unless another program has created a file there meanwhile, which is even newer. */
async function giveBack(aside: string, entry: string): Promise<void> {
  // A full disk may have no space for a second name.
  const linked = await tryLink(aside, entry).catch(() => 'unsupported');
  if (linked !== 'unsupported' || !(await renameIfFree(aside, entry))) await removeTemporary(aside);
}

async function writeFlushed(path: string, parts: FileParts, mode: number | undefined): Promise<FileIdentity> {
  const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, (mode ?? 0o666) & 0o777);
  try {
    // Before the content is written: users who cannot read the target must not read it here.
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
