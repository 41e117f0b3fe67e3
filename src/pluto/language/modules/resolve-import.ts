import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf, joinPath, PROJECT_FOLDER } from '../../../base/project-path.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { type FolderIndex, type ModuleFolder, VENDORED } from './folder-index.ts';
import { isStdModule } from '../std/std-modules.ts';
import { stdPath } from '../std/std-path.ts';
import type { Manifest } from './manifest.ts';

/** The target of an import: one file, or a folder whose files form one module. */
export interface ImportTarget {
  readonly kind: 'file' | 'folder';
  /** The path of the file or the folder; two imports of one path are one module. */
  readonly path: ProjectPath;
  readonly files: readonly ProjectPath[];
}

export interface ImportProblem {
  readonly code:
    | 'module-not-found'
    | 'module-not-a-folder'
    | 'std-missing'
    | 'import-ambiguous'
    | 'dependency-unusable';
  readonly message: string;
}

/** The input of import resolution, which reads nothing from disk. */
export interface ResolveContext {
  readonly folders: FolderIndex;
  /** By the folder of the manifest. */
  readonly manifests: ReadonlyMap<ProjectPath, Manifest>;
  /** The folder of `std`, if there is one. */
  readonly std: ProjectPath | undefined;
}

type Resolved = Result<ImportTarget, ImportProblem>;

/** Resolves an import of `path` in the file `importer`. */
export function resolveImport(context: ResolveContext, importer: ProjectPath, path: readonly string[]): Resolved {
  const [first = '', ...rest] = path;
  const folder = folderOf(importer);
  if (first === 'std' && rest.length > 0) return resolveStd(context, rest);
  const dependency = manifestFor(context, folder)?.dependencies.get(first);
  const here = context.folders.get(folder);
  if (dependency !== undefined) {
    const isLocal = here !== undefined && (here.folders.has(first) || (rest.length === 0 && here.modules.has(first)));
    if (isLocal)
      return problem(
        'import-ambiguous',
        `'${first}' is ambiguous: a dependency of the package and a module in this folder have this name`,
      );
    if (dependency.kind === 'git')
      return vendored(context, path, `'${first}' is a git dependency that is not in ${VENDORED}`);
    const root = dependency.folder;
    if (root === undefined || !context.folders.has(root))
      return problem(
        'dependency-unusable',
        `the path of dependency '${first}' does not exist in the project: ${dependency.written}`,
      );
    return rest.length === 0 ? folderTarget(context, root, path) : descend(context, root, rest, path);
  }
  if (rest.length > 0) return descend(context, folder, path, path);
  if (here?.folders.has(first) === true) {
    const target = folderTarget(context, joinPath(folder, first), path);
    if (target.ok) return target;
  }
  const file = here?.modules.get(first);
  if (file !== undefined && file !== importer) return ok({ kind: 'file', path: file, files: [file] });
  return vendored(context, path, undefined);
}

function problem(code: ImportProblem['code'], message: string): Result<never, ImportProblem> {
  return err({ code, message });
}

const notFound = (path: readonly string[]): Result<never, ImportProblem> =>
  problem('module-not-found', `cannot find module '${path.join('.')}'`);

function resolveStd(context: ResolveContext, rest: readonly string[]): Resolved {
  if (context.std === undefined) {
    const [name = ''] = rest;
    const path = stdPath(name);
    if (rest.length === 1 && isStdModule(name)) return ok({ kind: 'file', path, files: [path] });
    return problem(
      'std-missing',
      `cannot find module 'std.${rest.join('.')}': the standard library has no such module, and there is no stdlib root (a folder stdlib in the project)`,
    );
  }
  return descend(context, context.std, rest, ['std', ...rest]);
}

/** Every name except the last is a folder; the last one is a file, or else a folder. */
function descend(
  context: ResolveContext,
  root: ProjectPath,
  names: readonly string[],
  path: readonly string[],
): Resolved {
  let folder = root;
  for (const [index, name] of names.entries()) {
    const here = context.folders.get(folder);
    if (index === names.length - 1) {
      const file = here?.modules.get(name);
      if (file !== undefined) return ok({ kind: 'file', path: file, files: [file] });
      return here?.folders.has(name) === true ? folderTarget(context, joinPath(folder, name), path) : notFound(path);
    }
    if (here?.folders.has(name) !== true) {
      return here?.modules.has(name) === true
        ? problem('module-not-a-folder', `'${names.slice(0, index + 1).join('.')}' is not a directory`)
        : notFound(path);
    }
    folder = joinPath(folder, name);
  }
  return notFound(path);
}

function folderTarget(context: ResolveContext, folder: ProjectPath, path: readonly string[]): Resolved {
  const files = Array.from(context.folders.get(folder)?.modules.values() ?? []);
  return files.length === 0 ? notFound(path) : ok({ kind: 'folder', path: folder, files });
}

function vendored(context: ResolveContext, path: readonly string[], instead: string | undefined): Resolved {
  const folder = joinPath(PROJECT_FOLDER, VENDORED);
  const [first = '', ...rest] = path;
  if (context.folders.get(folder)?.folders.has(first) === true)
    return rest.length === 0
      ? folderTarget(context, joinPath(folder, first), path)
      : descend(context, joinPath(folder, first), rest, path);
  return instead === undefined ? notFound(path) : problem('dependency-unusable', instead);
}

/** The manifest of the package that contains a folder: the nearest one above it in the repository. */
function manifestFor({ folders, manifests }: ResolveContext, folder: ProjectPath): Manifest | undefined {
  let at = folder;
  for (;;) {
    const manifest = manifests.get(at);
    if (manifest !== undefined) return manifest;
    const here: ModuleFolder | undefined = folders.get(at);
    if (at === PROJECT_FOLDER || here?.isRepository === true) return undefined;
    at = folderOf(at);
  }
}
