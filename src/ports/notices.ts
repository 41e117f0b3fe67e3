import type { Sentence } from '../base/sentence.ts';

/** Unrequested notifications to a person. Each of them is also logged. */
export interface Notices {
  /** A sync was cut off earlier; `sentence` says what became of it, complete by itself. */
  interruptedRun(runId: string, sentence: Sentence): void;
}
