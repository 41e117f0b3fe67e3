import * as vscode from 'vscode';
import { formatSentence } from '../../../base/sentence.ts';
import type { SyncRun } from '../../sync-engine.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';

/**
 * Shows a progress notification until the run ends. Hidden during the review, which has its own page and status bar item. Cancelling the
 * notification cancels the run, if it can still be cancelled.
 */
export async function followRun(run: SyncRun, title: string): Promise<void> {
  for (;;) {
    if (run.phase() === 'ended') return;
    if (run.phase() === 'reviewing') {
      await phaseLeft(run, 'reviewing');
      continue;
    }
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await safeWindow.withProgress(options, async (progress, token) => {
      let shown = 0;
      const listening = run.onProgress(({ phase, message, done, total }) => {
        // The outcome is shown once, and not in a notification that closes at the end.
        if (phase === 'ended') return;
        const percent = done === undefined || !total ? undefined : (100 * done) / total;
        progress.report({
          message: formatSentence(message, vscode.l10n.t),
          ...(percent === undefined ? {} : { increment: percent - shown }),
        });
        shown = percent ?? shown;
      });
      const cancelling = token.onCancellationRequested(() => run.cancel());
      try {
        await reviewOrEnd(run);
      } finally {
        listening[Symbol.dispose]();
        cancelling.dispose();
      }
    });
  }
}

function until(run: SyncRun, reached: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const check = (): void => {
      if (!reached()) return;
      listening[Symbol.dispose]();
      resolve();
    };
    const listening = run.onProgress(check);
    void run.result.then(() => {
      listening[Symbol.dispose]();
      resolve();
    });
    check();
  });
}

const phaseLeft = (run: SyncRun, phase: string): Promise<void> => until(run, () => run.phase() !== phase);
const reviewOrEnd = (run: SyncRun): Promise<void> =>
  until(run, () => run.phase() === 'reviewing' || run.phase() === 'ended');
