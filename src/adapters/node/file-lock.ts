import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { hasErrorCode } from '../../base/errno.ts';
import { isOwner, isRunning, thisProcess } from './owner.ts';

const TRIES = 200;
const PAUSE_MS = 10;
/** Whoever creates a lock writes into it at once; one that stays empty so long was left by a process that was killed. */
const EMPTY_MS = 5_000;

/**
 * Runs `work` while this process alone holds `path`. A lock whose process is gone is taken over. Whoever waits is not given up as long as
 * others take turns.
 *
 * @param most how often the same holding is looked at
 * @throws Error when one holding lasts for 2 s
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, most = TRIES): Promise<T> {
  const holding = randomBytes(8).toString('hex');
  let seen: string | undefined;
  for (let tries = 0; !(await takeLock(path, { holding })); tries += 1) {
    const state = await lockState(path);
    const now = JSON.stringify(state);
    if (now !== seen) [seen, tries] = [now, 0];
    if (tries >= most) throw new Error(`${path} is held by another process`);
    if (state.kind === 'held') await wait(PAUSE_MS);
    if (state.kind === 'stale') await breakLock(path);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Creates the lock with `more` in it; false: it is there already. */
export async function takeLock(path: string, more: Readonly<Record<string, string>> = {}): Promise<boolean> {
  try {
    await using handle = await open(path, 'wx', 0o600);
    await handle.writeFile(JSON.stringify({ ...thisProcess(), ...more }));
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** What is known of a lock. `stale`: it is there, and the process that took it is not. */
export type LockState =
  | { readonly kind: 'free' | 'stale' }
  /** `content` is what it says; `undefined` as long as it is being written. */
  | { readonly kind: 'held'; readonly content: object | undefined };

export async function lockState(path: string): Promise<LockState> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { kind: 'free' };
  try {
    const content = JSON.parse(text) as unknown;
    return isOwner(content) && isRunning(content) ? { kind: 'held', content } : { kind: 'stale' };
  } catch {
    const age = await ageOf(path);
    if (age === undefined) return { kind: 'free' };
    return age < EMPTY_MS ? { kind: 'held', content: undefined } : { kind: 'stale' };
  }
}

/**
 * Removes a lock whose process is gone. One process at a time looks and removes, and none removes what it has not seen to be stale, so that
 * nobody removes what another has just taken.
 */
export async function breakLock(path: string): Promise<void> {
  const breaking = `${path}.breaking`;
  try {
    await mkdir(breaking);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    if (((await ageOf(breaking)) ?? 0) >= EMPTY_MS) await rm(breaking, { recursive: true, force: true });
    return await wait(PAUSE_MS);
  }
  try {
    if ((await lockState(path)).kind === 'stale') await rm(path, { force: true });
  } finally {
    await rm(breaking, { recursive: true, force: true });
  }
}

/** Milliseconds since it was changed; `undefined`: it is gone. */
const ageOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined,
  );
