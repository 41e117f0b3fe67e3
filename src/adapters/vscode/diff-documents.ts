import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { DiffTexts } from '../../ports/review-surface.ts';
import { createVirtualDocuments } from './virtual-documents.ts';

/** Studio's side of a change in VS Code's own diff editor: Studio left, disk right. */
export interface DiffDocuments extends Disposable {
  /** Resolves once VS Code has opened the editor. `key` tells changes apart whose names are the same. */
  open(key: string, texts: DiffTexts, column: vscode.ViewColumn): Promise<OpenedDiff>;
  /** Shows newer texts in the editor that `open` has opened with that key. */
  refresh(key: string, texts: DiffTexts): void;
}

export interface OpenedDiff {
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
}

/** `folder` is what `fsPath` of a change is relative to. */
export function createDiffDocuments(folder: () => vscode.Uri | undefined): DiffDocuments {
  const documents = createVirtualDocuments('atlas-studio');

  /** The file itself, so that it can be edited there, but only while it holds the text that was compared. */
  const fileWith = async (fsPath: string, text: string): Promise<vscode.Uri | undefined> => {
    const root = folder();
    if (root === undefined) return undefined;
    const file = vscode.Uri.joinPath(root, fsPath);
    try {
      const now = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      return sameText(now, text) ? file : undefined;
    } catch {
      // Gone or not readable: the text that was compared is shown instead.
      return undefined;
    }
  };

  return {
    async open(key, texts, column) {
      const { title, disk, studio } = texts;
      const name = nameOf(texts);
      const left = documents.put(`/${key}/Studio/${name}`, studio?.text ?? '');
      const file = disk?.fsPath == null ? undefined : await fileWith(disk.fsPath, disk.text);
      const right = file ?? documents.put(`/${key}/Disk/${name}`, disk?.text ?? '');
      const options: vscode.TextDocumentShowOptions = { preview: false, viewColumn: column };
      const tab = vscode.l10n.t('{0} (Studio ↔ disk)', title.split('/').at(-1) ?? title);
      await vscode.commands.executeCommand('vscode.diff', left, right, tab, options);
      return { left, right };
    },
    refresh(key, texts) {
      const name = nameOf(texts);
      documents.put(`/${key}/Studio/${name}`, texts.studio?.text ?? '');
      documents.put(`/${key}/Disk/${name}`, texts.disk?.text ?? '');
    },
    [Symbol.dispose]: () => documents[Symbol.dispose](),
  };
}

/** What tabs show, and what the language is taken from. */
const nameOf = ({ title, disk }: DiffTexts): string =>
  posix.basename(disk?.fsPath ?? `${title.split(/[/.]/).at(-1) ?? 'script'}.luau`);

/** Line ends and a byte-order mark do not make another text: Studio knows neither. */
const sameText = (a: string, b: string): boolean => normal(a) === normal(b);
const normal = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
