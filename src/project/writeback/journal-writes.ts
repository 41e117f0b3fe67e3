import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf } from '../../base/project-path.ts';
import type { FileEdit, FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalWrite } from '../../protocol/journal/journal-record.ts';

interface PlannedEdit {
  readonly edit: FileEdit;
  /** The items that require the edit. */
  readonly ids: readonly string[];
}

/** The topmost folder that does not exist yet, by the path of each write that creates it. */
export async function findNewFolders(
  edits: readonly FileEdit[],
  files: Pick<FileSystem, 'stat'>,
): Promise<ReadonlyMap<ProjectPath, ProjectPath>> {
  const topmost = new Map<ProjectPath, ProjectPath | undefined>();
  const topmostOf = async (folder: ProjectPath): Promise<ProjectPath | undefined> => {
    if (!topmost.has(folder)) {
      const isNew = folder !== '' && (await files.stat(folder)) === undefined;
      topmost.set(folder, isNew ? ((await topmostOf(folderOf(folder))) ?? folder) : undefined);
    }
    return topmost.get(folder);
  };
  const found = new Map<ProjectPath, ProjectPath>();
  for (const { kind, path } of edits) {
    const folder = kind === 'write' ? await topmostOf(folderOf(path)) : undefined;
    if (folder !== undefined) found.set(path, folder);
  }
  return found;
}

/**
 * The planned writes of a record. Adds the new contents to `blobs`.
 *
 * @param newFolders as found by `findNewFolders`
 */
export function* journalWrites(
  planned: readonly PlannedEdit[],
  newFolders: ReadonlyMap<ProjectPath, ProjectPath>,
  blobs: Map<string, Uint8Array>,
  hasher: Hasher,
): PausableWork<JournalWrite[]> {
  const writes: JournalWrite[] = [];
  for (const { edit, ids } of planned) {
    yield;
    const { path, precondition } = edit;
    const before = precondition.kind === 'hash' ? precondition.gitBlob : null;
    if (edit.kind === 'remove') {
      const kind = precondition.kind === 'emptyFolder' ? 'removeFolder' : 'remove';
      writes.push({ ids, path, kind, before, after: null, blob: null });
      continue;
    }
    const after = yield* hasher.gitBlobPausable(edit.bytes);
    blobs.set(after, edit.bytes);
    const newFolder = newFolders.get(path);
    writes.push({ ids, path, kind: 'write', before, after, blob: after, ...(newFolder && { newFolder }) });
  }
  return writes;
}
