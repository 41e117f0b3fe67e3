import type { DataConverter } from '../../ports/data-converter.ts';
import { createOnDemandThread, threadProgram } from './on-demand-thread.ts';

/** The path of the program of the thread for data files. */
export const dataWorker = (): URL => threadProgram('./data-worker.js', '../../project/workers/data-worker.ts');

export interface ThreadConverterOptions {
  /** The path of the thread's program. */
  readonly worker: URL;
  /** Maximum duration of one file, in milliseconds. */
  readonly maxMs?: number;
  /** Milliseconds after which an unused thread ends. */
  readonly idleMs?: number;
  /** Maximum heap of the thread, in megabytes. */
  readonly maxMegabytes?: number;
}

/** Converts files in a thread that starts with the first file and ends when it is unused or when a file takes too long. */
export function createThreadConverter({
  worker,
  maxMs = 30_000,
  idleMs = 60_000,
  maxMegabytes = 1024,
}: ThreadConverterOptions): DataConverter {
  const ask = createOnDemandThread({
    worker,
    name: 'Atlas Bridge data files',
    maxMs,
    idleMs,
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes },
  });
  // The thread implements the port, so its answers have the types that the port declares.
  return { convert: data => ask('convert', data) as ReturnType<DataConverter['convert']> };
}
