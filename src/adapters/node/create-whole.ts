import { temporaryBeside } from './temporary-beside.ts';
import { tryLink } from './try-link.ts';
import { open, rm } from 'node:fs/promises';
import { hasErrorCode } from '../../base/errno.ts';

/**
 * Creates a file that only the user can read. The file is never empty or incomplete, not even after a crash, except on a disk without hard links.
 *
 * @returns false if it exists
 */
export async function createWhole(path: string, text: string): Promise<boolean> {
  const beside = temporaryBeside(path);
  try {
    await write(beside, text);
    const linked = await tryLink(beside, path);
    if (linked === 'linked') return true;
    if (linked === 'exists') return false;
  } finally {
    await rm(beside, { force: true });
  }
  try {
    await write(path, text);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function write(path: string, text: string): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(text);
}
