import * as vscode from 'vscode';
import { safeWindow } from './safe-window.ts';

/** The texts and the changes of a question. */
export interface ChangesQuestion {
  readonly question: string;
  readonly detail: string;
  /** The effect of agreeing, in the one line that the list of answers has for it. */
  readonly effect: string;
  /** The label of the button that agrees. */
  readonly accept: string;
  /** The files that Cancel leaves unchanged. */
  readonly unchanged: string;
  /** The title of the list of answers that stays open beside the diff. */
  readonly title: string;
  readonly showChanges: () => PromiseLike<unknown>;
  /** Whether a tab shows the changes; such tabs are closed after the answer. */
  readonly isOfChanges: (tab: vscode.Tab) => boolean;
}

/** Asks in a modal dialog, which can show the changes as a diff first. Closing the dialog or the list cancels. */
export async function confirmWithChanges(asked: ChangesQuestion): Promise<boolean> {
  const { question, detail, effect, accept, unchanged, title, showChanges, isOfChanges } = asked;
  const show = vscode.l10n.t('Show Changes');
  const pressed = await safeWindow.showWarningMessage(question, { modal: true, detail }, accept, show);
  if (pressed !== show) return pressed === accept;
  await showChanges();
  // The list stays open while the user reads the diff.
  const picked = await safeWindow.showQuickPick(
    [
      { label: accept, detail: effect, isAccepted: true },
      { label: vscode.l10n.t('Cancel'), detail: unchanged, isAccepted: false },
    ],
    { title, ignoreFocusOut: true },
  );
  const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter(isOfChanges));
  return picked?.isAccepted === true;
}
