import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { DiffTexts } from '../../ports/review-surface.ts';
import type { SidePair } from '../../protocol/review.ts';
import { type SideLabels, sideLabels } from './side-labels.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';

/** Both sides of a change in VS Code's own diff editor: Studio left, disk right. */
export interface DiffDocuments extends Disposable {
  /** Resolves once VS Code has opened the editor. `key` tells changes apart whose names are the same. */
  open(key: string, texts: DiffTexts, column: vscode.ViewColumn, pair: SidePair): Promise<OpenedDiff>;
  /** Shows newer texts in the editor that `open` has opened with that key. */
  refresh(key: string, texts: DiffTexts, pair: SidePair): void;
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

  const putLeft = (key: string, texts: DiffTexts, words: SideLabels): vscode.Uri =>
    documents.put(`/${key}/${words.left}/${nameOf(texts, words)}`, texts.studio?.text ?? '');
  const putRight = (key: string, texts: DiffTexts, words: SideLabels): vscode.Uri =>
    documents.put(`/${key}/${words.right}/${nameOf(texts, words)}`, texts.disk?.text ?? '');

  return {
    async open(key, texts, column, pair) {
      const { title, disk } = texts;
      const words = sideLabels(pair, vscode.l10n);
      const left = putLeft(key, texts, words);
      const file = disk?.fsPath == null ? undefined : await fileWith(disk.fsPath, disk.text);
      const right = file ?? putRight(key, texts, words);
      const options: vscode.TextDocumentShowOptions = { preview: false, viewColumn: column };
      const tab = words.tab(title.split('/').at(-1) ?? title);
      await vscode.commands.executeCommand('vscode.diff', left, right, tab, options);
      return { left, right };
    },
    refresh(key, texts, pair) {
      const words = sideLabels(pair, vscode.l10n);
      putLeft(key, texts, words);
      putRight(key, texts, words);
    },
    [Symbol.dispose]: () => documents[Symbol.dispose](),
  };
}

/** What tabs show, and what the language is taken from. */
const nameOf = ({ title, disk }: DiffTexts, { extension }: SideLabels): string =>
  posix.basename(disk?.fsPath ?? `${title.split(/[/.]/).at(-1) ?? 'script'}.${extension}`);

/** Line ends and a byte-order mark do not make another text: Studio knows neither. */
const sameText = (a: string, b: string): boolean => normal(a) === normal(b);
const normal = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
