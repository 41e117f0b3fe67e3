import type { ScopeMeta, Skipped } from './open-scope.ts';

/** What every retrieval call answers: the result, and what it is worth. */
export interface Answer<Result> {
  readonly result: Result;
  readonly meta: AnswerMeta;
}
export interface AnswerMeta extends ScopeMeta {
  readonly skipped: readonly Skipped[];
  /** A file that the answer is of is not as in its commit. */
  readonly dirty?: true;
  /** Whether there is more; `next` is the cursor that brings it. */
  readonly truncated: boolean;
  readonly next: string | undefined;
}
