import * as vscode from 'vscode';

/** A folder that a bridge may serve, and whether a project file lies in it already. */
export interface ProjectFolder {
  readonly uri: vscode.Uri;
  /** The workspace folder that it is, or lies in. */
  readonly workspace: vscode.Uri;
  readonly hasProject: boolean;
}

/**
 * The folder to serve: the first workspace folder that holds a project file, itself or one level down; else the first workspace
 * folder, where one may still appear. `undefined` without a workspace folder on disk.
 */
export async function findProjectFolder(): Promise<ProjectFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
  for (const folder of folders) {
    for (const pattern of ['*.project.{json,json5,jsonc}', '*/*.project.{json,json5,jsonc}']) {
      const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, pattern), '**/node_modules/**');
      const nearest = found.map(file => vscode.Uri.joinPath(file, '..')).toSorted(byPath)[0];
      if (nearest !== undefined) return { uri: nearest, workspace: folder.uri, hasProject: true };
    }
  }
  return folders[0] && { uri: folders[0].uri, workspace: folders[0].uri, hasProject: false };
}

const byPath = (a: vscode.Uri, b: vscode.Uri): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
