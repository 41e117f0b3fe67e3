import { AppError } from '../base/errors.ts';
import type { Event } from '../base/emitter.ts';
import type { ToolCall } from './tool.ts';
import type { Clock } from '../ports/clock.ts';
import { BUDGET_MS } from '../protocol/limits.ts';

/** An operation that continues even if no caller waits for it. */
export interface AwaitedResult<R> {
  readonly result: Promise<R>;
  /** The current phase, in a few words. */
  phase(): string;
  /** Fires with a message when the progress changes. */
  readonly onProgress: Event<string>;
  /** The result for a call that must be answered before the operation ends. */
  pending(elapsedMs: number): R;
}

/**
 * Waits for the result of an operation. With progress, there is no time limit. Without progress, the client would time out, so the pending
 * result is returned after `BUDGET_MS.callWithoutProgress`.
 *
 * @throws AppError CANCELLED if the call is cancelled; the caller decides whether the operation continues
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
