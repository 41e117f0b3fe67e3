import * as vscode from 'vscode';
import { commandIds } from './command-ids.ts';

/** `Atlas Bridge: Open Guides`: the documentation that ships with the extension, as pages whose links lead on. Answers the file of the first. */
export function registerGuides(extension: vscode.Uri): Disposable {
  const index = vscode.Uri.joinPath(extension, 'docs', 'README.md');
  const registered = vscode.commands.registerCommand(commandIds.openGuides, async () => {
    await vscode.commands.executeCommand('markdown.showPreview', index);
    return index.fsPath;
  });
  return { [Symbol.dispose]: () => void registered.dispose() };
}
