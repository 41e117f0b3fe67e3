import * as vscode from 'vscode';
import { commandIds } from './command-ids.ts';

/** `Atlas Bridge: Open Guides`: opens the bundled documentation as a preview with working links. Returns the path of its first page. */
export function registerGuides(extension: vscode.Uri): Disposable {
  const index = vscode.Uri.joinPath(extension, 'docs', 'README.md');
  const registered = vscode.commands.registerCommand(commandIds.openGuides, async () => {
    await vscode.commands.executeCommand('markdown.showPreview', index);
    return index.fsPath;
  });
  return { [Symbol.dispose]: () => void registered.dispose() };
}
