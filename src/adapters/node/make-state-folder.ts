import { isTemporary } from './temporary-beside.ts';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds after which a temporary file is abandoned. Writing one takes seconds. */
const ABANDONED_MS = 600_000;

/** The folders in which this process has removed abandoned files. */
const cleaned = new Set<string>();

/**
 * Creates a folder for state, and missing folders above it. Only the user may open it, because the state contains keys and texts of the
 * project. Removes temporary files that a crash left there, once per process.
 */
export async function makeStateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (cleaned.has(folder)) return;
  cleaned.add(folder);
  try {
    await removeAbandoned(folder);
  } catch {
    // Another program removes them too, or they cannot be removed; they only take space.
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter(isTemporary)) {
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).ctimeMs > ABANDONED_MS) await rm(path);
  }
}
