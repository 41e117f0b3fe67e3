import * as vscode from 'vscode';
import type { Notices } from '../ports/notices.ts';
import { commandIds } from './command-ids.ts';
import { formatSentence } from '../base/sentence.ts';
import { safeWindow } from './safe-window.ts';

/** Notifications with the next step as a button. Never awaited, because the user may leave them open. */
export const createNotices = (): Notices => ({
  interruptedRun(_runId, sentence) {
    const restore = vscode.l10n.t('Restore…');
    const dryRun = vscode.l10n.t('Dry Run');
    void safeWindow.showWarningMessage(formatSentence(sentence, vscode.l10n.t), dryRun, restore).then(async pressed => {
      if (pressed === restore) await vscode.commands.executeCommand(commandIds.restore);
      if (pressed === dryRun) await vscode.commands.executeCommand(commandIds.dryRun);
    });
  },
});
