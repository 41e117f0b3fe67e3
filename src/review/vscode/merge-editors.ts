import { posix } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { DiffTexts } from '../../ports/review-surface.ts';
import { editorCommandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';

export interface MergeEditors extends Disposable {
  /** Opens VS Code's merge editor; `done` gets the text that was saved in it, once it is closed with nothing left open. */
  open(key: string, texts: DiffTexts, done: (text: string) => Promise<void>): Promise<void>;
}

interface Merge {
  readonly done: (text: string) => Promise<void>;
  /** What was saved last; `undefined`: nothing yet. */
  saved: string | undefined;
}

/** Set while a merge of ours is the active editor. */
const contextKey = 'atlas.reviewMerge';

/**
 * Three-way merges. The result is a file of ours until it is finished, so that a merge which nobody finishes leaves the project alone:
 * saving on the way keeps it, closing the editor (Complete Merge) hands it over.
 *
 * @param storage a folder of ours
 */
export function createMergeEditors(storage: vscode.Uri): MergeEditors {
  const store = new DisposableStore();
  const documents = store.add(createVirtualDocuments('atlas-merge'));
  const merges = new Map<string, Merge>();
  const showContext = (): void => {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const key = tab && resultOf(tab);
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
        const key = resultOf(tab);
        const merge = key === undefined ? undefined : merges.get(key);
        if (key === undefined || merge === undefined) continue;
        merges.delete(key);
        if (merge.saved !== undefined) await merge.done(merge.saved);
      }
    }),
  );
  addDisposable(store, vscode.window.tabGroups.onDidChangeTabGroups(showContext));
  // VS Code asks about conflicts that are open, and closes the editor; its own button for that is git's alone. Saved first, because
  // otherwise a save that runs by itself at that moment makes it ask whether to save.
  const complete = async (): Promise<void> => {
    await vscode.commands.executeCommand('workbench.action.files.save');
    await vscode.commands.executeCommand('mergeEditor.acceptMerge');
  };
  addDisposable(store, vscode.commands.registerCommand(editorCommandIds.completeMerge, complete));
  return {
    async open(key, { title, disk, studio, base }, done) {
      const name = posix.basename(disk?.fsPath ?? `${title.split('/').at(-1) ?? 'script'}.luau`);
      const output = vscode.Uri.joinPath(storage, 'merge', key, name);
      const both = conflict(studio?.text ?? '', disk?.text ?? '');
      await vscode.workspace.fs.writeFile(output, new TextEncoder().encode(both));
      merges.set(output.toString(), { done, saved: undefined });
      const side = (label: string, text: string | undefined) => ({
        uri: documents.put(`/${key}/${label}/${name}`, text ?? ''),
        title: label,
      });
      // The command that VS Code's own git support uses; there is no public one.
      await vscode.commands.executeCommand('_open.mergeEditor', {
        base: documents.put(`/${key}/Base/${name}`, base?.text ?? ''),
        input1: side('Studio', studio?.text),
        input2: side('Disk', disk?.text),
        output,
      });
      showContext();
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** VS Code resets a result that holds conflict marks: it takes what only one side has changed, and leaves the rest open. */
const conflict = (studio: string, disk: string): string =>
  `<<<<<<< Studio\n${studio}\n=======\n${disk}\n>>>>>>> Disk\n`;

/** Whether VS Code wrote down a conflict that nobody has resolved. */
export const hasOpenConflict = (text: string): boolean => /^<{7}(?:\s|$)[^]*^>{7}(?:\s|$)/m.test(text);

/** Where the tab of a merge editor puts its result. Its input has no public type, so it is told by its shape. */
function resultOf({ input }: vscode.Tab): string | undefined {
  const result: unknown = typeof input === 'object' && input !== null && 'result' in input ? input.result : undefined;
  return result instanceof vscode.Uri ? result.toString() : undefined;
}
