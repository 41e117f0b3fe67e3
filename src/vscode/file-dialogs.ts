import * as vscode from 'vscode';
import { type SafeLine, safeLine } from '../base/safe-text.ts';

/** The texts of a dialog for files: its purpose, and the label of its button. */
interface Words {
  /** The name of the command: `Build`. */
  readonly title: string;
  /** The label of the button, with a verb: `Open Place`. */
  readonly button: string;
}

/** Asks for existing files or folders, as `vscode.window.showOpenDialog`. */
export function showOpenDialog({
  title,
  button,
  ...options
}: Words & Omit<vscode.OpenDialogOptions, 'title' | 'openLabel'>): Thenable<vscode.Uri[] | undefined> {
  const words: { readonly title: SafeLine; readonly openLabel: SafeLine } = {
    title: safeLine(title),
    openLabel: safeLine(button),
  };
  return vscode.window.showOpenDialog({ ...options, ...words });
}

/** Asks where to write a file, as `vscode.window.showSaveDialog`. VS Code asks before it accepts a file that exists. */
export function showSaveDialog({
  title,
  button,
  ...options
}: Words & Omit<vscode.SaveDialogOptions, 'title' | 'saveLabel'>): Thenable<vscode.Uri | undefined> {
  const words: { readonly title: SafeLine; readonly saveLabel: SafeLine } = {
    title: safeLine(title),
    saveLabel: safeLine(button),
  };
  return vscode.window.showSaveDialog({ ...options, ...words });
}
