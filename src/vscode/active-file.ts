import * as vscode from 'vscode';

/**
 * The file of the active tab; of a diff, the right side. `activeTextEditor` may name the Output panel or an editor that is closing, and
 * nothing for a file that is not text.
 */
export function activeFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** The text editor of the active tab; of a diff, the right side. */
export function activeEditor(): vscode.TextEditor | undefined {
  const file = activeFile()?.toString();
  return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === file);
}
