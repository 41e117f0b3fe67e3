import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

/** The folders of a minimal project: server, client and shared scripts. */
const folders = ['src/server', 'src/client', 'src/shared'];

/** `Atlas Bridge: Create Project File`. Never overwrites a file. Returns the path of the new file, or `undefined`. */
export function registerCreateProject(folderOf: () => Promise<vscode.Uri | undefined>): Disposable {
  const store = new DisposableStore();
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.createProject, async () => {
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
      const file = vscode.Uri.joinPath(folder, 'default.project.json');
      for (const path of folders) await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(folder, path));
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(projectText(basename(folder.path))));
      await vscode.window.showTextDocument(file);
      return file.fsPath;
    }),
  );
  return store;
}

/** Default project files; creating a second one would hide the first. */
const names = ['default.project.json5', 'default.project.json', 'default.project.jsonc'];

function projectText(name: string): string {
  const project = {
    name,
    tree: {
      $className: 'DataModel',
      ReplicatedStorage: { Shared: { $path: 'src/shared' } },
      ServerScriptService: { Server: { $path: 'src/server' } },
      StarterPlayer: { StarterPlayerScripts: { Client: { $path: 'src/client' } } },
    },
  };
  return `${JSON.stringify(project, null, 2)}\n`;
}

async function exists(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return true;
  } catch {
    return false;
  }
}
