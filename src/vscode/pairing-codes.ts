import * as vscode from 'vscode';
import type { PairingCodes } from '../ports/pairing-codes.ts';
import { safeWindow } from './safe-window.ts';

/** Shows a code as a notification that stays until the pairing ends, with a button that refuses it. */
export const createPairingCodes = (): PairingCodes => ({
  show(code) {
    const ended = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    const title = vscode.l10n.t(
      'Pair with Roblox Studio: enter {0} in the Atlas Bridge window of Studio. Cancel if you did not press Pair there.',
      `${code.slice(0, 3)} ${code.slice(3)}`,
    );
    void safeWindow.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (_progress, cancelled) => {
        cancelled.onCancellationRequested(() => refused.resolve());
        await ended.promise;
      },
    );
    return { refused: refused.promise, [Symbol.dispose]: () => ended.resolve() };
  },
  ended(reason) {
    if (reason === undefined) void safeWindow.showInformationMessage(vscode.l10n.t('Roblox Studio was paired.'));
    else void safeWindow.showWarningMessage(vscode.l10n.t('Roblox Studio was not paired: {0}.', reason));
  },
});
