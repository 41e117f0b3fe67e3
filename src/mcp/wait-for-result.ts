import { AppError } from '../base/errors.ts';
import type { Event } from '../base/emitter.ts';
import type { ToolCall } from './tool.ts';
import type { Clock } from '../ports/clock.ts';
import { BUDGET_MS } from '../protocol/limits.ts';

/** An operation that continues even if no caller waits for it. */
export interface AwaitedResult<R> {
  readonly result: Promise<R>;
  /** What it does now, in a word. */
  phase(): string;
  /** In words, whenever that is another one. */
  readonly onProgress: Event<string>;
  /** What is said when the call has to be answered before the end. */
  pending(elapsedMs: number): R;
}

/**
 * The result, for a call that may be given up. With progress the wait lasts as long as it takes; without it the client would give up
 * first, so after `BUDGET_MS.callWithoutProgress` the answer is the pending one.
 *
 * @throws AppError CANCELLED when the call is cancelled; what that means for what goes on is the caller's to say
 */
export async function waitForResult<R>(awaited: AwaitedResult<R>, call: ToolCall, clock: Clock): Promise<R> {
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const cancelled = (): void => reject(new AppError('CANCELLED', { phase: awaited.phase() }));
  if (call.signal.aborted) cancelled();
  call.signal.addEventListener('abort', cancelled, { once: true });
  awaited.result.then(resolve, reject);

  const startedAt = clock.now();
  const { progress } = call;
  using _listening = progress === undefined ? undefined : awaited.onProgress(progress);
  const cancelTimer =
    progress === undefined
      ? clock.after(BUDGET_MS.callWithoutProgress, () => resolve(awaited.pending(clock.now() - startedAt)))
      : undefined;
  try {
    return await promise;
  } finally {
    cancelTimer?.();
    call.signal.removeEventListener('abort', cancelled);
  }
}
