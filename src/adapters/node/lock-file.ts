import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { hasErrorCode, ifFound } from '../../base/errno.ts';
import { isOwner, isRunning, type Owner, thisProcess } from './owner.ts';

const MAX_TRIES = 50;
const PAUSE_MS = 10;
const MAX_WAIT_TRIES = 200;
/** A process writes into its lock right after creating it; one that stays empty for longer was left by a crash. */
const MAX_EMPTY_MS = 5_000;

/** What a lock file says about its holder. `details` are the caller's. */
interface LockContent extends Owner {
  readonly host?: string;
  readonly startedAt?: string;
  readonly lockId?: string;
  readonly [detail: string]: unknown;
}

/** `stale`: the file exists, but the process that created it does not. */
export type LockState =
  | { readonly kind: 'free' | 'stale' }
  /** `content` is `undefined` while the holder still writes it. */
  | { readonly kind: 'held'; readonly content: LockContent | undefined; readonly isOurs: boolean };

/** A lock that this call did not get. */
export type LockedBy = LockState & { readonly kind: 'held'; readonly content: LockContent };

export interface LockOptions {
  /**
   * Age at which a lock of another machine is stale, because its process cannot be checked from here. `undefined`: the folder is never
   * shared between machines.
   */
  readonly staleAfterMs?: number;
}

export interface HeldLock extends AsyncDisposable {
  readonly kind: 'taken';
  /** Whether the previous holder ended without releasing it. */
  readonly isTakenOver: boolean;
}

/** The locks of this process: after a restart in a container, another process may have had the same process id. */
const heldHere = new Set<string>();

/**
 * Takes the lock, or says who holds it; never waits for the holder.
 *
 * @throws Error when the lock can be neither taken nor removed
 */
export async function tryLock(
  path: string,
  details: Readonly<Record<string, string>> = {},
  options: LockOptions = {},
): Promise<HeldLock | LockedBy> {
  let isTakenOver = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const lockId = await createLock(path, details);
    if (lockId !== undefined) return { kind: 'taken', isTakenOver, [Symbol.asyncDispose]: () => release(path, lockId) };
    const state = await lockState(path, options);
    if (state.kind === 'stale') {
      await breakLock(path, options);
      isTakenOver = true;
    } else if (state.kind === 'held') {
      if (state.content !== undefined) return { ...state, content: state.content };
      await wait(PAUSE_MS);
    }
  }
  throw new Error(`${path} can be neither taken nor removed`);
}

/**
 * Runs `work` while this process alone holds the lock. Keeps waiting as long as the lock changes hands.
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
  if (content !== undefined)
    return isHeld(content, options)
      ? { kind: 'held', content, isOurs: content.lockId !== undefined && heldHere.has(content.lockId) }
      : { kind: 'stale' };
  const age = await ageOf(path);
  if (age === undefined) return { kind: 'free' };
  return age < MAX_EMPTY_MS ? { kind: 'held', content: undefined, isOurs: false } : { kind: 'stale' };
}

/** Creates the lock; `undefined` if it exists. */
async function createLock(path: string, details: Readonly<Record<string, string>>): Promise<string | undefined> {
  const lockId = randomBytes(8).toString('hex');
  const content: LockContent = {
    ...details,
    ...thisProcess(),
    host: hostname(),
    startedAt: new Date().toISOString(),
    lockId,
  };
  heldHere.add(lockId);
  try {
    await using handle = await open(path, 'wx', 0o600);
    await handle.writeFile(JSON.stringify(content));
    return lockId;
  } catch (error) {
    heldHere.delete(lockId);
    if (hasErrorCode(error, 'EEXIST')) return undefined;
    throw error;
  }
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
async function breakLock(path: string, options: LockOptions): Promise<void> {
  const breaking = `${path}.breaking`;
  try {
    await mkdir(breaking);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    if (((await ageOf(breaking)) ?? 0) >= MAX_EMPTY_MS) await rm(breaking, { recursive: true, force: true });
    return await wait(PAUSE_MS);
  }
  try {
    if ((await lockState(path, options)).kind === 'stale') await rm(path, { force: true });
  } finally {
    await rm(breaking, { recursive: true, force: true });
  }
}

function isHeld(content: LockContent, { staleAfterMs }: LockOptions): boolean {
  const { host, startedAt, lockId, pid } = content;
  if (staleAfterMs !== undefined && host !== undefined && host !== hostname())
    return Date.now() - Date.parse(startedAt ?? '') < staleAfterMs;
  return pid === process.pid && lockId !== undefined ? heldHere.has(lockId) : isRunning(content);
}

/** Milliseconds since the last change; `undefined` if the file does not exist. */
async function ageOf(path: string): Promise<number | undefined> {
  const found = await ifFound(stat(path));
  return found && Date.now() - found.mtimeMs;
}

function parse(text: string): LockContent | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isOwner(content) ? { ...content } : undefined;
  } catch {
    return undefined;
  }
}
