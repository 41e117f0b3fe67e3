import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { DiffTexts } from '../../ports/review-surface.ts';
import type { SidePair } from '../../protocol/review.ts';
import { type SideLabels, sideLabels } from './side-labels.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';

/** Shows both sides of a change in VS Code's diff editor: Studio left, disk right. */
export interface DiffDocuments extends Disposable {
  /** Opens the diff editor. `key` distinguishes changes with the same name. */
  open(key: string, texts: DiffTexts, column: vscode.ViewColumn, pair: SidePair): Promise<OpenedDiff>;
  /** Replaces the texts in the editor that was opened with `key`. */
  refresh(key: string, texts: DiffTexts, pair: SidePair): void;
}

export interface OpenedDiff {
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
}

/** @param folder the folder that `fsPath` of a change is relative to */
export function createDiffDocuments(folder: () => vscode.Uri | undefined): DiffDocuments {
  const documents = createVirtualDocuments('atlas-studio');

  /** Returns the file itself, so that it can be edited in the diff, if it still has the compared text. */
  const fileWith = async (fsPath: string, text: string): Promise<vscode.Uri | undefined> => {
    const root = folder();
    if (root === undefined) return undefined;
    const file = vscode.Uri.joinPath(root, fsPath);
    try {
      const now = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      return sameText(now, text) ? file : undefined;
    } catch {
      // Missing or unreadable: show the compared text instead.
      return undefined;
    }
  };

  const putLeft = (key: string, texts: DiffTexts, labels: SideLabels): vscode.Uri =>
    documents.put(`/${key}/${labels.left}/${nameOf(texts, labels)}`, texts.studio?.text ?? '');
  const putRight = (key: string, texts: DiffTexts, labels: SideLabels): vscode.Uri =>
    documents.put(`/${key}/${labels.right}/${nameOf(texts, labels)}`, texts.disk?.text ?? '');

  return {
    async open(key, texts, column, pair) {
      const { title, disk } = texts;
      const labels = sideLabels(pair, vscode.l10n);
      const left = putLeft(key, texts, labels);
      const file = disk?.fsPath == null ? undefined : await fileWith(disk.fsPath, disk.text);
      const right = file ?? putRight(key, texts, labels);
      const options: vscode.TextDocumentShowOptions = { preview: false, viewColumn: column };
      const tab = labels.tab(title.split('/').at(-1) ?? title);
      await vscode.commands.executeCommand('vscode.diff', left, right, tab, options);
      return { left, right };
    },
    refresh(key, texts, pair) {
      const labels = sideLabels(pair, vscode.l10n);
      putLeft(key, texts, labels);
      putRight(key, texts, labels);
    },
    [Symbol.dispose]: () => documents[Symbol.dispose](),
  };
}

/** The file name, from which VS Code takes the tab title and the language. */
const nameOf = ({ title, disk }: DiffTexts, { extension }: SideLabels): string =>
  posix.basename(disk?.fsPath ?? `${title.split(/[/.]/).at(-1) ?? 'script'}.${extension}`);

/** Compares texts without line endings and byte-order mark, because Studio stores neither. */
const sameText = (a: string, b: string): boolean => normal(a) === normal(b);
const normal = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
