import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a file will hold: whole, or in pieces that are made as they are written. */
export type FileContent = Uint8Array | Iterable<Uint8Array>;

/** Writes a file that must not be there, and flushes it. */
export async function writeFlushed(path: string, content: FileContent): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

/** The names in a folder are data too; Windows cannot flush them and does not need to. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Replaces a file atomically: readers see the old bytes or the new ones. `beside` must not exist. */
export async function putFlushed(path: string, beside: string, content: FileContent): Promise<void> {
  await writeFlushed(beside, content);
  await rename(beside, path);
  await flushFolder(dirname(path));
}
