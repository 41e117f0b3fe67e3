import * as vscode from 'vscode';
import type { RunResult } from '../../../protocol/run-result.ts';
import { commandIds, viewIds } from '../../../vscode/command-ids.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';
import { type MessageKind, type NextStep, runMessage } from './run-messages.ts';

/** The argument of the review command that opens the review for untracked properties alone, too. */
export const SHOW_UNTRACKED = 'untracked';

/** Shows the outcome of a run without waiting for a click. Returns the status bar message, if the outcome is shown there. */
export function showOutcome(result: RunResult, showLog: () => void): vscode.Disposable | undefined {
  const { kind, text, steps } = runMessage(result, vscode.l10n);
  if (kind === 'status') return safeWindow.setStatusBarMessage(text);
  const labels: Readonly<Record<NextStep, string>> = {
    review: vscode.l10n.t('Show Review'),
    history: vscode.l10n.t('Show History'),
    log: vscode.l10n.t('Show Log'),
    createProject: vscode.l10n.t('Create Project File'),
    problems: vscode.l10n.t('Show Problems'),
    doctor: vscode.l10n.t('Run Doctor'),
    untracked: vscode.l10n.t('Show Untracked Properties'),
  };
  const pressed = showMessage(
    kind,
    text,
    steps.map(step => labels[step]),
  );
  void pressed.then(async button => {
    if (button === labels.log) showLog();
    if (button === labels.history) await vscode.commands.executeCommand(`${viewIds.history}.focus`);
    if (button === labels.review) await vscode.commands.executeCommand(commandIds.review);
    if (button === labels.untracked) await vscode.commands.executeCommand(commandIds.review, SHOW_UNTRACKED);
    if (button === labels.createProject) await vscode.commands.executeCommand(commandIds.createProject);
    if (button === labels.problems) await vscode.commands.executeCommand('workbench.actions.view.problems');
    if (button === labels.doctor) await vscode.commands.executeCommand(commandIds.doctor);
  });
  return undefined;
}

function showMessage(
  kind: Exclude<MessageKind, 'status'>,
  text: string,
  buttons: readonly string[],
): Thenable<string | undefined> {
  switch (kind) {
    case 'information':
      return safeWindow.showInformationMessage(text, ...buttons);
    case 'warning':
      return safeWindow.showWarningMessage(text, ...buttons);
    case 'error':
      return safeWindow.showErrorMessage(text, ...buttons);
  }
}
