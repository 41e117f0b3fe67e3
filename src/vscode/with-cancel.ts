import * as vscode from 'vscode';
import { safeWindow } from './safe-window.ts';

/** Runs `run` with a progress notification that can be cancelled. */
export async function withCancel<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return safeWindow.withProgress(options, async (_progress, token) => {
    const stop = new AbortController();
    const cancelling = token.onCancellationRequested(() => stop.abort());
    try {
      return await run(stop.signal);
    } finally {
      cancelling.dispose();
    }
  });
}
