import * as vscode from 'vscode';
import { commandIds } from './command-ids.ts';
import { safeWindow } from './safe-window.ts';

/** Shows a warning with the button *Run Doctor*. Does not wait, because an open notification must not block a command. */
export function warnWithDoctor(text: string): void {
  const doctor = vscode.l10n.t('Run Doctor');
  void safeWindow
    .showWarningMessage(text, doctor)
    .then(pressed => (pressed === doctor ? vscode.commands.executeCommand(commandIds.doctor) : undefined));
}
