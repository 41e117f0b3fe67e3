import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isOwner, isRunning, thisProcess } from './owner.ts';

const TRIES = 200;
const PAUSE_MS = 10;

/**
 * Runs `work` while this process alone holds `path`. A lock whose process is gone is taken over.
 *
 * @throws Error when another process holds it for 2 s
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; !(await take(path)); tries += 1) {
    if (tries >= TRIES) throw new Error(`${path} is held by another process`);
    if (!(await isHeld(path))) await rm(path, { force: true });
    else await wait(PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await using handle = await open(path, 'wx', 0o600);
    await handle.writeFile(JSON.stringify(thisProcess()));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(path: string): Promise<boolean> {
  try {
    const owner = JSON.parse(await readFile(path, 'utf8')) as unknown;
    return !isOwner(owner) || isRunning(owner);
  } catch {
    // Being written, or released, right now.
    return true;
  }
}
