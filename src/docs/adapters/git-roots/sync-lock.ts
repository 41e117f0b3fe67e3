import { hasErrorCode } from '../../../base/errno.ts';
import { randomBytes } from 'node:crypto';
import { link, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { withFileLock } from '../../../adapters/node/file-lock.ts';
import { writeFlushed } from '../../../adapters/node/flushed-files.ts';
import { isRunning, thisProcess } from '../../../adapters/node/owner.ts';

const Holder = z.object({
  pid: z.int(),
  bootedAt: z.number(),
  host: z.string(),
  startedAt: z.string(),
  requestId: z.string(),
});
type Holder = z.infer<typeof Holder>;

/** The lock of another machine counts for this many time limits of a sync. */
export const STALE_LIMITS = 2;

/** What this process holds: after a restart in a container, another process may have had its very number. */
const heldHere = new Set<string>();

export type LockState =
  | { readonly kind: 'free' | 'stale' }
  | { readonly kind: 'held'; readonly isOurs: boolean; readonly holder: string };

/** @param staleAfterMs after which the lock of another machine counts no more, for nobody can ask whether its process still runs */
export async function lockState(path: string, staleAfterMs: number): Promise<LockState> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { kind: 'free' };
  const holder = parse(text);
  // A lock comes into being with its text: one that cannot be read is none of ours.
  if (holder === undefined || !isHeld(holder, staleAfterMs)) return { kind: 'stale' };
  const isOurs = heldHere.has(holder.requestId);
  return {
    kind: 'held',
    isOurs,
    holder: isOurs
      ? 'this process'
      : `process ${holder.pid} on ${holder.host === hostname() ? 'this machine' : holder.host}`,
  };
}

export interface SyncLock extends AsyncDisposable {
  /** Whether its last holder ended without giving it back. */
  readonly isTakenOver: boolean;
}

/** Takes the lock at once or not at all: then it says who holds it. */
export async function takeLock(path: string, staleAfterMs: number): Promise<SyncLock | string> {
  const requestId = randomBytes(8).toString('hex');
  const holder: Holder = { ...thisProcess(), host: hostname(), startedAt: new Date().toISOString(), requestId };
  const beside = `${path}.${requestId}`;
  heldHere.add(requestId);
  let isTaken = false;
  try {
    await writeFlushed(beside, new TextEncoder().encode(JSON.stringify(holder)));
    let isTakenOver = false;
    for (let tries = 0; tries < 3 && !isTaken; tries += 1) {
      isTaken = await tryLink(beside, path);
      if (isTaken) break;
      const state = await lockState(path, staleAfterMs);
      if (state.kind === 'held') return state.holder;
      if (state.kind === 'free') continue;
      // One at a time, or the second would remove what the first has just taken.
      await withFileLock(`${path}.takeover`, async () => {
        if ((await lockState(path, staleAfterMs)).kind === 'stale') await rm(path, { force: true });
      });
      isTakenOver = true;
    }
    if (!isTaken) return 'another process';
    return {
      isTakenOver,
      async [Symbol.asyncDispose]() {
        if (parse(await readFile(path, 'utf8').catch(() => ''))?.requestId === requestId)
          await rm(path, { force: true });
        heldHere.delete(requestId);
      },
    };
  } finally {
    await rm(beside, { force: true });
    if (!isTaken) heldHere.delete(requestId);
  }
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function isHeld(holder: Holder, staleAfterMs: number): boolean {
  if (holder.host !== hostname()) return Date.now() - Date.parse(holder.startedAt) < staleAfterMs;
  return holder.pid === process.pid ? heldHere.has(holder.requestId) : isRunning(holder);
}

function parse(text: string): Holder | undefined {
  try {
    return Holder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
