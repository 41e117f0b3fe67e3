import type { PausableWork } from '../../base/time-slice.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf } from '../../base/project-path.ts';
import type { FileEdit, FileStat, FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { JournalRecord, JournalWrite } from '../../protocol/journal/journal-record.ts';
import { MAX_REASON_BYTES, recordedBytes } from '../../protocol/journal/recorded-reason.ts';

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
 * @param stats of the files that exist
 */
export function* journalWrites(
  planned: readonly PlannedEdit[],
  newFolders: ReadonlyMap<ProjectPath, ProjectPath>,
  blobs: Map<string, Uint8Array>,
  hasher: Hasher,
  stats: ReadonlyMap<ProjectPath, Pick<FileStat, 'inode' | 'mtimeMs'>> = new Map(),
): PausableWork<JournalWrite[]> {
  const writes: JournalWrite[] = [];
  for (const { edit, ids } of planned) {
    yield;
    const { path, precondition } = edit;
    const before = precondition.kind === 'hash' ? precondition.gitBlob : null;
    const stat = before === null ? undefined : stats.get(path);
    const file = stat && { file: { inode: stat.inode, mtimeMs: stat.mtimeMs } };
    if (edit.kind === 'remove') {
      const kind = precondition.kind === 'emptyFolder' ? 'removeFolder' : 'remove';
      writes.push({ ids, path, kind, before, after: null, blob: null, ...file });
      continue;
    }
    const after = yield* hasher.gitBlobPausable(edit.bytes);
    blobs.set(after, edit.bytes);
    const newFolder = newFolders.get(path);
    writes.push({ ids, path, kind: 'write', before, after, blob: after, ...file, ...(newFolder && { newFolder }) });
  }
  return writes;
}

/** Bytes of the longest outcome without its id, its reason and the paths of its files, with a comma. */
const OUTCOME_BYTES =
  recordedBytes({ id: '', outcome: 'unknown', reason: '', effect: { files: [], studio: false } }) + 1;

/** The disk space that the note and the ending of a run may need: that of a run in which every change fails after its files were written. */
export function* endBytesOf({ items, writes = [] }: Pick<JournalRecord, 'items' | 'writes'>): PausableWork<number> {
  let ending = 0;
  for (const { id } of items) {
    ending += recordedBytes(id) + OUTCOME_BYTES + MAX_REASON_BYTES;
    yield;
  }
  for (const { ids, path } of writes) {
    ending += ids.length * (recordedBytes(path) + 1);
    yield;
  }
  // The note has the same ids, so it is shorter. It gets the first half, because the files that the run writes next may fill what is free.
  return 2 * ending;
}
