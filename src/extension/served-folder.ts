import { join } from 'node:path';
import * as vscode from 'vscode';
import { firstThere, projectReach } from '../adapters/fs/project-reach.ts';
import { chosenFolderKey, findProjectFolder, type ProjectFolder } from '../vscode/project-folder.ts';
import type { ProjectPath } from '../base/brand.ts';
import { foldersAbove } from '../project/project-file/folders-above.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';

/** Where the paths of a project begin, and which file it is. */
export interface ProjectLocation {
  readonly root: vscode.Uri;
  /** `undefined`: the one that the folder's default names find. */
  readonly projectFile: ProjectPath | undefined;
}

/** The folder of this window that has the bridge. Its two folders are the same for most projects. */
export interface ServedFolder {
  /** Where the paths of the project begin; `undefined` as long as `find` has found none. */
  readonly root: () => vscode.Uri | undefined;
  /** Where the project file is; `undefined` as long as `find` has found none. */
  readonly projectFolder: () => vscode.Uri | undefined;
  /** Where the project file is, or would be: looked for when nothing is served yet. */
  readonly candidateFolder: () => Promise<vscode.Uri | undefined>;
  /** Looks for the folder to serve and takes it; `undefined` without any folder on disk. */
  readonly find: () => Promise<ProjectLocation | undefined>;
}

export function createServedFolder(state: vscode.Memento): ServedFolder {
  let root: vscode.Uri | undefined;
  let projectFolder: vscode.Uri | undefined;
  const findChosen = () => findProjectFolder(state.get<string>(chosenFolderKey));
  return {
    root: () => root,
    projectFolder: () => projectFolder,
    candidateFolder: async () => projectFolder ?? (await findChosen())?.uri,
    async find() {
      const found = await findChosen();
      const reach = found && (await locateProject(found));
      root = reach?.root;
      projectFolder = found?.uri;
      return reach;
    },
  };
}

/** The project's own folder, or one above it in the workspace where its paths lead there. */
async function locateProject({ uri, workspace }: ProjectFolder): Promise<ProjectLocation> {
  const name = await firstThere(uri.fsPath, defaultProjectNames());
  const file = name === undefined ? undefined : join(uri.fsPath, name);
  const reach = file && (await projectReach(file, foldersAbove, workspace.fsPath));
  return !reach || reach.folder === uri.fsPath
    ? { root: uri, projectFile: undefined }
    : { root: vscode.Uri.file(reach.folder), projectFile: reach.projectFile };
}
