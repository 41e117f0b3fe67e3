import * as vscode from 'vscode';
import { personSentence } from './localization/person-sentence.ts';
import { safeWindow } from './safe-window.ts';

/** Shows a message with the button *Show Log*. Does not wait, because an open notification must not block a command. */
export function showWithLog(level: 'showWarningMessage' | 'showErrorMessage', text: string, showLog: () => void): void {
  const button = vscode.l10n.t('Show Log');
  void safeWindow[level](text, button).then(pressed => (pressed === button ? showLog() : undefined));
}

/** Shows what failed and what to do, with the button *Show Log*. */
export const showFailure = (error: Parameters<typeof personSentence>[0], showLog: () => void): void =>
  showWithLog('showErrorMessage', personSentence(error, vscode.l10n), showLog);
