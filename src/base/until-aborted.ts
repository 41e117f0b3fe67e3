import { AppError } from './errors.ts';

/** `promise`, unless `signal` aborts first: then its reason is thrown. The work itself may go on; it has to look at `signal` too. */
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
