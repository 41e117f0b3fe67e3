import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { WindowState } from '../protocol/window-state.ts';
import { type BridgeLifecycle, runOf } from './bridge-lifecycle.ts';

/** A window answers in milliseconds, also in the background; a frozen one does not. */
const ANSWER_MS = 5_000;
/**
 * The time is measured in parts: after a pause of the whole extension host, such as the sleep of a laptop, the timer of one part fires before
 * the answer that has already arrived is read.
 */
const PARTS = 10;

/**
 * Checks whether this window still answers, for another window that would serve the same project. The bridges of a lost window stop, so that
 * neither their ports nor an open review keep the other window from working. They start again when the window answers again.
 *
 * @param askWindow resolves when the window has answered; if it is not connected, as soon as it is again
 */
export function createWindowCheck(
  lifecycle: () => Pick<BridgeLifecycle, 'suspend' | 'bridges'>,
  askWindow: () => PromiseLike<unknown>,
  clock: Clock,
  log: Logger,
): () => Promise<WindowState> {
  let asking: Promise<WindowState> | undefined;
  const ask = async (): Promise<WindowState> => {
    const answer = Promise.resolve(askWindow());
    // A refusal of the window is an answer too.
    const answered = answer.then(
      () => true,
      () => true,
    );
    for (let part = 0; part < PARTS; part += 1) {
      const passed = Promise.withResolvers<false>();
      const cancelTimer = clock.after(ANSWER_MS / PARTS, () => passed.resolve(false));
      const hasAnswered = await Promise.race([answered, passed.promise]);
      cancelTimer();
      if (hasAnswered) return { window: 'open' };
    }
    log.warn('this window does not answer; another window serves its projects now');
    const phase = runOf(lifecycle().bridges())?.phase();
    void lifecycle()
      .suspend(answered)
      .catch((error: unknown) => log.error('failed to resume the bridges of this window', error));
    const isWriting = phase === 'applying' || phase === 'verifying';
    return { window: 'lost', ...(isWriting && { isWriting }) };
  };
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}
