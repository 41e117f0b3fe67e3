import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rmdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { hasErrorCode } from '../../base/errno.ts';
import { isInside } from './contained-path.ts';
import { flushFolder } from '../node/flushed-files.ts';

/**
 * A folder inside a root that stays the same folder even if its path, or a folder above it, is replaced by a link. On Linux, the folder is
 * open, and its entries are reached through its file descriptor. Elsewhere, `verify` compares its real path before and after every use.
 */
export class AnchoredFolder implements AsyncDisposable {
  readonly #path: string;
  readonly #handle: FileHandle | undefined;
  readonly #inode: bigint;
  /** The folder above, if this one was created. */
  readonly #above: AnchoredFolder | undefined;

  private constructor(path: string, handle: FileHandle | undefined, inode: bigint, above?: AnchoredFolder) {
    this.#path = path;
    this.#handle = handle;
    this.#inode = inode;
    this.#above = above;
  }

  /**
   * Opens a folder, and creates it and the folders above it if they are missing.
   *
   * @param path without links, inside `root`, which is a real path too
   * @throws AppError PATH_OUTSIDE_ROOT if the path now leads out of `root`
   */
  static async open(path: string, root: string): Promise<AnchoredFolder> {
    const { O_DIRECTORY, O_NOFOLLOW } = constants;
    try {
      const { ino } = await lstat(path, { bigint: true });
      if (process.platform !== 'linux' || O_DIRECTORY === undefined) {
        const folder = new AnchoredFolder(path, undefined, ino);
        await folder.verify();
        return folder;
      }
      return new AnchoredFolder(path, await openInside(path, root, O_DIRECTORY | O_NOFOLLOW), ino);
    } catch (error) {
      if (hasErrorCode(error, 'ELOOP', 'ENOTDIR')) throw outside(path, root);
      if (!hasErrorCode(error, 'ENOENT') || path === root) throw error;
    }
    const above = await AnchoredFolder.open(dirname(path), root);
    try {
      await mkdir(above.at(basename(path)));
      await flushFolder(above.at('.'));
      await above.verify();
      const created = await AnchoredFolder.open(path, root);
      return new AnchoredFolder(path, created.#handle, created.#inode, above);
    } catch (error) {
      await above.removeCreated();
      await above[Symbol.asyncDispose]();
      // Another program has created it meanwhile.
      if (hasErrorCode(error, 'EEXIST')) return AnchoredFolder.open(path, root);
      throw error;
    }
  }

  /** The path of an entry, valid until the folder is disposed. Does not resolve an entry that is a link. */
  at(name: string): string {
    return join(this.#handle === undefined ? this.#path : `/proc/self/fd/${this.#handle.fd}`, name);
  }

  /** Checks that the path still leads to this folder, unless the folder is open. @throws AppError PATH_OUTSIDE_ROOT */
  async verify(): Promise<void> {
    if (this.#handle !== undefined) return;
    const isSame =
      (await realpath(this.#path)) === this.#path && (await lstat(this.#path, { bigint: true })).ino === this.#inode;
    if (!isSame) throw new AppError('PATH_OUTSIDE_ROOT', { path: basename(this.#path) });
  }

  /** Removes the folders that `open` has created and that are still empty. */
  async removeCreated(): Promise<void> {
    if (this.#above === undefined) return;
    try {
      await rmdir(this.#above.at(basename(this.#path)));
    } catch {
      // Another program created a file there meanwhile: it stays.
      return;
    }
    await this.#above.removeCreated();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
    await this.#above?.[Symbol.asyncDispose]();
  }
}

/** Opens a folder, and checks its real path afterwards, because the path may have become a link meanwhile. `undefined` without `/proc`. */
async function openInside(path: string, root: string, flags: number): Promise<FileHandle | undefined> {
  const handle = await open(path, constants.O_RDONLY | flags);
  try {
    const rootHandle = await open(root, constants.O_RDONLY);
    try {
      const [folderPath, rootPath] = await Promise.all([pathOfOpen(handle), pathOfOpen(rootHandle)]);
      if (folderPath === undefined || rootPath === undefined) {
        await handle.close();
        return undefined;
      }
      if (!isInside(folderPath, rootPath)) throw outside(path, root);
    } finally {
      await rootHandle.close();
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

/** The real path of an open folder; `undefined` if the system does not report it. */
async function pathOfOpen({ fd }: FileHandle): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

const outside = (path: string, root: string): AppError =>
  new AppError('PATH_OUTSIDE_ROOT', { path: relative(root, path).split(sep).join('/') });
