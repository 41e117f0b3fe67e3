import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RunLock } from '../../ports/run-lock.ts';
import { type LockState, lockState, tryLock } from './lock-file.ts';

/** @param path the same for every program that serves the project */
export function createFileRunLock(path: string): RunLock {
  const holderOf = (state: LockState): string | undefined => {
    const runId = state.kind === 'held' ? state.content?.['runId'] : undefined;
    return typeof runId === 'string' ? runId : undefined;
  };
  return {
    holder: async () => holderOf(await lockState(path)),
    async take(runId) {
      await mkdir(dirname(path), { recursive: true });
      const lock = await tryLock(path, { runId });
      if (lock.kind === 'held') return { holder: holderOf(lock) ?? 'unknown' };
      return { holder: undefined, release: async () => lock[Symbol.asyncDispose]() };
    },
  };
}
