import { AppError, type ErrorCode, type ErrorDetails } from '../base/errors.ts';
import type { Sentence } from '../base/sentence.ts';

const sentenceOf = <C extends ErrorCode>(code: C, details: ErrorDetails[C]): Sentence =>
  new AppError(code, details).sentence;

/** The errors that a change can fail with. The parameters are the arguments of a `Reason`, in the order of the sentence. */
export const failureReasons = {
  cannot_write: (file: string, reason: string) => sentenceOf('FS_WRITE_FAILED', { file, reason }),
  cannot_access: (file: string, reason: string) => sentenceOf('FS_ACCESS_FAILED', { file, reason }),
  write_timed_out: (budgetMs: number, file: string) => sentenceOf('FS_TIMEOUT', { file, budgetMs }),
  studio_timed_out: (budgetMs: number, signal: string) => sentenceOf('STUDIO_BUSY', { budgetMs, signal }),
  changed_since_comparison: (file: string) => sentenceOf('FILE_CHANGED', { file }),
  changed_after_write: (file: string) => sentenceOf('FILE_OVERWRITTEN', { file }),
  outside_project: (path: string) => sentenceOf('PATH_OUTSIDE_ROOT', { path }),
  state_not_writable: (folder: string, reason: string) => sentenceOf('STATE_NOT_WRITABLE', { folder, reason }),
  unexpected_failure: (reason: string) => sentenceOf('INTERNAL', { reason }),
};

/** A `Reason` without other reasons in it. */
interface FailureReason {
  readonly code: string;
  readonly args: readonly (string | number)[];
}
type Rows = typeof failureReasons;
const rowOf = <C extends keyof Rows>(code: C, ...args: Parameters<Rows[C]>): FailureReason => ({ code, args });

const reasonOfError: { readonly [C in ErrorCode]?: (details: ErrorDetails[C]) => FailureReason } = {
  FS_WRITE_FAILED: ({ file, reason }) => rowOf('cannot_write', file, reason),
  FS_ACCESS_FAILED: ({ file, reason }) => rowOf('cannot_access', file, reason),
  FS_TIMEOUT: ({ budgetMs, file }) => rowOf('write_timed_out', budgetMs, file),
  STUDIO_BUSY: ({ budgetMs, signal }) => rowOf('studio_timed_out', budgetMs, signal),
  FILE_CHANGED: ({ file }) => rowOf('changed_since_comparison', file),
  FILE_OVERWRITTEN: ({ file }) => rowOf('changed_after_write', file),
  PATH_OUTSIDE_ROOT: ({ path }) => rowOf('outside_project', path),
  STATE_NOT_WRITABLE: ({ folder, reason }) => rowOf('state_not_writable', folder, reason),
  INTERNAL: ({ reason }) => rowOf('unexpected_failure', reason),
};

/** Shortens an absolute path to its last name: it is outside the project, such as in the state folder, and Studio and agents get the reason. */
const withoutFolders = (value: string): string =>
  /^(?:\/|[A-Za-z]:[\\/]|\\\\)./.test(value) ? value.replace(/^.*[\\/](?=[^\\/])/s, '') : value;

/** The reason for a change that failed with this error. Its text is the message of the error, in English for errors that no write raises. */
export function failureReason(error: unknown): FailureReason {
  const { code, details, message } = AppError.from(error);
  const row = reasonOfError[code] as ((details: ErrorDetails[ErrorCode]) => FailureReason) | undefined;
  const reason = row?.(details) ?? { code: 'failure', args: [message] };
  return { ...reason, args: reason.args.map(arg => (typeof arg === 'string' ? withoutFolders(arg) : arg)) };
}
