import { posix } from 'node:path';
import * as vscode from 'vscode';
import { hasConflictMarkers } from '../../base/conflict-markers.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { DiffTexts } from '../../ports/review-surface.ts';
import { editorCommandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { saveDocument } from '../../vscode/save-documents.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';
import { createMergeResults, mergeResultOf } from './merge-results.ts';

export interface MergeEditors extends Disposable {
  /** Opens VS Code's merge editor. Calls `done` with the saved text when the editor is closed. */
  open(key: string, texts: DiffTexts, done: (text: string) => Promise<void>): Promise<void>;
}

interface Merge {
  readonly done: (text: string) => Promise<void>;
  /** The last saved text; `undefined` if nothing was saved. */
  saved: string | undefined;
}

/** Set while a merge of a review is the active editor. */
const contextKey = 'atlas.reviewMerge';

/**
 * Creates three-way merges. The result is a document in memory, so an abandoned merge touches no file. Closing the editor (Complete Merge)
 * passes the saved result on.
 */
export function createMergeEditors(): MergeEditors {
  const store = new DisposableStore();
  const results = store.add(createMergeResults());
  const documents = store.add(createVirtualDocuments('atlas-merge'));
  const merges = new Map<string, Merge>();
  const showContext = (): void => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const key = tab && mergeResultOf(tab)?.toString();
    void vscode.commands.executeCommand('setContext', contextKey, key !== undefined && merges.has(key));
  };
  addDisposable(
    store,
    vscode.workspace.onDidSaveTextDocument(document => {
      const merge = merges.get(document.uri.toString());
      if (merge !== undefined) merge.saved = document.getText();
    }),
  );
  addDisposable(
    store,
    vscode.window.tabGroups.onDidChangeTabs(async ({ closed }) => {
      showContext();
      for (const tab of closed) {
        const result = mergeResultOf(tab);
        const merge = result && merges.get(result.toString());
        if (result === undefined || merge === undefined) continue;
        merges.delete(result.toString());
        results.remove(result);
        if (merge.saved !== undefined) await merge.done(merge.saved);
      }
    }),
  );
  addDisposable(store, vscode.window.tabGroups.onDidChangeTabGroups(showContext));
  // VS Code's own Complete Merge button works for git only. `acceptMerge` asks about open conflicts and closes the editor. Save first:
  // otherwise an auto save at the same moment makes VS Code ask whether to save.
  const complete = async (): Promise<void> => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const key = tab && mergeResultOf(tab)?.toString();
    const merge = key === undefined ? undefined : merges.get(key);
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key);
    if (document !== undefined) await saveDocument(document);
    // VS Code would offer to complete it, and the review would refuse the text and lose what was resolved.
    if (document !== undefined && hasConflictMarkers(document.getText())) {
      await vscode.commands.executeCommand('merge.goToNextUnhandledConflict');
      const name = posix.basename(document.uri.path);
      const text = vscode.l10n.t('{0} still has conflicts. Resolve each of them, then complete the merge.', name);
      void safeWindow.showWarningMessage(text);
      return;
    }
    // A result that needed no edit is not saved again, and is complete, too.
    if (merge !== undefined) merge.saved ??= document?.getText();
    await vscode.commands.executeCommand('mergeEditor.acceptMerge');
  };
  addDisposable(store, vscode.commands.registerCommand(editorCommandIds.completeMerge, complete));
  return {
    async open(key, { title, disk, studio, base, merged }, done) {
      const name = disk?.fsPath == null ? `${title.replaceAll('/', '-')}.luau` : posix.basename(disk.fsPath);
      const result = merged?.text ?? conflict(studio?.text ?? '', disk?.text ?? '');
      const output = results.put(disk?.fsPath ?? name, key, result);
      merges.set(output.toString(), { done, saved: undefined });
      const origin =
        base?.origin === 'commit'
          ? vscode.l10n.t('compared with the last commit')
          : vscode.l10n.t('compared with the last sync');
      const side = (label: string, text: string | undefined) => ({
        uri: documents.put(`/${label}/${name}`, text ?? '', key),
        title: label,
        // VS Code shows no title for the base, so each side names it.
        description: origin,
      });
      // Internal command of VS Code's git extension; there is no public API.
      await vscode.commands.executeCommand('_open.mergeEditor', {
        base: documents.put(`/Base/${name}`, base?.text ?? '', key),
        input1: side('Studio', studio?.text),
        input2: side('Disk', disk?.text),
        output,
      });
      showContext();
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** The result of texts that were not merged. Git's markers make VS Code merge again: it takes the changes of one side and leaves the others as conflicts. */
const conflict = (studio: string, disk: string): string =>
  `<<<<<<< Studio\n${studio}\n=======\n${disk}\n>>>>>>> Disk\n`;
