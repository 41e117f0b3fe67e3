import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { addDisposable } from './add-disposable.ts';
import { contextKeys, questionCommandIds } from './command-ids.ts';
import { safeWindow } from './safe-window.ts';

/** The texts and the changes of a question. */
export interface ChangesQuestion {
  readonly question: string;
  readonly detail: string;
  /** The label of the button that agrees. */
  readonly accept: string;
  readonly showChanges: () => PromiseLike<unknown>;
  /** Whether a tab shows the changes; such tabs are closed after the answer. */
  readonly isOfChanges: (tab: vscode.Tab) => boolean;
  /** Aborted when the changes are cancelled elsewhere, which discards them. */
  readonly signal?: AbortSignal;
}

type Answer = 'apply' | 'discard' | 'closed';

/**
 * Asks in a modal dialog, which can show the changes as a diff first. The buttons in the title of the diff answer, because a list or a
 * dialog would cover the changes. Closing the dialog cancels; closing the diff shows the dialog again.
 */
export async function confirmWithChanges(asked: ChangesQuestion): Promise<boolean> {
  const { question, detail, accept } = asked;
  const show = vscode.l10n.t('Show Changes');
  for (;;) {
    const pressed = await safeWindow.showWarningMessage(question, { modal: true, detail }, accept, show);
    if (pressed !== show) return pressed === accept;
    const answer = await answerInDiff(asked);
    if (answer !== 'closed') return answer === 'apply';
  }
}

/** Discards the changes of the open diff. The buttons belong to one question at a time. */
let discardOpen: () => Promise<void> = async () => undefined;

/** Shows the changes, and resolves when a button in their title is pressed or their tab is closed. */
async function answerInDiff({ showChanges, isOfChanges, signal }: ChangesQuestion): Promise<Answer> {
  await discardOpen();
  if (signal?.aborted === true) return 'discard';
  const store = new DisposableStore();
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const shownTabs = (): readonly vscode.Tab[] =>
    vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(isOfChanges);
  const end = async (answer: Answer): Promise<void> => {
    store[Symbol.dispose]();
    await vscode.window.tabGroups.close(shownTabs());
    resolve(answer);
  };
  const discard = (): Promise<void> => end('discard');
  const setButtons = (areShown: boolean): void =>
    void vscode.commands.executeCommand('setContext', contextKeys.proposedChanges, areShown);
  const updateButtons = (): void => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    setButtons(activeTab !== undefined && isOfChanges(activeTab));
  };
  discardOpen = discard;
  const abort = (): void => void discard();
  signal?.addEventListener('abort', abort);
  store.defer(() => {
    discardOpen = async () => undefined;
    signal?.removeEventListener('abort', abort);
    setButtons(false);
  });
  addDisposable(
    store,
    vscode.commands.registerCommand(questionCommandIds.apply, () => end('apply')),
  );
  addDisposable(store, vscode.commands.registerCommand(questionCommandIds.discard, discard));
  addDisposable(store, vscode.window.tabGroups.onDidChangeTabGroups(updateButtons));
  addDisposable(
    store,
    vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      updateButtons();
      if (closed.some(isOfChanges) && shownTabs().length === 0) void end('closed');
    }),
  );
  try {
    await showChanges();
    // The next file that the user opens would replace a preview, and close the question.
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    updateButtons();
  } catch (error) {
    await discard();
    throw error;
  }
  return await promise;
}
