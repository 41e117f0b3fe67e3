import { basename } from 'node:path';
import * as vscode from 'vscode';
import { ifFound } from '../../base/errno.ts';
import { projectFiles } from '../project-templates.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

/** Default project files; creating a second one would hide the first. */
const names = ['default.project.json5', 'default.project.json', 'default.project.jsonc'];

/**
 * `Atlas Bridge: Create Project File`: writes the files of a new place, whose scripts run as they are. A folder that has files gets
 * the project file and its folders. Never overwrites a file. Returns the path of the project file, or `undefined` if there is one already.
 */
export async function createProject(folderOf: () => Promise<vscode.Uri | undefined>): Promise<string | undefined> {
  const folder = await folderOf();
  if (folder === undefined) {
    void safeWindow.showWarningMessage(vscode.l10n.t('Open a folder first.'));
    return undefined;
  }
  for (const name of names) {
    const existing = vscode.Uri.joinPath(folder, name);
    if (!(await exists(existing))) continue;
    await vscode.window.showTextDocument(existing);
    return undefined;
  }
  const isEmpty = (await vscode.workspace.fs.readDirectory(folder)).every(([name]) => isIncidental(name));
  const files = Object.entries(projectFiles('place', basename(folder.path)));
  const isProject = ([name]: readonly [string, string]): boolean => names.includes(name);
  // The project file comes last, so that the bridge finds everything that it names.
  for (const [name, text] of [...files.filter(file => !isProject(file)), ...files.filter(isProject)]) {
    const file = vscode.Uri.joinPath(folder, name);
    if (isEmpty || isProject([name, text])) {
      if (!(await exists(file))) await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
    } else if (name.startsWith('src/')) await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(file, '..'));
  }
  const file = vscode.Uri.joinPath(folder, 'default.project.json');
  await vscode.window.showTextDocument(file);
  return file.fsPath;
}

/** Whether a new repository has it before the first file of a project. */
const isIncidental = (name: string): boolean => name.startsWith('.') || /^(?:readme|license)(?:\.\w+)?$/i.test(name);

/** An unreadable file rejects: it exists, so it must not be replaced. */
const exists = async (file: vscode.Uri): Promise<boolean> =>
  (await ifFound(vscode.workspace.fs.stat(file))) !== undefined;
