/** The code of a failed system call (`ENOENT`, `EEXIST`, …); `undefined` for errors without one. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(errorCode(error) ?? '');

/**
 * Whether a system call, or a call of VS Code's file system, failed because the file, or a folder on its path, does not exist. No file has a
 * name that is too long.
 */
export const isNotFound = (error: unknown): boolean =>
  hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'FileNotFound', 'FileNotADirectory');

/** Whether the reader of a pipe has closed it. A socket that is closed with unread bytes reports a reset instead of EPIPE. */
export const isReaderClosed = (error: unknown): boolean => hasErrorCode(error, 'EPIPE', 'ECONNRESET');

/** Whether a file exists, or may exist because it cannot be read: `mayExist(stat(path))`. */
export async function mayExist(call: PromiseLike<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    return !isNotFound(error);
  }
}

/**
 * Resolves with `undefined` if a file does not exist: `await ifFound(readFile(path))`. All other failures, such as missing
 * permissions, reject: "cannot be read" must not look like "does not exist".
 */
export async function ifFound<T>(call: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
