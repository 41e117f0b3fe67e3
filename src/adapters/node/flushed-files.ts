import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file that must not be there, and flushes it. */
export async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(bytes);
  await handle.sync();
}

/** The names in a folder are data too; Windows cannot flush them and does not need to. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}

/** Replaces a file in one step: whoever reads it finds the old bytes or the new ones. `beside` must not be there. */
export async function putFlushed(path: string, beside: string, bytes: Uint8Array): Promise<void> {
  await writeFlushed(beside, bytes);
  await rename(beside, path);
  await flushFolder(dirname(path));
}
