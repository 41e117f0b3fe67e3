import { errorCode, hasErrorCode } from '../../../base/errno.ts';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { platform } from 'node:process';
import { AppError } from '../../../base/errors.ts';
import { isSpecialOnWindows, parseRootPath, type RootPath } from '../../../base/root-path.ts';
import type { RootEntry, RootFile, RootFiles, RootFolder } from '../../ports/root-files.ts';

const CHUNK_BYTES = 64 * 1024;

/** Reads the files of roots on the local disk. */
export const nodeRootFiles: RootFiles = {
  async list(root, path) {
    const folder = await locate(root, path).catch((error: unknown) => {
      throw asDirectoryError(error, root, path);
    });
    if (folder === undefined) throw new AppError('DIR_NOT_FOUND', { root: root.id, path });
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.map((entry): RootEntry => {
        const kind = entry.isFile()
          ? 'file'
          : entry.isDirectory()
            ? 'directory'
            : entry.isSymbolicLink()
              ? 'link'
              : 'other';
        return { name: entry.name, kind };
      });
    } catch (error) {
      throw asDirectoryError(error, root, path);
    }
  },

  async kindOf(root, path) {
    try {
      const real = await locate(root, path);
      if (real === undefined) return undefined;
      const found = await stat(real);
      return found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other';
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw asFileError(error, root, path);
    }
  },

  async withoutLinks(root, path) {
    try {
      const real = await locate(root, path);
      return real === undefined ? undefined : parseRootPath(relative(root.folder, real));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw asFileError(error, root, path);
    }
  },

  async open(root, path) {
    try {
      const real = await locate(root, path);
      if (real === undefined) throw new AppError('FILE_NOT_FOUND', { root: root.id, path });
      return await openRegular(real, root, path);
    } catch (error) {
      throw asFileError(error, root, path);
    }
  },
};

/** Returns the real path; `undefined` if it does not exist. @throws AppError PATH_LINK_ESCAPE; errors of `realpath` */
async function locate(root: RootFolder, path: RootPath): Promise<string | undefined> {
  if (platform === 'win32' && isSpecialOnWindows(path)) return undefined;
  let real: string;
  try {
    real = await realpath(path === '' ? root.folder : join(root.folder, ...path.split('/')));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENAMETOOLONG')) return undefined;
    throw error;
  }
  const { folder } = root;
  if (real !== folder && !real.startsWith(folder.endsWith(sep) ? folder : folder + sep))
    throw new AppError('PATH_LINK_ESCAPE', { root: root.id, path });
  return real;
}

async function openRegular(real: string, root: RootFolder, path: RootPath): Promise<RootFile> {
  const before = await lstat(real, { bigint: true });
  if (!before.isFile()) throw new AppError('NOT_A_REGULAR_FILE', { root: root.id, path });
  // A link or FIFO may replace the file between lstat and open: the flags neither follow nor block on it.
  const handle = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile() || opened.dev !== before.dev || opened.ino !== before.ino)
      throw new AppError('FILE_CHANGED', { file: path });
    return new OpenFile(handle, { size: opened.size, mtimeNs: opened.mtimeNs }, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class OpenFile implements RootFile {
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #opened: { readonly size: bigint; readonly mtimeNs: bigint };
  readonly #path: RootPath;

  constructor(handle: FileHandle, opened: { readonly size: bigint; readonly mtimeNs: bigint }, path: RootPath) {
    this.#handle = handle;
    this.#opened = opened;
    this.#path = path;
    this.size = Number(opened.size);
  }

  async *chunks(start: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    // Request one byte more than expected to detect a growing file.
    for (let at = start; ;) {
      signal.throwIfAborted();
      const buffer = new Uint8Array(Math.max(1, Math.min(CHUNK_BYTES, this.size - at + 1)));
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at);
      at += bytesRead;
      if (at > this.size) break;
      if (bytesRead === 0) break;
      yield buffer.subarray(0, bytesRead);
    }
    const after = await this.#handle.stat({ bigint: true });
    if (after.size !== this.#opened.size || after.mtimeNs !== this.#opened.mtimeNs)
      throw new AppError('FILE_CHANGED', { file: this.#path });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

const isNotFound = (error: unknown): boolean => hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG');

/** Describes a system error without absolute paths. */
function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ELOOP':
      return 'its symbolic links form a loop';
    case 'ENOTDIR':
      return 'a parent of the path is not a folder';
    default:
      return errorCode(error) ?? 'unknown system error';
  }
}

function asFileError(error: unknown, root: RootFolder, path: RootPath): unknown {
  if (error instanceof AppError || errorCode(error) === undefined) return error;
  if (hasErrorCode(error, 'ENOENT')) return new AppError('FILE_NOT_FOUND', { root: root.id, path }, { cause: error });
  return new AppError('FILE_UNREADABLE', { root: root.id, path, reason: reasonOf(error) }, { cause: error });
}

function asDirectoryError(error: unknown, root: RootFolder, path: RootPath): unknown {
  if (error instanceof AppError || errorCode(error) === undefined) return error;
  if (isNotFound(error)) return new AppError('DIR_NOT_FOUND', { root: root.id, path }, { cause: error });
  return new AppError('DIR_UNREADABLE', { root: root.id, path, reason: reasonOf(error) }, { cause: error });
}
