import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findFirstExisting, projectReach } from '../adapters/fs/project-reach.ts';
import { chosenFolderKey, findProjectFolders, keyOfProject, type ProjectFolder } from '../vscode/project-folder.ts';
import type { ProjectPath } from '../base/brand.ts';
import { foldersAbove } from '../project/project-file/folders-above.ts';
import { defaultProjectNames } from '../project/project-file/project-names.ts';
import { type ListedPlaces, placesOf, type ProjectPlaces } from '../project/project-file/listed-places.ts';
import { errorCode, ifFound } from '../base/errno.ts';
import { AppError } from '../base/errors.ts';
import { err, type Result } from '../base/result.ts';
import { type UnservedProject, unreadableFolders } from '../vscode/unserved-projects.ts';

/** The root folder of a project's paths, and its project file. */
export interface ProjectLocation {
  readonly root: vscode.Uri;
  /** `undefined`: the default project file of `root`. */
  readonly projectFile: ProjectPath | undefined;
  /** The folder of the project file. */
  readonly folder: vscode.Uri;
  /** The name of the project file; `undefined`: the default one. */
  readonly file: string | undefined;
  /** Identifies the project in this workspace (`keyOfProject`). */
  readonly key: string;
  /** The path of the project file in the window. */
  readonly label: string;
}

/** A project that is served beside the active one, with its places. */
export interface OtherProject {
  readonly location: ProjectLocation;
  readonly places: ListedPlaces;
}

/** The projects beside the active one. */
export interface OtherProjects {
  readonly served: readonly OtherProject[];
  /** Those that cannot be served now. */
  readonly unserved: readonly UnservedProject[];
}

/** The projects of this window. `root` and `projectFolder` are those of the active project, and the same for most projects. */
export interface ServedFolder {
  /** The root folder of the project's paths; `undefined` until `find` has found one. */
  readonly root: () => vscode.Uri | undefined;
  /** The folder of the project file; `undefined` until `find` has found one. */
  readonly projectFolder: () => vscode.Uri | undefined;
  /** The folder where the project file is or would be created. Searches if no folder is served yet. */
  readonly candidateFolder: () => Promise<vscode.Uri | undefined>;
  /**
   * Finds the project to show first and switches to it, and the others; `undefined` if the workspace has no folder on disk.
   *
   * @throws AppError FS_ACCESS_FAILED (no folder can be read)
   */
  readonly find: () => Promise<{ readonly location: ProjectLocation; readonly others: OtherProjects } | undefined>;
  /** Switches to a project, which the window shows first from now on. */
  readonly use: (location: ProjectLocation) => void;
  /** Finds the projects beside `active`. */
  readonly others: (active: ProjectLocation) => Promise<OtherProjects>;
}

/** Maximum number of projects that a window serves. Studio searches 21 ports for bridges. */
const MAX_PROJECTS = 8;

export function createServedFolder(state: vscode.Memento): ServedFolder {
  let current: ProjectLocation | undefined;
  const choose = async (found: readonly ProjectFolder[]): Promise<ProjectFolder | undefined> => {
    const chosen = state.get<string>(chosenFolderKey);
    const readable = found.filter(one => one.failure === undefined);
    return readable.find(one => keyOfProject(one) === chosen) ?? (await firstProject(readable)) ?? found[0];
  };
  return {
    root: () => current?.root,
    projectFolder: () => current?.folder,
    candidateFolder: async () => current?.folder ?? (await choose(await findProjectFolders()))?.uri,
    async find() {
      const found = await findProjectFolders();
      const chosen = await choose(found);
      if (chosen?.failure !== undefined)
        throw new AppError('FS_ACCESS_FAILED', { file: chosen.uri.fsPath, reason: chosen.failure });
      current = chosen && (await locateProject(chosen));
      return current && { location: current, others: await otherProjects(found, current) };
    },
    use(location) {
      current = location;
      void state.update(chosenFolderKey, location.key);
    },
    others: async active => otherProjects(await findProjectFolders(), active),
  };
}

