import type { ScopeMeta, UncoveredPart } from './open-scope.ts';

/** The answer of a retrieval call: the result, and what it covers. */
export interface Answer<Result> {
  readonly result: Result;
  readonly meta: AnswerMeta;
}
export interface AnswerMeta extends ScopeMeta {
  readonly skipped: readonly UncoveredPart[];
  /** Set if a file of the answer differs from its commit. */
  readonly dirty?: true;
  /** Whether there is another page; `next` is its cursor. */
  readonly truncated: boolean;
  readonly next: string | undefined;
}
