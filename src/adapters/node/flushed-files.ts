import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../../base/errno.ts';

/** The content of a file: whole, or in pieces that are created while writing. */
type FileContent = Uint8Array | Iterable<Uint8Array>;

/** Writes a file that must not exist, and flushes it. */
export async function writeFlushed(path: string, content: FileContent): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

/** Flushes the names in a folder to disk. Windows and some network drives cannot do that, so their errors are ignored. */
export async function flushFolder(path: string): Promise<void> {
  try {
    await using handle = await open(path, 'r');
    await handle.sync();
  } catch (error) {
    if (!hasErrorCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'EBADF')) throw error;
  }
}

/** Replaces a file atomically: readers see the old or the new bytes. @param beside the path of the temporary file, which must not exist */
export async function putFlushed(path: string, beside: string, content: FileContent): Promise<void> {
  try {
    await writeFlushed(beside, content);
    await rename(beside, path);
  } finally {
    await rm(beside, { force: true });
  }
  await flushFolder(dirname(path));
}