async function otherProjects(found: readonly ProjectFolder[], active: ProjectLocation): Promise<OtherProjects> {
  const others = found.filter(one => one.hasProject && keyOfProject(one) !== active.key);
  const projects = await Promise.all(others.map(one => otherProject(one, found)));
  const served = projects.flatMap(one => (one !== undefined && 'places' in one ? [one] : []));
  const tooMany = served.slice(MAX_PROJECTS - 1).map(({ location }) => unservedProject(location));
  return {
    served: served.slice(0, MAX_PROJECTS - 1),
    unserved: [
      ...projects.flatMap(one => (one !== undefined && 'error' in one ? [one] : [])),
      ...tooMany,
      ...unreadableFolders(found).filter(({ key }) => key !== active.key),
    ],
  };
}

const unservedProject = (
  { key, label, folder }: ProjectLocation,
  error?: UnservedProject['error'],
): UnservedProject => ({ key, label, file: vscode.Uri.joinPath(folder, label.split('/').at(-1) ?? ''), error });

/** The first project with a default file; else the first file that describes a place; else the first one with an error. */
async function firstProject(found: readonly ProjectFolder[]): Promise<ProjectFolder | undefined> {
  const usual = found.find(one => one.hasProject && one.file === undefined);
  if (usual !== undefined) return usual;
  let broken: ProjectFolder | undefined;
  for (const one of found) {
    const read = await readPlaces(one);
    if (read?.ok === true && read.value.isPlace) return one;
    if (read?.ok === false) broken ??= one;
  }
  const [first] = found;
  return broken ?? (first && { ...first, file: undefined });
}

/**
 * A project of a place: the default one of its folder, one that names its places, or any if its folder has no default one. Others, such as
 * projects for tests and models, are served only when a person chooses them. A file with an error may describe any of them.
 */
async function otherProject(
  one: ProjectFolder,
  found: readonly ProjectFolder[],
): Promise<OtherProject | UnservedProject | undefined> {
  const folder = one.uri.toString();
  const hasDefault = found.some(({ uri, file }) => file === undefined && uri.toString() === folder);
  const read = await readPlaces(one);
  if (read?.ok === false) return unservedProject(await locateProject(one), read.error);
  if (read?.value.isPlace !== true) return undefined;
  const { places } = read.value;
  const namesPlaces = places.servePlaceIds !== undefined || places.placeId !== undefined;
  if (one.file !== undefined && hasDefault && !namesPlaces) return undefined;
  return { location: await locateProject(one), places };
}

/** `undefined`: the folder has no project file. */
async function readPlaces(
  one: ProjectFolder,
): Promise<Result<ProjectPlaces, NonNullable<UnservedProject['error']>> | undefined> {
  const name = await fileName(one);
  if (name === undefined) return undefined;
  try {
    const text = await ifFound(readFile(join(one.uri.fsPath, name), 'utf8'));
    const fallback = one.file?.replace(/\.project\.json[5c]?$/, '') ?? one.uri.path.split('/').at(-1) ?? '';
    return text === undefined ? undefined : placesOf(text, fallback);
  } catch (error) {
    const code = errorCode(error);
    // Anything without a code is a bug.
    if (code === undefined) throw error;
    return err({ line: 1, column: 1, expected: `a readable file, not ${code}` });
  }
}

const fileName = async ({ uri, file }: ProjectFolder): Promise<string | undefined> =>
  file ?? (await findFirstExisting(uri.fsPath, defaultProjectNames()));

/** Uses a parent folder as the root if paths of the project lead outside its folder. */
async function locateProject(project: ProjectFolder): Promise<ProjectLocation> {
  const { uri, workspace } = project;
  const name = await fileName(project);
  const file = name === undefined ? undefined : join(uri.fsPath, name);
  const reach = file && (await projectReach(file, foldersAbove, workspace.fsPath));
  const isAtRoot = !reach || reach.folder === uri.fsPath;
  return {
    root: isAtRoot ? uri : vscode.Uri.file(reach.folder),
    projectFile: isAtRoot ? (project.file as ProjectPath | undefined) : reach.projectFile,
    folder: uri,
    file: project.file,
    key: keyOfProject(project),
    label: vscode.workspace.asRelativePath(name === undefined ? uri : vscode.Uri.joinPath(uri, name)),
  };
}
