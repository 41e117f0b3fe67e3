import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { hasErrorCode, ifFound } from '../../base/errno.ts';
import { parseJson } from '../../base/parse-json.ts';
import { createWhole } from './create-whole.ts';
import { isOwner, isRunning, isThisProcess, type Owner, thisProcess } from './owner.ts';

const MAX_TRIES = 50;
const PAUSE_MS = 10;
const MAX_WAIT_TRIES = 200;
/** Number of checks after which a lock without a readable owner is taken over. Its creator may still be writing it on a disk without hard links. */
const MAX_BLANK_TRIES = 10;

/** The content of a lock file about its holder. The caller defines `details`. */
interface LockContent extends Owner {
  readonly host?: string;
  readonly startedAt?: string;
  readonly lockId?: string;
  readonly [detail: string]: unknown;
}

/** `stale`: the file exists, but the process that created it does not. */
export type LockState =
  | { readonly kind: 'free' | 'stale' }
  /** `content` is `undefined` while the holder writes it, and for a damaged file. */
  | { readonly kind: 'held'; readonly content: LockContent | undefined; readonly isOurs: boolean };

/** The lock is held by another call or process. */
export type LockedBy = LockState & { readonly kind: 'held'; readonly content: LockContent };

export interface LockOptions {
  /**
   * Age at which a lock of another machine is stale, because its process cannot be checked from here. `undefined`: the folder is never
   * shared between machines.
   */
  readonly staleAfterMs?: number;
}

export interface FileLock extends AsyncDisposable {
  readonly kind: 'taken';
  /** Whether the previous holder ended without releasing it. */
  readonly isTakenOver: boolean;
}

/** The locks of this process: after a restart in a container, another process may have had the same process id. */
const heldHere = new Set<string>();

/**
 * Takes the lock, or returns who holds it. Never waits for the holder.
 *
 * @throws Error when the lock can be neither taken nor removed
 */
export async function tryLock(
  path: string,
  details: Readonly<Record<string, string>> = {},
  options: LockOptions = {},
): Promise<FileLock | LockedBy> {
  let isTakenOver = false;
  let blankTries = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const lockId = await createLock(path, details);
    if (lockId !== undefined) return { kind: 'taken', isTakenOver, [Symbol.asyncDispose]: () => release(path, lockId) };
    const state = await lockState(path, options);
    if (state.kind === 'held' && state.content !== undefined) return { ...state, content: state.content };
    const isBlank = state.kind === 'held';
    blankTries = isBlank ? blankTries + 1 : 0;
    if (state.kind === 'stale' || blankTries > MAX_BLANK_TRIES) {
      await breakLock(path, options, isBlank);
      isTakenOver = true;
    } else if (isBlank) await wait(PAUSE_MS);
  }
  throw new Error(`${path} can be neither taken nor removed`);
}

/**
 * Runs `work` while this process alone holds the lock. Keeps waiting while the holder of the lock changes.
 *
 * @param maxTries how often the same holder is checked
 * @throws Error when one holder keeps the lock for 2 s
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, maxTries = MAX_WAIT_TRIES): Promise<T> {
  let lastHolder: string | undefined;
  for (let tries = 0; ; tries += 1) {
    const lock = await tryLock(path);
    if (lock.kind === 'taken') {
      await using _held = lock;
      return await work();
    }
    const holder = JSON.stringify(lock.content);
    if (holder !== lastHolder) [lastHolder, tries] = [holder, 0];
    if (tries >= maxTries) throw new Error(`${path} is held by another process`);
    await wait(PAUSE_MS);
  }
}

export async function lockState(path: string, options: LockOptions = {}): Promise<LockState> {
  const text = await ifFound(readFile(path, 'utf8'));
  if (text === undefined) return { kind: 'free' };
  const content = parse(text);
  if (content === undefined) return { kind: 'held', content: undefined, isOurs: false };
  if (!(await isHeld(content, options))) return { kind: 'stale' };
  return { kind: 'held', content, isOurs: content.lockId !== undefined && heldHere.has(content.lockId) };
}

/** Creates the lock; `undefined` if it exists. */
async function createLock(path: string, details: Readonly<Record<string, string>>): Promise<string | undefined> {
  const lockId = randomBytes(8).toString('hex');
  const content: LockContent = {
    ...details,
    ...(await thisProcess()),
    host: hostname(),
    startedAt: new Date().toISOString(),
    lockId,
  };
  heldHere.add(lockId);
  const isCreated = await createWhole(path, JSON.stringify(content)).catch((error: unknown) => {
    heldHere.delete(lockId);
    throw error;
  });
  if (isCreated) return lockId;
  heldHere.delete(lockId);
  return undefined;
}

async function release(path: string, lockId: string): Promise<void> {
  const text = await ifFound(readFile(path, 'utf8'));
  if (text !== undefined && parse(text)?.lockId === lockId) await rm(path, { force: true });
  heldHere.delete(lockId);
}

/**
 * Removes a stale lock. Only one process at a time checks and removes, and only if the lock is still stale, so that no process removes
 * a lock that another one has just taken.
 */
async function breakLock(path: string, options: LockOptions, isBlank: boolean): Promise<void> {
  const breaking = `${path}.breaking`;
  if (!(await createWhole(breaking, JSON.stringify(await thisProcess())))) {
    if (!(await isBeingBroken(breaking))) await rm(breaking, { recursive: true, force: true });
    return await wait(PAUSE_MS);
  }
  try {
    const state = await lockState(path, options);
    const isStillBlank = isBlank && state.kind === 'held' && state.content === undefined;
    if (state.kind === 'stale' || isStillBlank) await rm(path, { force: true });
  } finally {
    await rm(breaking, { recursive: true, force: true });
  }
}

/** Whether a process is removing the stale lock right now. Older versions created a folder. */
async function isBeingBroken(breaking: string): Promise<boolean> {
  try {
    const owner = parse((await ifFound(readFile(breaking, 'utf8'))) ?? '');
    return owner !== undefined && (await isRunning(owner));
  } catch (error) {
    if (hasErrorCode(error, 'EISDIR')) return false;
    throw error;
  }
}

async function isHeld(content: LockContent, { staleAfterMs }: LockOptions): Promise<boolean> {
  const { host, startedAt, lockId } = content;
  // A process of another machine cannot be checked, so only the age counts. A lock from the far future is stale too: the clock was wrong.
  if (staleAfterMs !== undefined && host !== undefined && host !== hostname())
    return Math.abs(Date.now() - Date.parse(startedAt ?? '')) < staleAfterMs;
  return lockId !== undefined && isThisProcess(content) ? heldHere.has(lockId) : await isRunning(content);
}

function parse(text: string): LockContent | undefined {
  const content = parseJson(text);
  return isOwner(content) ? { ...content } : undefined;
}
