import type { ProjectPath } from '../../base/brand.ts';
import { hasErrorCode, isNotFound } from '../../base/errno.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';

export interface DiskPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly hasher: Hasher;
  /** Whether the project is read only once, as by a build: files are not hashed, so another scan would find all of them changed. */
  readonly isReadOnce?: boolean | undefined;
  /** The files with edits in an editor that are not on disk. Such a file is never moved. Without an editor: `undefined`. */
  readonly unsavedFiles?: (() => ReadonlySet<ProjectPath>) | undefined;
}

/** Whether a read or a listing failed because the file or folder does not exist, or is a folder instead of a file. */
export const isMissing = (error: unknown): boolean => isNotFound(error) || hasErrorCode(error, 'EISDIR');

/** Whether the file system rejected an operation on one path. Any other error is a bug. */
export const isFileFailure = (error: unknown): error is Error =>
  AppError.is(error, 'PATH_OUTSIDE_ROOT') || (error instanceof Error && ('syscall' in error || isMissing(error)));
