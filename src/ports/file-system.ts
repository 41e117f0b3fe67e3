import type { ProjectPath } from '../base/brand.ts';

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, with fractions. */
  readonly mtimeMs: number;
  /** When the content or the metadata changed. Programs can set `mtimeMs`, but not this. */
  readonly ctimeMs: number;
  /** The inode number. A file that replaces another one has a different number. */
  readonly inode: number;
  /** The target of a symbolic link. Watchers report changes at the target, not at the link. */
  readonly target?: ProjectPath;
}

/** One name in a folder. */
export interface FileEntry extends Pick<FileStat, 'kind' | 'target'> {
  readonly name: string;
}

/** The state that a write requires: the file has these bytes, or there is no file. */
export type FilePrecondition = { readonly kind: 'absent' } | { readonly kind: 'hash'; readonly gitBlob: string };

/** One file to write or remove, with its precondition. A plan is plain data, so a preview shows the plan itself. */
export type FileEdit =
  | {
      readonly kind: 'write';
      readonly path: ProjectPath;
      readonly bytes: Uint8Array;
      readonly precondition: FilePrecondition;
    }
  | {
      readonly kind: 'remove';
      readonly path: ProjectPath;
      readonly precondition: FilePrecondition | { readonly kind: 'emptyFolder' };
    };

/**
 * Access to one folder, by paths that cannot leave it. Every method follows symbolic links only to targets inside the folder, and rejects
 * other paths with `PATH_OUTSIDE_ROOT`. Git data and files of secrets (`.git`, `.env`) are outside too; `list` returns them as `other`. For
 * a missing file or folder, methods other than `stat` reject with an `Error` whose `code` is `ENOENT`, as in Node.
 */
export interface FileSystem {
  /** The absolute path of the folder, for messages and for other programs. */
  readonly root: string;
  /** `undefined` if nothing exists there. */
  stat(path: ProjectPath): Promise<FileStat | undefined>;
  /** Names in byte order; does not recurse. */
  list(path: ProjectPath): Promise<readonly FileEntry[]>;
  read(path: ProjectPath): Promise<Uint8Array>;
  /** Reads a file with a stat taken before the read, so a write during the read changes the next stat. Rejects for anything but a file. */
  readWithStat(path: ProjectPath): Promise<{ readonly bytes: Uint8Array; readonly stat: FileStat }>;
  /** Reads a file like `readWithStat`. The bytes are valid until `use` ends: later reads use their memory. */
  readLent<T>(path: ProjectPath, use: (bytes: Uint8Array, stat: FileStat) => Promise<T>): Promise<T>;
  /**
   * Writes a temporary file next to the target, flushes it, checks `precondition` again and replaces the target with it. Then checks the
   * replaced file once more, and restores it if another program saved into it meanwhile. Keeps the mode of the replaced file and creates
   * missing folders. Resolves after reading the new bytes back and verifying them.
   * @throws AppError FILE_CHANGED (the precondition does not hold; nothing was written), FILE_OVERWRITTEN (written, but another program
   *   changed it before it was read back), FS_WRITE_FAILED
   */
  replace(path: ProjectPath, bytes: Uint8Array, precondition: FilePrecondition): Promise<void>;
  /** Removes one file, or an empty folder. @throws AppError FILE_CHANGED (nothing was removed), FS_WRITE_FAILED */
  remove(path: ProjectPath, precondition: FilePrecondition | { readonly kind: 'emptyFolder' }): Promise<void>;
  /** Removes temporary files that interrupted writes left in that folder, and gives replaced files their names back. Does nothing if the folder does not exist. */
  sweep(folder: ProjectPath): Promise<void>;
}
