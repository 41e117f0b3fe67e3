import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { CONTAINER_SCHEME, LANGUAGE_ID } from './schemes.ts';

const HINT = /^[ \t]*\/\/ @(?:uuid|generated-from): \S+.*$/gm;

/** Dims the lines that a view adds, except in high-contrast themes. */
export function dimHints(): Disposable {
  const store = new DisposableStore();
  const dimmed = addDisposable(store, vscode.window.createTextEditorDecorationType({ opacity: '0.45' }));
  const isContrast = (): boolean => {
    const { kind } = vscode.window.activeColorTheme;
    return kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
  };
  const show = (editor: vscode.TextEditor): void => {
    const { document } = editor;
    const isView = document.languageId === LANGUAGE_ID && ['file', CONTAINER_SCHEME].includes(document.uri.scheme);
    if (!isView) return;
    const found = isContrast() ? [] : Array.from(document.getText().matchAll(HINT));
    const ranges = found.map(({ index, 0: line }) => {
      const start = document.positionAt(index);
      return new vscode.Range(start, start.translate(0, line.length));
    });
    editor.setDecorations(dimmed, ranges);
  };
  const showAll = (): void => vscode.window.visibleTextEditors.forEach(show);
  addDisposable(store, vscode.window.onDidChangeVisibleTextEditors(showAll));
  addDisposable(store, vscode.window.onDidChangeActiveColorTheme(showAll));
  addDisposable(
    store,
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      for (const editor of vscode.window.visibleTextEditors) if (editor.document === document) show(editor);
    }),
  );
  showAll();
  return store;
}
