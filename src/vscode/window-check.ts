import * as vscode from 'vscode';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { WindowState } from '../protocol/window-state.ts';
import type { BridgeLifecycle } from './bridge-lifecycle.ts';

/** A window answers in milliseconds, also in the background; a frozen one does not. */
const ANSWER_MS = 5_000;

/**
 * Tells another window that would serve the same project whether this one answers. The bridges of a lost window stop, so that neither their
 * ports nor an open review keep the other window from working, and start again when the window comes back.
 */
export function createWindowCheck(
  lifecycle: () => Pick<BridgeLifecycle, 'suspend'>,
  clock: Clock,
  log: Logger,
): () => Promise<WindowState> {
  let asking: Promise<WindowState> | undefined;
  const ask = async (): Promise<WindowState> => {
    // The window runs this command; if it is not connected, as soon as it is again.
    const answer = Promise.resolve(vscode.commands.executeCommand('setContext', 'atlas.windowAnswers', true));
    const noAnswer = Promise.withResolvers<'lost'>();
    const cancelTimer = clock.after(ANSWER_MS, () => noAnswer.resolve('lost'));
    const window = await Promise.race([answer.then(() => 'open' as const), noAnswer.promise]);
    cancelTimer();
    if (window === 'lost') {
      log.warn('this window does not answer; another window serves its projects now');
      void lifecycle()
        .suspend(answer)
        .catch((error: unknown) => log.error('failed to serve the window that came back', error));
    }
    return { window };
  };
  return () => (asking ??= ask().finally(() => (asking = undefined)));
}
