import type { RootPath } from '../../base/root-path.ts';

/** A root and the folder with its files. */
export interface RootFolder {
  /** Id of the root, for messages. */
  readonly id: string;
  /** Absolute, with links resolved. */
  readonly folder: string;
}

export interface RootEntry {
  readonly name: string;
  /** `link`: a symbolic link, not resolved; its target may be outside the root. */
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** An open file of a root. */
export interface RootFile extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /**
   * Yields the bytes from `start` in order, in chunks of at most 64 KiB that the caller may keep.
   *
   * @throws AppError FILE_CHANGED if the size or modification time changed since the file was opened
   */
  chunks(start: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * Reads files inside one folder. Links are followed only if their target is inside; special files (FIFO, device, socket) are never
 * opened, so reading cannot block.
 */
export interface RootFiles {
  /** Lists a folder, unsorted. @throws AppError DIR_NOT_FOUND, DIR_UNREADABLE, PATH_LINK_ESCAPE, ROOT_UNAVAILABLE */
  list(root: RootFolder, path: RootPath): Promise<readonly RootEntry[]>;
  /** Returns the kind of a path, with links followed; `undefined` if it does not exist. @throws AppError PATH_LINK_ESCAPE */
  kindOf(root: RootFolder, path: RootPath): Promise<'file' | 'directory' | 'other' | undefined>;
  /** Returns the path with links resolved; `undefined` if it does not exist. @throws AppError PATH_LINK_ESCAPE */
  withoutLinks(root: RootFolder, path: RootPath): Promise<RootPath | undefined>;
  /** @throws AppError FILE_NOT_FOUND, FILE_UNREADABLE, NOT_A_REGULAR_FILE, PATH_LINK_ESCAPE */
  open(root: RootFolder, path: RootPath): Promise<RootFile>;
}
