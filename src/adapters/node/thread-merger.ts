import type { CheckedMerge, ScriptMerger, ScriptTexts } from '../../ports/script-merger.ts';
import { createOnDemandThread, threadProgram } from './on-demand-thread.ts';

/** The path of the program of the merge thread. */
export const mergeWorker = (): URL => threadProgram('./merge-worker.js', '../../sync/workers/merge-worker.ts');

export interface ThreadMergerOptions {
  /** The path of the thread's program. */
  readonly worker: URL;
  /** Maximum duration of one merge, in milliseconds. */
  readonly maxMs?: number;
  /** Milliseconds after which an unused thread ends. */
  readonly idleMs?: number;
}

/** Merges in a thread that starts with the first merge and ends when it is unused or when a merge takes too long. */
export function createThreadMerger({ worker, maxMs = 10_000, idleMs = 60_000 }: ThreadMergerOptions): ScriptMerger {
  const ask = createOnDemandThread({ worker, name: 'Atlas Bridge merges', maxMs, idleMs });
  // The thread implements the port, so its answers have the types that the port declares.
  return {
    merge: (texts: ScriptTexts) => ask('merge', texts) as Promise<CheckedMerge>,
    compileProblem: text => ask('compileProblem', text) as Promise<string | undefined>,
  };
}
