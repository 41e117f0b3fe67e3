import type { ProjectPath } from '../../../base/brand.ts';
import { folderOf, joinPath, resolvePath } from '../../../base/project-path.ts';
import type { FileEdit, FileStat, FileSystem } from '../../../ports/file-system.ts';
import { parseJsonDocument } from '../../../roblox/formats/json5-document.ts';
import { standardFileKinds } from '../../file-kinds/standard-file-kinds.ts';
import { type Dialect, type ProjectNode, readProjectFile } from '../../project-file/project-file.ts';

/** The missing paths of a project, treated as empty files and folders, so that a syncback can fill them. */
export interface MissingPaths {
  /** The files of the project and the missing paths. */
  readonly files: FileSystem;
  /** The edits that also create the missing paths. */
  complete(edits: readonly FileEdit[]): readonly FileEdit[];
}

type Kind = 'file' | 'directory';

/** Reads the `$path` values of a project file. Skips those that are optional, exist, or name a model file. */
export async function findMissingPaths(
  files: FileSystem,
  projectFile: ProjectPath,
  dialect: Dialect | undefined,
): Promise<MissingPaths> {
  const document = parseJsonDocument(new TextDecoder().decode(await files.read(projectFile)));
  const project = document.ok
    ? readProjectFile(projectFile, document.value, standardFileKinds.syncRuleNames, dialect)
    : undefined;
  const missing = new Map<ProjectPath, Kind>();
  if (project !== undefined && 'tree' in project)
    for (const path of pathsOf(project.tree)) {
      const target = resolvePath(folderOf(projectFile), path);
      const kind = kindOf(path);
      if (target === undefined || kind === undefined || (await files.stat(target)) !== undefined) continue;
      missing.set(target, kind);
    }
  return { files: withPaths(files, missing), complete: edits => completed(edits, missing) };
}

function* pathsOf(node: ProjectNode): Generator<string> {
  if (node.path !== undefined && !node.path.isOptional) yield node.path.value;
  for (const child of node.children.values()) yield* pathsOf(child);
}

/** An empty script or text is an instance; an empty model file is not. */
function kindOf(path: string): Kind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.(luau|lua|txt)$/.test(name)) return 'file';
  return /\.(rbxmx?|json[5c]?|toml|ya?ml|csv)$/.test(name) ? undefined : 'directory';
}

function completed(edits: readonly FileEdit[], missing: ReadonlyMap<ProjectPath, Kind>): readonly FileEdit[] {
  const written = new Set<ProjectPath>();
  const result: FileEdit[] = [];
  for (const edit of edits) {
    if (edit.kind !== 'write') {
      if (!missing.has(edit.path)) result.push(edit);
      continue;
    }
    for (let at = edit.path; at !== '' && !written.has(at); at = folderOf(at)) written.add(at);
    result.push(missing.has(edit.path) ? { ...edit, precondition: { kind: 'absent' } } : edit);
  }
  for (const [path, kind] of missing) {
    if (written.has(path)) continue;
    const file = kind === 'file' ? path : joinPath(path, '.gitkeep');
    result.push({ kind: 'write', path: file, bytes: new Uint8Array(), precondition: { kind: 'absent' } });
  }
  return result;
}

function withPaths(files: FileSystem, missing: ReadonlyMap<ProjectPath, Kind>): FileSystem {
  const statOf = (path: ProjectPath): FileStat | undefined => {
    const kind = missing.get(path);
    return kind && { kind, size: 0, mtimeMs: 0, ctimeMs: 0, inode: 0 };
  };
  const isFile = (path: ProjectPath): boolean => missing.get(path) === 'file';
  return {
    root: files.root,
    stat: async path => statOf(path) ?? files.stat(path),
    list: async path => (missing.get(path) === 'directory' ? [] : files.list(path)),
    read: async path => (isFile(path) ? new Uint8Array() : files.read(path)),
    readWithStat: async path => {
      const stat = isFile(path) ? statOf(path) : undefined;
      return stat ? { bytes: new Uint8Array(), stat } : files.readWithStat(path);
    },
    readLent: async (path, use) => {
      const stat = isFile(path) ? statOf(path) : undefined;
      return stat ? use(new Uint8Array(), stat) : files.readLent(path, use);
    },
    replace: (path, bytes, precondition) => files.replace(path, bytes, precondition),
    remove: (path, precondition) => files.remove(path, precondition),
    sweep: folder => files.sweep(folder),
  };
}
