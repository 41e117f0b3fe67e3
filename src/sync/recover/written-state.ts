import type { ProjectPath } from '../../base/brand.ts';
import { isProjectPath } from '../../base/project-path.ts';
import type { FileStat, FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalWrite } from '../../protocol/journal/journal-record.ts';

/**
 * The state of a planned write. `open`: the file is untouched since the record. `moved`: it was changed since, and is not as planned, also if
 * it has its former content again.
 */
export type WrittenState = 'done' | 'open' | 'moved';

export async function writtenState(write: JournalWrite, files: FileSystem, hasher: Hasher): Promise<WrittenState> {
  const path = projectPathOf(write);
  const stat = await files.stat(path);
  if (write.kind === 'removeFolder') {
    if (stat === undefined) return 'done';
    return stat.kind === 'directory' && (await files.list(path)).length === 0 ? 'open' : 'moved';
  }
  if (stat !== undefined && stat.kind !== 'file') return 'moved';
  const now = stat === undefined ? null : hasher.gitBlob(await files.read(path));
  if (now === write.after) return 'done';
  return now === write.before && isUntouched(write, stat) ? 'open' : 'moved';
}

/** Any program may edit the journal, so its paths are validated. */
export function projectPathOf({ path }: { readonly path: string }): ProjectPath {
  if (!isProjectPath(path)) throw new Error(`${JSON.stringify(path)} in the journal is not a path of the project`);
  return path;
}

/** Whether the file is the one that was recorded. A new file cannot be compared, and a write always replaces the file. */
const isUntouched = ({ file }: JournalWrite, stat: FileStat | undefined): boolean =>
  file === undefined || stat === undefined || (stat.inode === file.inode && stat.mtimeMs === file.mtimeMs);
