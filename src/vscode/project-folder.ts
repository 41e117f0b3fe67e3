import * as vscode from 'vscode';

/** A folder that a bridge may serve, and whether a project file lies in it already. */
export interface ProjectFolder {
  readonly uri: vscode.Uri;
  /** The workspace folder that it is, or lies in. */
  readonly workspace: vscode.Uri;
  readonly hasProject: boolean;
}

/** Where the workspace keeps which of its folders a person has chosen to serve. */
export const chosenFolderKey = 'atlas.servedFolder';

/**
 * The folder to serve: the one that was chosen, while it is there; else the first workspace folder that holds a project file, itself or
 * one level down; else the first workspace folder, where one may still appear. `undefined` without a workspace folder on disk.
 */
export async function findProjectFolder(chosen?: string): Promise<ProjectFolder | undefined> {
  const found = await findProjectFolders();
  return found.find(({ uri }) => uri.toString() === chosen) ?? found.find(({ hasProject }) => hasProject) ?? found[0];
}

/** Every folder that could be served: with project files, in the order of the workspace, and workspace folders without any. */
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

/** The name of its workspace folder, and the way from there. */
export function folderLabel(uri: vscode.Uri): string {
  const workspace = vscode.workspace.getWorkspaceFolder(uri);
  if (workspace === undefined) return uri.path.split('/').at(-1) ?? uri.path;
  const below = vscode.workspace.asRelativePath(uri, false);
  return workspace.uri.toString() === uri.toString() ? workspace.name : `${workspace.name}/${below}`;
}

const byPath = (a: vscode.Uri, b: vscode.Uri): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
