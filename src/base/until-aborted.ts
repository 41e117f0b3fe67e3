import { AppError } from './errors.ts';

/**
 * Waits for `promise`, or until `signal` aborts. Does not stop the work, which must observe `signal` itself.
 *
 * @throws AppError made of the reason of `signal`, if that aborts first
 */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(AppError.from(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
  });
  if (signal.aborted) stop();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
