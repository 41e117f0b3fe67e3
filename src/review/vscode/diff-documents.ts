import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { DiffTexts } from '../../ports/review-surface.ts';
import type { ReviewStatus } from '../../protocol/review.ts';
import { type SideLabels, sideLabels } from './side-labels.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';
import { showDiff } from '../../vscode/safe-window.ts';

/**
 * Shows both sides of a change in VS Code's diff editor: Studio left, disk right. Both are read-only, because VS Code's own arrows would
 * change the file without a decision, a record or Apply.
 */
export interface DiffDocuments extends Disposable {
  /** Opens the diff editor. `key` distinguishes changes with the same name. */
  open(key: string, texts: DiffTexts, column: vscode.ViewColumn, status: ShownSides): Promise<OpenedDiff>;
  /** Replaces the texts in the editor that was opened with `key`. */
  refresh(key: string, texts: DiffTexts, status: ShownSides): void;
}

/** The facts that the names of the sides depend on. */
export type ShownSides = Pick<ReviewStatus, 'sides' | 'restore'>;

export interface OpenedDiff {
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
  /** The file of the right side; `undefined`: there is none. */
  readonly file: vscode.Uri | undefined;
}

/** @param folder the folder that `fsPath` of a change is relative to */
export function createDiffDocuments(folder: () => vscode.Uri | undefined): DiffDocuments {
  const documents = createVirtualDocuments('atlas-studio');

  const put = (key: string, texts: DiffTexts, labels: SideLabels): Pick<OpenedDiff, 'left' | 'right'> => ({
    left: documents.put(`/${labels.left}/${nameOf(texts, labels)}`, texts.studio?.text ?? '', key),
    right: documents.put(`/${labels.right}/${nameOf(texts, labels)}`, texts.disk?.text ?? '', key),
  });

  return {
    async open(key, texts, column, status) {
      const { title, disk } = texts;
      const labels = sideLabels(status, vscode.l10n);
      const { left, right } = put(key, texts, labels);
      const root = folder();
      const file = disk?.fsPath == null || root === undefined ? undefined : vscode.Uri.joinPath(root, disk.fsPath);
      const options: vscode.TextDocumentShowOptions = { preview: false, viewColumn: column };
      const tab = labels.tab(title);
      await showDiff(left, right, tab, options);
      return { left, right, file };
    },
    refresh(key, texts, status) {
      put(key, texts, sideLabels(status, vscode.l10n));
    },
    [Symbol.dispose]: () => documents[Symbol.dispose](),
  };
}

/** The file name, from which VS Code takes the tab title and the language. */
const nameOf = ({ title, disk }: DiffTexts, { extension }: SideLabels): string =>
  disk?.fsPath == null ? `${title.replaceAll('/', '-')}.${extension}` : posix.basename(disk.fsPath);
