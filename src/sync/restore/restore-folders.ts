import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, isAtOrBelow, isProjectPath, joinPath } from '../../base/project-path.ts';
import type { FileEdit, FileSystem } from '../../ports/file-system.ts';
import type { JournalWrite } from '../../protocol/journal/journal-record.ts';

type FileWrite = Extract<FileEdit, { readonly kind: 'write' }>;

/** Files that bring back removed folders in which the record has no file. Git does not track empty folders, so each gets a `.gitkeep`. */
export async function missingFolders(
  writes: readonly JournalWrite[],
  recorded: readonly { readonly path: ProjectPath; readonly blob: string | null }[],
  files: Pick<FileSystem, 'stat'>,
): Promise<readonly FileWrite[]> {
  const removed = writes.flatMap(({ kind, path }) => (kind === 'removeFolder' && isProjectPath(path) ? [path] : []));
  const existing = recorded.filter(({ blob }) => blob !== null).map(({ path }) => path);
  const filled = foldersAbove([...existing, ...removed]);
  const edits: FileWrite[] = [];
  for (const folder of removed) {
    if (filled.has(folder) || (await files.stat(folder)) !== undefined) continue;
    const path = joinPath(folder, '.gitkeep');
    edits.push({ kind: 'write', path, bytes: new Uint8Array(), precondition: { kind: 'absent' } });
  }
  return edits;
}

/**
 * Removals of the folders that the recorded writes created, if the edits of the restore empty them. Inner folders come first.
 *
 * @param edits the edits of the files
 */
export async function emptiedFolders(
  writes: readonly JournalWrite[],
  edits: readonly FileEdit[],
  files: Pick<FileSystem, 'stat' | 'list'>,
): Promise<readonly FileEdit[]> {
  const created = new Set<ProjectPath>();
  for (const { path, newFolder } of writes) {
    if (newFolder === undefined || !isProjectPath(path)) continue;
    for (let at = folderOf(path); at !== '' && isAtOrBelow(at, newFolder) && !created.has(at); at = folderOf(at))
      created.add(at);
  }
  const removed = new Set(edits.flatMap(({ kind, path }) => (kind === 'remove' ? [path] : [])));
  const filled = foldersAbove(edits.flatMap(({ kind, path }) => (kind === 'write' ? [path] : [])));
  const isEmptied = async (folder: ProjectPath): Promise<boolean> => {
    if (filled.has(folder) || (await files.stat(folder))?.kind !== 'directory') return false;
    const entries = await files.list(folder);
    return entries.every(({ name }) => removed.has(joinPath(folder, name)));
  };
  const removals: FileEdit[] = [];
  const levels = (path: string): number => path.split('/').length;
  for (const path of Array.from(created).toSorted((a, b) => levels(b) - levels(a))) {
    if (!(await isEmptied(path))) continue;
    removed.add(path);
    removals.push({ kind: 'remove', path, precondition: { kind: 'emptyFolder' } });
  }
  return removals;
}

/** All folders that contain one of the paths, at any depth. */
function foldersAbove(paths: readonly ProjectPath[]): ReadonlySet<ProjectPath> {
  const found = new Set<ProjectPath>();
  for (const path of paths) for (let at = folderOf(path); at !== '' && !found.has(at); at = folderOf(at)) found.add(at);
  return found;
}
