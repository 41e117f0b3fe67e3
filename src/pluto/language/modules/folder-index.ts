import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf, joinPath, nameOf, PROJECT_FOLDER } from '../../../base/project-path.ts';
import type { FileSystem } from '../../../ports/file-system.ts';

/** One folder as the language sees it. */
export interface ModuleFolder {
  /** Source files by stem; `.pluto` takes precedence over `.pt`. In byte order of the names. */
  readonly modules: ReadonlyMap<string, ProjectPath>;
  /** `.pt` files that are a view of a `.pluto` in the same folder. */
  readonly views: ReadonlySet<ProjectPath>;
  readonly folders: ReadonlySet<string>;
  readonly manifest: ProjectPath | undefined;
  /** Whether the folder is the root of a repository, where the search for a manifest stops. */
  readonly isRepository: boolean;
}

/** All folders of a project, by path. */
export type FolderIndex = ReadonlyMap<ProjectPath, ModuleFolder>;

/** The folder of vendored packages, in the project folder. */
export const VENDORED = '.deps';

/** Reads all folders, except `node_modules` and those whose name starts with a dot (other than `.deps` of the project). */
export async function scanFolders(files: FileSystem, signal: AbortSignal): Promise<FolderIndex> {
  const index = new Map<ProjectPath, ModuleFolder>();
  const waiting: ProjectPath[] = [PROJECT_FOLDER];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted();
    const found = await readFolder(files, folder);
    index.set(folder, found);
    for (const name of found.folders) waiting.push(joinPath(folder, name));
  }
  return index;
}

/** Reads one folder without its subfolders. */
export async function readFolder(files: FileSystem, folder: ProjectPath): Promise<ModuleFolder> {
  const modules = new Map<string, ProjectPath>();
  const views = new Set<ProjectPath>();
  const folders = new Set<string>();
  let manifest: ProjectPath | undefined;
  let isRepository = false;
  for (const { name, kind, target } of await files.list(folder)) {
    const path = joinPath(folder, name);
    if (name === '.git') isRepository = true;
    if (kind === 'directory') {
      const isHidden = name.startsWith('.') && !(folder === PROJECT_FOLDER && name === VENDORED);
      if (!isHidden && name !== 'node_modules') folders.add(name);
      continue;
    }
    if (kind !== 'file' || isLinkToOtherKind(path, target)) continue;
    if (name === 'pluto.toml') manifest = path;
    const stem = /^([^.].*)\.(?:pluto|pt)$/.exec(name)?.[1];
    if (stem === undefined) continue;
    // `a.pluto` comes before `a.pt` in byte order.
    if (modules.has(stem)) views.add(path);
    else modules.set(stem, path);
  }
  return { modules, views, folders, manifest, isRepository };
}

/**
 * Whether a file is a link to one with another extension. The project ignores such a link: a tool that reads or writes modules and
 * views would reach files of any kind through it, such as keys.
 */
export const isLinkToOtherKind = (path: ProjectPath, target: ProjectPath | undefined): boolean =>
  target !== undefined && extensionOf(target) !== extensionOf(path);

const extensionOf = (path: ProjectPath): string => /\.[^./]*$/.exec(nameOf(path))?.[0] ?? '';

/** Every module file of the project, sorted by path. */
export const moduleFiles = (index: FolderIndex): readonly ProjectPath[] =>
  Array.from(index.values(), ({ modules }) => Array.from(modules.values()))
    .flat()
    .toSorted((a, b) => (a < b ? -1 : 1));

/** Adds modules that are in memory and not on disk yet. A `.pt` in the same folder as a new `.pluto` becomes its view. */
export function withModules(index: FolderIndex, paths: Iterable<ProjectPath>): FolderIndex {
  const folders = new Map<ProjectPath, ModuleFolder>(index);
  for (const path of paths) {
    const folder = folderOf(path);
    const here = folders.get(folder) ?? NO_FOLDER;
    const was = here.modules.get(stemOf(path));
    const modules = new Map(here.modules).set(stemOf(path), path);
    const names = Array.from(modules).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const views = was === undefined || was === path ? here.views : new Set([...here.views, was]);
    folders.set(folder, { ...here, modules: new Map(names), views });
    for (let below = folder; below !== PROJECT_FOLDER; below = folderOf(below)) {
      const above = folders.get(folderOf(below)) ?? NO_FOLDER;
      folders.set(folderOf(below), { ...above, folders: new Set(above.folders).add(nameOf(below)) });
    }
  }
  return folders;
}

const NO_FOLDER: ModuleFolder = {
  modules: new Map(),
  views: new Set(),
  folders: new Set(),
  manifest: undefined,
  isRepository: false,
};

/** The name of a module file without its extension, as in an import. */
export const stemOf = (path: ProjectPath): string => nameOf(path).replace(/\.(?:pluto|pt)$/, '');
