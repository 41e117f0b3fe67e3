import { unlink } from 'node:fs';
import { lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ifFound } from '../../base/errno.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';

/** Entries that are removed at the same time. */
const CONCURRENCY = 16;
/** Each call of `node:fs/promises` allocates memory outside of the heap, and so starts garbage collections of 20 ms. */
const unlinkFile = promisify(unlink);
/** Entries of a folder that are read at a time. */
const BATCH_SIZE = 128;

/**
 * Removes a folder or a file, if it exists. Links are removed, never followed. Unlike `rm`, which removes all entries of a folder at the same
 * time and blocks the thread for 370 ms with 29,000 files, this removes a few at a time.
 */
export async function removeFolder(path: string): Promise<void> {
  const found = await ifFound(lstat(path));
  if (found?.isDirectory() === true) await removeEntries(path);
  await remove(path);
}

async function removeEntries(folder: string): Promise<void> {
  const folders: string[] = [];
  let files: string[] = [];
  // Removed while the folder is read, because collecting the garbage of a long list takes 40 ms at a time.
  const removeFiles = async (): Promise<void> => {
    await mapConcurrent(files, CONCURRENCY, path => unlinkFile(path).catch(() => remove(path)));
    files = [];
  };
  for await (const entry of await opendir(folder, { bufferSize: BATCH_SIZE })) {
    (entry.isDirectory() ? folders : files).push(join(folder, entry.name));
    if (files.length === BATCH_SIZE) await removeFiles();
  }
  await removeFiles();
  for (const path of folders) {
    await removeEntries(path);
    // Also removes what the system did not list while the folder changed.
    await remove(path);
  }
}

/** Repeats the removal while another program uses the file, as on Windows. */
const remove = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
