import { join } from 'node:path';
import * as vscode from 'vscode';
import { firstThere, projectReach } from '../adapters/fs/project-reach.ts';
import { chosenFolderKey, findProjectFolder, type ProjectFolder } from '../vscode/project-folder.ts';
import type { ProjectPath } from '../base/brand.ts';
import { foldersAbove } from '../project/project-file/folders-above.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';

/** The root folder of a project's paths, and its project file. */
export interface ProjectLocation {
  readonly root: vscode.Uri;
  /** `undefined`: the default project file of `root`. */
  readonly projectFile: ProjectPath | undefined;
}

/** The folder that the bridge of this window serves. `root` and `projectFolder` are the same for most projects. */
export interface ServedFolder {
  /** The root folder of the project's paths; `undefined` until `find` has found one. */
  readonly root: () => vscode.Uri | undefined;
  /** The folder of the project file; `undefined` until `find` has found one. */
  readonly projectFolder: () => vscode.Uri | undefined;
  /** The folder where the project file is or would be created. Searches if no folder is served yet. */
  readonly candidateFolder: () => Promise<vscode.Uri | undefined>;
  /** Finds the folder to serve and switches to it; `undefined` if the workspace has no folder on disk. */
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
      const location = found && (await locateProject(found));
      root = location?.root;
      projectFolder = found?.uri;
      return location;
    },
  };
}

/** Uses a parent folder as the root if paths of the project lead outside its folder. */
async function locateProject({ uri, workspace }: ProjectFolder): Promise<ProjectLocation> {
  const name = await firstThere(uri.fsPath, defaultProjectNames());
  const file = name === undefined ? undefined : join(uri.fsPath, name);
  const reach = file && (await projectReach(file, foldersAbove, workspace.fsPath));
  return !reach || reach.folder === uri.fsPath
    ? { root: uri, projectFile: undefined }
    : { root: vscode.Uri.file(reach.folder), projectFile: reach.projectFile };
}
