import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf, joinPath, nameOf, PROJECT_FOLDER } from '../../../base/project-path.ts';
import type { FileSystem } from '../../../ports/file-system.ts';
import { type ModuleFolder, readFolder, stemOf, VENDORED } from './folder-index.ts';
import type { ModuleState } from './load-module.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { resolveImport, type ResolveContext } from './resolve-import.ts';

/** A file, and the part of its folder that belongs to its module. */
export interface ClosureStart {
  readonly file: ProjectPath;
  readonly withSiblings: boolean;
}

export interface ImportClosure {
  readonly context: ResolveContext;
  /** Unusable manifests with the reason. */
  readonly problems: Map<ProjectPath, string>;
}

/**
 * Finds a module and everything that it imports, directly or indirectly, without reading other folders. In the result, folders list the
 * found modules alone.
 */
export async function findImports(
  files: FileSystem,
  { file, withSiblings }: ClosureStart,
  load: (path: ProjectPath) => Promise<ModuleState>,
  signal: AbortSignal,
): Promise<ImportClosure> {
  const folders = new Map<ProjectPath, ModuleFolder>();
  const manifests = new Map<ProjectPath, Manifest>();
  const problems = new Map<ProjectPath, string>();
  const needed = new Set<ProjectPath>();

  /** Reads a folder below the project and those above it, which may contain the manifest of its package. */
  async function enter(path: ProjectPath): Promise<ModuleFolder | undefined> {
    const known = folders.get(path);
    if (known !== undefined) return known;
    if (path !== PROJECT_FOLDER && (await enter(folderOf(path)))?.folders.has(nameOf(path)) !== true) return undefined;
    signal.throwIfAborted();
    const found = await readFolder(files, path);
    folders.set(path, found);
    if (found.manifest !== undefined) await readPackage(found.manifest);
    return found;
  }

  async function readPackage(path: ProjectPath): Promise<void> {
    const read = readManifest(path, new TextDecoder().decode(await files.read(path)));
    if (!read.ok) return void problems.set(path, read.error);
    manifests.set(folderOf(path), read.value);
    for (const dependency of read.value.dependencies.values())
      if (dependency.kind === 'path' && dependency.folder !== undefined) await enter(dependency.folder);
  }

  /** Reads every folder that may contain the module of an import. */
  async function enterPath(importer: ProjectPath, names: readonly string[]): Promise<void> {
    const [first = '', ...rest] = names;
    const starts: (readonly [ProjectPath, readonly string[]])[] = [
      [folderOf(importer), names],
      [joinPath(PROJECT_FOLDER, VENDORED), names],
    ];
    if (first === 'std') starts.push([joinPath(PROJECT_FOLDER, 'stdlib'), rest]);
    for (const { dependencies } of manifests.values()) {
      const dependency = dependencies.get(first);
      if (dependency?.kind === 'path' && dependency.folder !== undefined) starts.push([dependency.folder, rest]);
    }
    for (const [start, below] of starts) {
      let at = start;
      for (const name of ['', ...below]) {
        if (name !== '') at = joinPath(at, name);
        if ((await enter(at)) === undefined) break;
      }
    }
  }

  const here = await enter(folderOf(file));
  const own = here?.modules.get(stemOf(file));
  const waiting = withSiblings ? Array.from(here?.modules.values() ?? []) : own === undefined ? [] : [own];
  await enter(joinPath(PROJECT_FOLDER, 'stdlib'));
  const std = folders.has(joinPath(PROJECT_FOLDER, 'stdlib')) ? joinPath(PROJECT_FOLDER, 'stdlib') : undefined;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (needed.has(path)) continue;
    needed.add(path);
    const state = await load(path);
    if (state.kind !== 'loaded') continue;
    for (const item of state.module.tree.items) {
      if (item.kind !== 'ImportDecl') continue;
      const names = item.path.map(({ text }) => text);
      await enterPath(path, names);
      const found = resolveImport({ folders, manifests, std }, path, names);
      if (found.ok) waiting.push(...found.value.files.filter(one => folders.has(folderOf(one))));
      else {
        // Keeps a module of the folder that makes the import ambiguous.
        const other = folders.get(folderOf(path))?.modules.get(names[0] ?? '');
        if (found.error.code === 'import-ambiguous' && other !== undefined) waiting.push(other);
      }
    }
  }
  for (const [path, folder] of folders)
    folders.set(path, {
      ...folder,
      modules: new Map(Array.from(folder.modules).filter(([, module]) => needed.has(module))),
    });
  return { context: { folders, manifests, std }, problems };
}
