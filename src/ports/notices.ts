import type { Sentence } from '../base/sentence.ts';

/** Unrequested notifications to a person. Each of them is also logged. */
export interface Notices {
  /** Reports that an earlier sync was interrupted. `sentence` describes its outcome and can be shown alone. */
  interruptedRun(runId: string, sentence: Sentence): void;
}
