import { describeCause } from './describe-cause.ts';
import { hasErrorCode } from './errno.ts';
import { AppError } from './errors.ts';

/** The error for a file that could not be written, also because something else has its name or that of a folder above it. */
export function writeFailed(file: string, error: unknown): AppError<'FS_WRITE_FAILED'> {
  const isOccupied = hasErrorCode(error, 'EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY');
  const reason = describeCause(error);
  return new AppError('FS_WRITE_FAILED', { file, reason, ...(isOccupied && { isOccupied }) }, { cause: error });
}
