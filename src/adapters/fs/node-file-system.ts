import { hasErrorCode, isNotFound } from '../../base/errno.ts';
import { constants, type Dirent } from 'node:fs';
import { lstat, readdir, readFile, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProjectPath } from '../../base/brand.ts';
import { AppError } from '../../base/errors.ts';
import { writeFailed } from '../../base/write-failed.ts';
import type { FilePrecondition, FileStat, FileSystem } from '../../ports/file-system.ts';
import type { Hasher } from '../../ports/hasher.ts';
import { AnchoredFolder } from './anchored-folder.ts';
import { ContainedPaths, isInside } from './contained-path.ts';
import { Gate } from './gate.ts';
import { listEntries } from './list-entries.ts';
import { type Allocate, type FileAndStat, lendMemory, readOpen, toFileStat } from './read-open.ts';
import { realPathOf } from './real-path.ts';
import { removeFile, replaceFile } from './replace-file.ts';
import { countGaps } from './swap-file.ts';
import { isUnfinished, removeAbandoned, restoreAside } from './temporary-files.ts';
import { nodeClock } from '../node/clock.ts';
import { flushFolder } from '../node/flushed-files.ts';

/** Maximum number of open files; a process has at least some hundreds. */
const READ_CONCURRENCY = 128;

/**
 * A folder on disk.
 *
 * @param root absolute; must exist when the first path is used
 * @param readFrom how files are read: `readOpenSync` in a thread that may block
 */
