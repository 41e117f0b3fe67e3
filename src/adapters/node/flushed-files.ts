import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The content of a file: whole, or in pieces that are created while writing. */
export type FileContent = Uint8Array | Iterable<Uint8Array>;

/** Writes a file that must not exist, and flushes it. */
export async function writeFlushed(path: string, content: FileContent): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(content);
  await handle.sync();
}

/** Flushes the names in a folder; Windows cannot do that and does not need it. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Replaces a file atomically: readers see the old or the new bytes. `beside` must not exist. */
export async function putFlushed(path: string, beside: string, content: FileContent): Promise<void> {
  await writeFlushed(beside, content);
  await rename(beside, path);
  await flushFolder(dirname(path));
}
