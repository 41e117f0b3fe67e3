import * as vscode from 'vscode';

/** A folder that the bridge can serve, and whether it has a project file. */
export interface ProjectFolder {
  readonly uri: vscode.Uri;
  /** The workspace folder that is or contains `uri`. */
  readonly workspace: vscode.Uri;
  readonly hasProject: boolean;
}

/** The workspace state key of the folder that the user chose to serve. */
export const chosenFolderKey = 'atlas.servedFolder';

/**
 * Finds the folder to serve: the chosen one if it exists; otherwise the first folder with a project file, at the top of a workspace folder
 * or one level down; otherwise the first workspace folder. `undefined` if the workspace has no folder on disk.
 */
export async function findProjectFolder(chosen?: string): Promise<ProjectFolder | undefined> {
  const found = await findProjectFolders();
  return found.find(({ uri }) => uri.toString() === chosen) ?? found.find(({ hasProject }) => hasProject) ?? found[0];
}

/** Lists every folder that can be served, in workspace order: folders with project files, and workspace folders without one. */
export async function findProjectFolders(): Promise<readonly ProjectFolder[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
  const found = await Promise.all(folders.map(projectsIn));
  return found.flat();
}

async function projectsIn(folder: vscode.WorkspaceFolder): Promise<readonly ProjectFolder[]> {
  for (const pattern of ['*.project.{json,json5,jsonc}', '*/*.project.{json,json5,jsonc}']) {
    const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), '**/node_modules/**');
    const uris = new Map(files.map(file => vscode.Uri.joinPath(file, '..')).map(uri => [uri.toString(), uri]));
    if (uris.size > 0)
      return Array.from(uris.values())
        .toSorted(byPath)
        .map(uri => ({ uri, workspace: folder.uri, hasProject: true }));
  }
  return [{ uri: folder.uri, workspace: folder.uri, hasProject: false }];
}

/** The name of the workspace folder, followed by the relative path. */
export function folderLabel(uri: vscode.Uri): string {
  const workspace = vscode.workspace.getWorkspaceFolder(uri);
  if (workspace === undefined) return uri.path.split('/').at(-1) ?? uri.path;
  const below = vscode.workspace.asRelativePath(uri, false);
  return workspace.uri.toString() === uri.toString() ? workspace.name : `${workspace.name}/${below}`;
}

const byPath = (a: vscode.Uri, b: vscode.Uri): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
