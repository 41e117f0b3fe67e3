import * as vscode from 'vscode';
import { inWords } from '../../../base/sentence.ts';
import type { SyncRun } from '../../sync-engine.ts';

/**
 * Shows a run that a person started, until it ends. While it waits for the person's decision there is no notification: the review
 * and the status bar speak then. Cancelling the notification cancels the run, as far as it still can be.
 */
export async function followRun(run: SyncRun, title: string): Promise<void> {
  for (;;) {
    if (run.phase() === 'ended') return;
    if (run.phase() === 'reviewing') {
      await phaseLeft(run, 'reviewing');
      continue;
    }
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, async (progress, token) => {
      let shown = 0;
      const told = run.onProgress(({ phase, message, done, total }) => {
        // The end is told once, and not by what disappears with it.
        if (phase === 'ended') return;
        const percent = done === undefined || !total ? undefined : (100 * done) / total;
        progress.report({
          message: inWords(message, vscode.l10n.t),
          ...(percent === undefined ? {} : { increment: percent - shown }),
        });
        shown = percent ?? shown;
      });
      const cancelling = token.onCancellationRequested(() => run.cancel());
      try {
        await reviewOrEnd(run);
      } finally {
        told[Symbol.dispose]();
        cancelling.dispose();
      }
    });
  }
}

function until(run: SyncRun, reached: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const look = (): void => {
      if (!reached()) return;
      told[Symbol.dispose]();
      resolve();
    };
    const told = run.onProgress(look);
    void run.result.then(() => {
      told[Symbol.dispose]();
      resolve();
    });
    look();
  });
}

const phaseLeft = (run: SyncRun, phase: string): Promise<void> => until(run, () => run.phase() !== phase);
const reviewOrEnd = (run: SyncRun): Promise<void> =>
  until(run, () => run.phase() === 'reviewing' || run.phase() === 'ended');
