import type { Sentence } from '../base/sentence.ts';

/** Tells a person what they must know although they asked for nothing. Whatever is said here also stands in the log. */
export interface Notices {
  /** A sync was cut off earlier; `sentence` says what became of it, complete by itself. */
  interruptedRun(runId: string, sentence: Sentence): void;
}
