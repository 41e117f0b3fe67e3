import { AppError } from '../../base/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a file is in the place of a folder',
  EISDIR: 'a folder is in the place of a file',
};

/** Runs `work`, which writes below `folder`. @throws AppError STATE_NOT_WRITABLE for any failure of the file system */
export async function writingState<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error) || !('syscall' in error)) throw error;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    throw new AppError('STATE_NOT_WRITABLE', { folder, reason: reasons[code] ?? error.message }, { cause: error });
  }
}
