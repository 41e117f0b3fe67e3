import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunLock } from '../../ports/run-lock.ts';
import { breakLock, type LockState, lockState, takeLock } from './file-lock.ts';

/** How often a lock is found that is gone, or nobody's, by the next look. */
const TRIES = 50;
/** Whoever creates a lock says in the next moment which run it is for. */
const PAUSE_MS = 10;

/** @param path the same for every program that serves the project */
export function createFileRunLock(path: string): RunLock {
  const holderOf = (state: LockState): string | undefined =>
    state.kind === 'held' && state.content !== undefined && 'runId' in state.content
      ? String(state.content.runId)
      : undefined;
  const holder = async (): Promise<string | undefined> => holderOf(await lockState(path));
  return {
    holder,
    async take(runId) {
      await mkdir(dirname(path), { recursive: true });
      for (let tries = 0; tries < TRIES; tries += 1) {
        if (await takeLock(path, { runId }))
          return {
            holder: undefined,
            async release() {
              if ((await holder()) === runId) await rm(path, { force: true });
            },
          };
        const state = await lockState(path);
        const other = holderOf(state);
        if (other !== undefined) return { holder: other };
        if (state.kind === 'stale') await breakLock(path);
        if (state.kind === 'held') await wait(PAUSE_MS);
      }
      throw new Error(`${path} can be neither taken nor removed`);
    },
  };
}
