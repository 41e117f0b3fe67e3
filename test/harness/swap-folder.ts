import { once } from 'node:events';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { hasErrorCode } from '../../src/base/errno.ts';

/** Replaces a folder by a link to another one and back, as fast as possible, in a thread. Disposing ends with the folder in its place. */
export async function swapFolder(folder: string, other: string): Promise<AsyncDisposable> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { folder, other, stop } });
  await once(worker, 'message');
  return {
    async [Symbol.asyncDispose]() {
      Atomics.store(stop, 0, 1);
      await once(worker, 'exit');
    },
  };
}

if (!isMainThread && 'folder' in workerData) {
  const { folder, other, stop } = workerData as { folder: string; other: string; stop: Int32Array };
  parentPort?.postMessage('started');
  const pause = (): unknown => Atomics.wait(stop, 0, 0, 2 * Math.random());
  /** A write may create the folder while it is missing. */
  const put = (move: () => void): void => {
    for (;;)
      try {
        rmSync(folder, { recursive: true, force: true });
        return move();
      } catch (error) {
        if (!hasErrorCode(error, 'EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR', 'ENOENT')) throw error;
      }
  };
  while (Atomics.load(stop, 0) === 0) {
    renameSync(folder, `${folder}.real`);
    put(() => symlinkSync(other, folder));
    pause();
    put(() => renameSync(`${folder}.real`, folder));
    pause();
  }
}
