import { dirname } from 'node:path';
import type { Logger } from '../../ports/logger.ts';
import type { RunLock } from '../../ports/run-lock.ts';
import { writingState } from './writing-state.ts';
import { type LockState, lockState, tryLock } from './lock-file.ts';
import { makeStateFolder } from './make-state-folder.ts';

/** Creates a run lock that is a file. @param path the same for every program that serves the project */
export function createFileRunLock(path: string, log?: Logger): RunLock {
  const holderOf = (state: LockState): string | undefined => {
    const runId = state.kind === 'held' ? state.content?.['runId'] : undefined;
    return typeof runId === 'string' ? runId : undefined;
  };
  return {
    holder: async () => holderOf(await lockState(path)),
    async take(runId) {
      const folder = dirname(path);
      const lock = await writingState(folder, async () => {
        await makeStateFolder(folder);
        return await tryLock(path, { runId });
      });
      if (lock.kind === 'held') return { holder: holderOf(lock) ?? 'unknown' };
      if (lock.isTakenOver) log?.warn('took over the lock of a run whose process has ended', { path });
      return { holder: undefined, release: async () => lock[Symbol.asyncDispose]() };
    },
  };
}
