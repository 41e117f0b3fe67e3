import * as vscode from 'vscode';
import { describeCause } from '../base/describe-cause.ts';
import { projectFilesBelow, projectFilesIn } from './project-files.ts';

/** A project that the window can serve, or a folder without one. */
export interface ProjectFolder {
  /** The folder of the project file. */
  readonly uri: vscode.Uri;
  /** The name of the project file; `undefined`: the default one of the folder, or none. */
  readonly file: string | undefined;
  /** The workspace folder that is or contains `uri`. */
  readonly workspace: vscode.Uri;
  readonly hasProject: boolean;
  /** Why the folder cannot be read; it may have a project. */
  readonly failure?: string;
}

/** The workspace state key of the project that the window showed last. */
export const chosenFolderKey = 'atlas.servedFolder';

/** Identifies the project of a folder: the URI of the folder, or that of a file without a default name. */
export const keyOfProject = ({ uri, file }: Pick<ProjectFolder, 'uri' | 'file'>): string =>
  (file === undefined ? uri : vscode.Uri.joinPath(uri, file)).toString();

/** Lists every project, in workspace order: that of the default file of a folder first. A workspace folder without one, or that cannot be read, is listed too. */
export async function findProjectFolders(): Promise<readonly ProjectFolder[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
  const found = await Promise.all(
    folders.map(folder =>
      projectsIn(folder).catch((error: unknown) => [{ ...without(folder.uri), failure: describeCause(error) }]),
    ),
  );
  return found.flat();
}

/** At the top of the workspace folder, or else one level down. */
async function projectsIn(folder: vscode.WorkspaceFolder): Promise<readonly ProjectFolder[]> {
  for (const find of [projectFilesIn, projectFilesBelow]) {
    const files = await find(folder.uri);
    const byFolder = Map.groupBy(files.toSorted(byPath), file => vscode.Uri.joinPath(file, '..').toString());
    if (byFolder.size === 0) continue;
    return Array.from(byFolder.values())
      .map(all => ({ uri: vscode.Uri.joinPath(all[0] ?? folder.uri, '..'), names: all.map(nameOf) }))
      .toSorted((a, b) => byPath(a.uri, b.uri))
      .flatMap(({ uri, names }) => {
        const others = names.filter(name => !isDefault(name));
        const listed = others.length < names.length ? [undefined, ...others] : others;
        return listed.map(file => ({ uri, file, workspace: folder.uri, hasProject: true }));
      });
  }
  return [without(folder.uri)];
}

const without = (uri: vscode.Uri): ProjectFolder => ({ uri, file: undefined, workspace: uri, hasProject: false });

/** The name of the workspace folder, followed by the relative path. */
export function folderLabel(uri: vscode.Uri): string {
  const workspace = vscode.workspace.getWorkspaceFolder(uri);
  if (workspace === undefined) return nameOf(uri);
  const below = vscode.workspace.asRelativePath(uri, false);
  return workspace.uri.toString() === uri.toString() ? workspace.name : `${workspace.name}/${below}`;
}

const nameOf = ({ path }: vscode.Uri): string => path.split('/').at(-1) ?? path;
const isDefault = (name: string): boolean => /^default\.project\.json[5c]?$/.test(name);
const byPath = (a: vscode.Uri, b: vscode.Uri): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
