import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import { showOpenDialog } from '../../vscode/file-dialogs.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { statFile } from '../../vscode/stat-file.ts';

/** The name of the new folder. */
const NAME = 'atlas-obby';

/**
 * `Atlas Bridge: Open the Example`: copies the example game into a new folder and opens it in a new window. Returns the path of the
 * folder, or `undefined` if the user chose none.
 *
 * @param target the parent of the new folder; `undefined`: the user chooses it
 * @throws AppError FS_WRITE_FAILED if the parent has a folder of that name
 */
export async function openExample(example: vscode.Uri, target: vscode.Uri | undefined): Promise<string | undefined> {
  const parent = target ?? (await choose());
  if (parent === undefined) return undefined;
  const folder = vscode.Uri.joinPath(parent, NAME);
  try {
    await vscode.workspace.fs.copy(example, folder, { overwrite: false });
  } catch (error) {
    if (!(error instanceof vscode.FileSystemError) || error.code !== 'FileExists') throw error;
    // The folder of an earlier call has edits of the user, so it is opened as it is.
  }
  const project = vscode.Uri.joinPath(folder, 'default.project.json');
  if ((await statFile(project)) === undefined)
    throw new AppError('FS_WRITE_FAILED', {
      file: folder.fsPath,
      reason: 'a folder with this name exists',
      isOccupied: true,
    });
  const open = vscode.l10n.t('Open Example');
  // Commands of agents and tests name the folder, and open it themselves.
  if (target !== undefined) return folder.fsPath;
  void safeWindow
    .showInformationMessage(vscode.l10n.t('The example was written to {0}.', folder.fsPath), open)
    .then(pressed =>
      pressed === open ? vscode.commands.executeCommand('vscode.openFolder', folder, true) : undefined,
    );
  return folder.fsPath;
}

async function choose(): Promise<vscode.Uri | undefined> {
  const chosen = await showOpenDialog({
    title: vscode.l10n.t('Atlas Bridge: Open the Example'),
    button: vscode.l10n.t('Write the Example Here'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  return chosen?.[0];
}
