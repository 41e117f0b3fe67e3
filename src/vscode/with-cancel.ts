import * as vscode from 'vscode';

/** Progress with a way to cancel it. */
export async function withCancel<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, token) => {
    const stop = new AbortController();
    const cancelling = token.onCancellationRequested(() => stop.abort());
    try {
      return await run(stop.signal);
    } finally {
      cancelling.dispose();
    }
  });
}
