import { areTextsEqual } from '../../../base/line-ends.ts';
import { isScriptClass } from '../../../protocol/script-class.ts';
import { nameOfPath } from '../../../protocol/path-name.ts';
import * as vscode from 'vscode';
import { propertyLines } from '../../../protocol/value-text.ts';
import { showDiff } from '../../../vscode/safe-window.ts';
import { createVirtualDocuments } from '../../../vscode/virtual-documents.ts';
import type { PendingChange } from '../../pending-changes.ts';
import type { SyncEngine } from '../../sync-engine.ts';

/** Shows a change outside a review: Studio on the left, disk on the right. */
export interface ChangeDiffs extends Disposable {
  /** `false` if the change has no text on either side. @throws AppError when Studio cannot be read */
  show(
    change: PendingChange,
    folder: vscode.Uri | undefined,
    engine: SyncEngine,
    options: vscode.TextDocumentShowOptions,
  ): Promise<boolean>;
}

export function createChangeDiffs(): ChangeDiffs {
  const documents = createVirtualDocuments('atlas-compared');
  return {
    async show(change, folder, engine, options) {
      const { id, path, patchType, fsPath, className, properties = {} } = change;
      const put = (side: string, text: string, extension: string): vscode.Uri =>
        documents.put(`/${side}/${path}${extension}`, text);
      const open = async (left: vscode.Uri, right: vscode.Uri): Promise<true> => {
        const title = vscode.l10n.t('{0} (Studio ↔ disk)', nameOfPath(change));
        await showDiff(left, right, title, { preview: true, ...options });
        return true;
      };
      const isFile = folder !== undefined && fsPath !== null && /\.luau?$/.test(fsPath);
      const isText = isScriptClass(className) && (isFile || fsPath === null);
      const isSame = async (): Promise<boolean> => {
        if (!isFile || Object.keys(properties).length === 0) return false;
        const { source } = await engine.readScript({ id, fromDraft: false }, new AbortController().signal);
        const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, fsPath));
        return areTextsEqual(new TextDecoder().decode(bytes), source);
      };
      if (isText && !(patchType === 'Edit' && (await isSame()))) {
        const inStudio =
          patchType === 'Add'
            ? ''
            : (await engine.readScript({ id, fromDraft: false }, new AbortController().signal)).source;
        const right = isFile ? vscode.Uri.joinPath(folder, fsPath) : put('disk', '', '.luau');
        return await open(put('Studio', inStudio, '.luau'), right);
      }
      if (Object.keys(properties).length === 0) return false;
      const [inStudio, onDisk] = [propertyLines(properties, 'current'), propertyLines(properties, 'incoming')];
      return await open(put('Studio', inStudio, ''), put('disk', onDisk, ''));
    },
    [Symbol.dispose]: () => documents[Symbol.dispose](),
  };
}
