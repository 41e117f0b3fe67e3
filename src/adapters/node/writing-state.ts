import { describeCause } from '../../base/describe-cause.ts';
import { AppError } from '../../base/errors.ts';

/** Runs `work`, which writes below `folder`. @throws AppError STATE_NOT_WRITABLE for any failure of the file system */
export async function writingState<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error) || !('syscall' in error)) throw error;
    throw new AppError('STATE_NOT_WRITABLE', { folder, reason: describeCause(error) }, { cause: error });
  }
}