export function createNodeFileSystem(root: string, hasher: Hasher, readFrom = readOpen): FileSystem {
  const paths = new ContainedPaths(root);
  const gate = new Gate(READ_CONCURRENCY);

  const hashAt = async (path: string): Promise<string | undefined> => {
    try {
      return hasher.gitBlob(await outsideGaps(() => readFile(path)));
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  };
  const holds = async (path: string, precondition: FilePrecondition): Promise<boolean> => {
    const gitBlob = await hashAt(path);
    return precondition.kind === 'absent' ? gitBlob === undefined : gitBlob === precondition.gitBlob;
  };

  return {
    root,
    stat: path =>
      gate.run(async () => {
        try {
          return await outsideGaps(async () => {
            const found = await lstat(await paths.forReading(path));
            if (!found.isSymbolicLink()) return toFileStat(found);
            const real = await paths.existing(path);
            return { ...toFileStat(await stat(real)), target: await paths.pathOf(real) };
          });
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      }),
    list: path =>
      gate.run(async () => {
        const folder = await paths.listable(path);
        const entries = await entriesOf(folder, await paths.rootOnDisk());
        return listEntries(entries, name => kindOfLink(paths, folder, name), nodeClock);
      }),
    read: async path => (await gate.run(() => outsideGaps(() => readContained(paths, path, readFrom)))).bytes,
    readWithStat: path => gate.run(() => outsideGaps(() => readContained(paths, path, readFrom))),
    readLent: (path, use) =>
      lendMemory(async allocate => {
        const read = (): Promise<FileAndStat> => readContained(paths, path, readFrom, allocate);
        const { bytes, stat } = await gate.run(() => outsideGaps(read));
        return use(bytes, stat);
      }),
    replace: (path, bytes, precondition) =>
      reporting(path, async () => {
        const target = await paths.writable(path);
        if (!(await holds(target, precondition))) throw new AppError('FILE_CHANGED', { file: path });
        const isExpected = (at: string): Promise<boolean> => holds(at, precondition);
        await using folder = await AnchoredFolder.open(dirname(target), await paths.rootOnDisk());
        const place = folder.at(basename(target));
        const result = await replaceFile(place, bytes, precondition.kind === 'absent' ? undefined : isExpected).catch(
          async (error: unknown) => {
            await folder.removeCreated();
            throw error;
          },
        );
        await folder.verify();
        if (result === 'changed') {
          await folder.removeCreated();
          throw new AppError('FILE_CHANGED', { file: path });
        }
        if (result === 'overwritten') throw new AppError('FILE_OVERWRITTEN', { file: path });
        if (result === 'corrupted')
          throw new AppError('FS_WRITE_FAILED', {
            file: path,
            reason: 'the disk returned other bytes than were written',
          });
      }),
    remove: (path, precondition) =>
      reporting(path, async () => {
        const entry = await entryOf(paths, path);
        await using folder = await AnchoredFolder.open(dirname(entry), await paths.rootOnDisk());
        const place = folder.at(basename(entry));
        if (precondition.kind === 'emptyFolder') await removeFolder(place, path);
        else if (!(await holds(await paths.writable(path), precondition)))
          throw new AppError('FILE_CHANGED', { file: path });
        else if (precondition.kind === 'hash' && !(await removeFile(place, at => holds(at, precondition))))
          throw new AppError('FILE_CHANGED', { file: path });
        await flushFolder(folder.at('.'));
        await folder.verify();
      }),
    sweep: path =>
      gate.run(async () => {
        try {
          const folder = await paths.existing(path);
          await using anchored = await AnchoredFolder.open(folder, await paths.rootOnDisk());
          const unfinished = (await readdir(folder)).filter(isUnfinished);
          for (const name of unfinished) await restoreAside(anchored.at('.'), name);
          for (const name of unfinished) await unlink(anchored.at(name));
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }),
  };
}

/** More than two, because the next gap follows within milliseconds while thousands of files are replaced. */
const MAX_TRIES = 3;

/** Tries again when a file was not found while this process replaced one (`exchange`). */
async function outsideGaps<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = countGaps();
    try {
      return await work();
    } catch (error) {
      if (!isNotFound(error) || countGaps() === before || tries === MAX_TRIES) throw error;
    }
  }
}

/** The entries of a folder, after what a crash left there was repaired. Lists again if this process replaced a file meanwhile, which could be missing. */
async function entriesOf(folder: string, root: string): Promise<readonly Dirent[]> {
  for (let tries = 1; ; tries += 1) {
    const before = countGaps();
    const entries = await readdir(folder, { withFileTypes: true });
    const unfinished = entries.map(({ name }) => name).filter(isUnfinished);
    let isRestored = false;
    if (unfinished.length > 0) {
      await using anchored = await AnchoredFolder.open(folder, root);
      isRestored = await removeAbandoned(anchored.at('.'), unfinished);
    }
    if ((!isRestored && countGaps() === before) || tries === MAX_TRIES) return entries;
  }
}

/** Reads a file. Resolves its whole path only if the file is a link, or if the system cannot refuse to open links. */
async function readContained(
  paths: ContainedPaths,
  path: ProjectPath,
  readFrom: typeof readOpen,
  allocate?: Allocate,
): Promise<FileAndStat> {
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  if (O_NOFOLLOW === undefined) return readFrom(await paths.existing(path), constants.O_RDONLY, allocate);
  try {
    // Opening a pipe would block.
    return await readFrom(await paths.forReading(path), constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK, allocate);
  } catch (error) {
    if (!hasErrorCode(error, 'ELOOP')) throw error;
    return readFrom(await paths.existing(path), constants.O_RDONLY | O_NONBLOCK, allocate);
  }
}

/** Resolves a link to the kind of its target; an outside, dangling or circular link is `other`. */
async function kindOfLink(
  paths: ContainedPaths,
  folder: string,
  name: string,
): Promise<Pick<FileStat, 'kind' | 'target'>> {
  try {
    const real = await realPathOf(join(folder, name));
    if (!(await paths.isInside(real)) || isInside(folder, real)) return { kind: 'other' };
    return { kind: toFileStat(await stat(real)).kind, target: await paths.pathOf(real) };
  } catch {
    // The target does not exist or cannot be read.
    return { kind: 'other' };
  }
}

async function entryOf(paths: ContainedPaths, path: ProjectPath): Promise<string> {
  try {
    return await paths.entry(path);
  } catch (error) {
    if (isNotFound(error)) throw new AppError('FILE_CHANGED', { file: path });
    throw error;
  }
}

async function removeFolder(entry: string, path: ProjectPath): Promise<void> {
  try {
    await rmdir(entry);
  } catch (error) {
    if (hasErrorCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'))
      throw new AppError('FILE_CHANGED', { file: path });
    throw error;
  }
}

/** Converts a failure of the operating system to an error of the catalog. */
async function reporting(path: ProjectPath, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw writeFailed(path, error);
  }
}
