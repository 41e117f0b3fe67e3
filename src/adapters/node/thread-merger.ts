import type { CheckedMerge, ScriptMerger, ScriptTexts } from '../../ports/script-merger.ts';
import { createOnDemandThread, threadProgram } from './on-demand-thread.ts';

/** The program of the merge thread. */
export const mergeWorker = (): URL => threadProgram('./merge-worker.js', '../../sync/workers/merge-worker.ts');

export interface ThreadMergerOptions {
  /** The thread's program. */
  readonly worker: URL;
  /** How long one merge may take. */
  readonly maxMs?: number;
  /** How long an unused thread is kept. */
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
