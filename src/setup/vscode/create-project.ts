import { basename } from 'node:path';
import * as vscode from 'vscode';
import { projectFiles } from '../project-templates.ts';
import { type CreateFile, writeNewProject } from '../write-new-project.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { statFile } from '../../vscode/stat-file.ts';

const PROJECT_FILE = 'default.project.json';

/** Default project files; creating a second one would hide the first. */
const projectFileNames = ['default.project.json5', PROJECT_FILE, 'default.project.jsonc'];

/**
 * `Atlas Bridge: Create Project File`: writes the files of a new place, whose scripts run as they are. A folder that has files gets
 * the project file and its folders. Never overwrites a file. Returns the path of the new project file; `undefined` if there is no folder, or one already.
 *
 * @param createFile takes an absolute path
 */
export async function createProject(
  folderOf: () => Promise<vscode.Uri | undefined>,
  createFile: CreateFile,
): Promise<string | undefined> {
  const folder = await folderOf();
  if (folder === undefined) {
    void safeWindow.showWarningMessage(vscode.l10n.t('Open a folder first.'));
    return undefined;
  }
  for (const name of projectFileNames) {
    const existing = vscode.Uri.joinPath(folder, name);
    if (!(await exists(existing))) continue;
    await vscode.window.showTextDocument(existing);
    return undefined;
  }
  const isEmpty = (await vscode.workspace.fs.readDirectory(folder)).every(([name]) => isIncidental(name));
  const files = Object.entries(projectFiles('place', basename(folder.path)));
  const written = isEmpty ? files : files.filter(([name]) => projectFileNames.includes(name));
  for (const [name] of files)
    if (!isEmpty && name.startsWith('src/'))
      await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(folder, name, '..'));
  const { created } = await writeNewProject(written, projectFileNames, (name, text) =>
    createFile(vscode.Uri.joinPath(folder, name).fsPath, text),
  );
  const file = vscode.Uri.joinPath(folder, PROJECT_FILE);
  await vscode.window.showTextDocument(file);
  return created.includes(PROJECT_FILE) ? file.fsPath : undefined;
}

/** Whether a new repository may have the file before it has a project: a hidden file, a readme or a license. */
const isIncidental = (name: string): boolean => name.startsWith('.') || /^(?:readme|license)(?:\.\w+)?$/i.test(name);

/** An unreadable file rejects: it exists, so it must not be replaced. */
const exists = async (file: vscode.Uri): Promise<boolean> => (await statFile(file)) !== undefined;
