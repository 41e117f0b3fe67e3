import type { RootPath } from '../../base/root-path.ts';

/** A root and where its files are now. */
export interface RootFolder {
  /** Of the root; for messages. */
  readonly id: string;
  /** Absolute, links followed. */
  readonly folder: string;
}

export interface RootEntry {
  readonly name: string;
  /** `link`: leads to a file or folder inside the root, or somewhere else; it is not followed here. */
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** An open file of a root. */
export interface RootFile extends AsyncDisposable {
  /** Bytes. */
  readonly size: number;
  /**
   * Its bytes from `start` on in order, in pieces of at most 64 KiB; each piece is the caller's. @throws AppError FILE_CHANGED when
   * size or time of change are others at the end than at the beginning.
   */
  chunks(start: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * Reads below one folder and nowhere else. Links are followed only while they stay inside; files that are not regular (FIFO, device,
 * socket) are never opened, so nothing here can block.
 */
export interface RootFiles {
  /** Entries in no order. @throws AppError DIR_NOT_FOUND, DIR_UNREADABLE, PATH_LINK_ESCAPE, ROOT_UNAVAILABLE */
  list(root: RootFolder, path: RootPath): Promise<readonly RootEntry[]>;
  /** What is there, links followed; `undefined`: nothing. @throws AppError PATH_LINK_ESCAPE */
  kindOf(root: RootFolder, path: RootPath): Promise<'file' | 'directory' | 'other' | undefined>;
  /** The path by which it is there without links; `undefined`: nothing is. @throws AppError PATH_LINK_ESCAPE */
  withoutLinks(root: RootFolder, path: RootPath): Promise<RootPath | undefined>;
  /** @throws AppError FILE_NOT_FOUND, FILE_UNREADABLE, NOT_A_REGULAR_FILE, PATH_LINK_ESCAPE */
  open(root: RootFolder, path: RootPath): Promise<RootFile>;
}
