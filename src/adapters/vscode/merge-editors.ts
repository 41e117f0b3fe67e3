import { posix } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { DiffTexts } from '../../ports/review-surface.ts';
import { own } from './owned.ts';
import { createVirtualDocuments } from './virtual-documents.ts';

export interface MergeEditors extends Disposable {
  /** Opens VS Code's merge editor; `done` gets the text each time that it is saved. */
  open(key: string, texts: DiffTexts, done: (text: string) => Promise<void>): Promise<void>;
}

/**
 * Three-way merges. The result is a file of ours until it is saved, so that a merge which nobody finishes leaves the project alone.
 *
 * @param storage a folder of ours
 */
export function createMergeEditors(storage: vscode.Uri): MergeEditors {
  const store = new DisposableStore();
  const documents = store.add(createVirtualDocuments('atlas-merge'));
  const waiting = new Map<string, (text: string) => Promise<void>>();
  own(
    store,
    vscode.workspace.onDidSaveTextDocument(
      async document => await waiting.get(document.uri.toString())?.(document.getText()),
    ),
  );
  own(
    store,
    vscode.workspace.onDidCloseTextDocument(({ uri }) => void waiting.delete(uri.toString())),
  );
  return {
    async open(key, { title, disk, studio, base }, done) {
      const name = posix.basename(disk?.fsPath ?? `${title.split('/').at(-1) ?? 'script'}.luau`);
      const output = vscode.Uri.joinPath(storage, 'merge', key, name);
      await vscode.workspace.fs.writeFile(output, new TextEncoder().encode(base?.text ?? ''));
      waiting.set(output.toString(), done);
      const side = (label: string, text: string | undefined) => ({
        uri: documents.put(`/${key}/${label}/${name}`, text ?? ''),
        title: label,
      });
      // The command that VS Code's own git support uses; there is no public one.
      await vscode.commands.executeCommand('_open.mergeEditor', {
        base: documents.put(`/${key}/HEAD/${name}`, base?.text ?? ''),
        input1: side('Studio', studio?.text),
        input2: side('Disk', disk?.text),
        output,
      });
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
