import type { ProjectPath } from '../base/brand.ts';

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, with fractions. */
  readonly mtimeMs: number;
  /** Of a link: where it leads. Watchers tell of changes there, not here. */
  readonly target?: ProjectPath;
}

/** One name in a folder. */
export interface FileEntry extends Pick<FileStat, 'kind' | 'target'> {
  readonly name: string;
}

/** What a write relies on: the file's bytes as they were seen, or that there was no file. */
export type FilePrecondition = { readonly kind: 'absent' } | { readonly kind: 'hash'; readonly gitBlob: string };

/**
 * One folder, seen through paths that cannot leave it. Every method follows symbolic links only while the target stays inside
 * (else `PATH_OUTSIDE_ROOT`). A missing file or folder rejects with an `Error` whose `code` is `ENOENT`, as Node's do.
 */
export interface FileSystem {
  /** The folder, absolute, for messages and for handing to other programs. */
  readonly root: string;
  stat(path: ProjectPath): Promise<FileStat | undefined>;
  /** Names in byte order; does not recurse. */
  list(path: ProjectPath): Promise<readonly FileEntry[]>;
  read(path: ProjectPath): Promise<Uint8Array>;
  /** The same with a stat from before: whatever is written meanwhile shows in the next stat. What is no file rejects. */
  readWithStat(path: ProjectPath): Promise<{ readonly bytes: Uint8Array; readonly stat: FileStat }>;
  /**
   * Writes beside the target, flushes, checks `precondition` again, renames. Keeps the mode of the file it replaces and creates
   * missing folders. Resolves after the new bytes were read back and are what was asked for.
   * @throws AppError FILE_CHANGED (the precondition does not hold; nothing was written), FS_WRITE_FAILED
   */
  replace(path: ProjectPath, bytes: Uint8Array, precondition: FilePrecondition): Promise<void>;
  /** Removes one file, or an empty folder. @throws AppError FILE_CHANGED (nothing was removed), FS_WRITE_FAILED */
  remove(path: ProjectPath, precondition: FilePrecondition | { readonly kind: 'emptyFolder' }): Promise<void>;
  /** Removes what writes into that folder left beside their targets when a process ended; nothing when there is no such folder. */
  sweep(folder: ProjectPath): Promise<void>;
}
