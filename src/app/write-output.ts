import type { BigIntStats } from 'node:fs';
import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type FileContent, hasContent } from '../adapters/fs/replace-file.ts';
import { replaceSeenFile, replaceWholeFile } from '../adapters/fs/write-whole-file.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { createWrittenOutputs, type FileStamp, type WrittenOutputs } from '../adapters/node/written-outputs.ts';
import type { ProjectPath } from '../base/brand.ts';
import { ifFound } from '../base/errno.ts';
import { AppError } from '../base/errors.ts';
import { writeFailed } from '../base/write-failed.ts';
import { isProjectPath } from '../base/project-path.ts';
import type { ReplacedFile } from '../sync/transactions/record-replaced-file.ts';
import { findProject, projectFolderAbove } from './find-project.ts';

/** The output file of a command. */
export interface OutputFile {
  /** Absolute, real folder of the project that the command works on; `undefined`: it works on none. */
  readonly folder: string | undefined;
  /** Absolute. */
  readonly file: string;
  /** The command, as the history names it: `build`. */
  readonly command: string;
}

export interface WriteOutputDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Records a file in the journal of a folder, before the file is replaced.
   *
   * @param folder absolute, links followed
   * @throws AppError STATE_NOT_WRITABLE; then nothing is written
   */
  record(folder: string, file: ReplacedFile): Promise<void>;
}

/**
 * Writes a file completely or not at all. Records other content of the file before it is replaced, so that `restore` and the History view
 * can restore it: in the project of the command, or in the nearest project above a file outside it. The result of an earlier command is not
 * recorded, because the command can create it again. A device or a pipe receives the content and is not replaced.
 *
 * @throws AppError FILE_CHANGED, FS_WRITE_FAILED, STATE_NOT_WRITABLE; then nothing was written
 */
export async function writeOutput(output: OutputFile, content: FileContent, deps: WriteOutputDeps): Promise<void> {
  const { file } = output;
  const there = await ifFound(stat(file, { bigint: true }));
  if (there?.isFile() === false) return writeInto(file, content);
  const place = await findPlace(output);
  // No journal can name the file, so existing content is never replaced.
  if (place === undefined)
    return expectReplaced(await replaceWholeFile(file, content, now => isSame(now, content)), file);
  const outputs = createWrittenOutputs(stateFolder(place.folder, deps.env));
  const isReplaced =
    there !== undefined && (await outputs.has(place.path, stampOf(there)))
      ? await replaceSeenFile(file, content, there)
      : await replaceRecorded(place, there && (await readOld(file, there.size)), output, content, deps);
  expectReplaced(isReplaced, file);
  // Without this, the next command records the file again, although nothing else has written it.
  await rememberOutput(outputs, place.path, file, content).catch(() => undefined);
}

/** Records the old content and replaces it. `old` is `undefined` if there is no file. Resolves with false if the file changed meanwhile. */
async function replaceRecorded(
  { folder, path }: OutputPlace,
  old: Buffer | undefined,
  { file, command }: OutputFile,
  content: FileContent,
  deps: WriteOutputDeps,
): Promise<boolean> {
  if (old !== undefined && !isSame(old, content))
    await deps.record(folder, { path, bytes: old, content: recordable(content), requestedBy: command });
  return replaceWholeFile(file, content, now => old?.equals(now) === true);
}

/** The largest file that Node reads in one call. */
const MAX_OLD_BYTES = 2 ** 31 - 1;

async function readOld(file: string, size: bigint): Promise<Buffer> {
  if (size <= MAX_OLD_BYTES) return readFile(file);
  throw new AppError('FS_WRITE_FAILED', {
    file,
    reason: 'its previous content is larger than 2 GB and cannot be recorded',
  });
}

function expectReplaced(isReplaced: boolean, file: string): void {
  if (!isReplaced) throw new AppError('FILE_CHANGED', { file });
}

/** Writes into a device or a pipe, whose content cannot be lost. A rename would replace the device by a file. */
async function writeInto(file: string, content: FileContent): Promise<void> {
  try {
    await writeFile(file, content instanceof Uint8Array ? [content] : content);
  } catch (error) {
    throw writeFailed(file, error);
  }
}

/** Remembers a file as a result, unless a person has saved it already. */
async function rememberOutput(
  outputs: WrittenOutputs,
  path: ProjectPath,
  file: string,
  content: FileContent,
): Promise<void> {
  // The content is compared after the stamp was taken: a later edit changes the stamp.
  const written = await stat(file, { bigint: true });
  if (await hasContent(file, content)) await outputs.remember(path, stampOf(written));
}

const stampOf = ({ size, ctimeNs }: BigIntStats): FileStamp => ({ size: Number(size), ctimeMs: Number(ctimeNs) / 1e6 });

/** Maximum size of a result that is recorded beside the content that it replaces. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024;

function recordable(content: FileContent): Uint8Array | undefined {
  const parts = content instanceof Uint8Array ? [content] : content;
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return size > MAX_RECORDED_BYTES ? undefined : Buffer.concat(parts, size);
}

/** The journal that records a file, by its folder, and the path of the file there. */
interface OutputPlace {
  readonly folder: string;
  readonly path: ProjectPath;
}

/** `undefined` for a name that no project path can have. */
async function findPlace({ folder, file }: OutputFile): Promise<OutputPlace | undefined> {
  const existing = await ifFound(realpath(dirname(file)));
  const parent = existing ?? resolve(dirname(file));
  const real = join(parent, basename(file));
  const inside = folder === undefined ? undefined : pathBelow(folder, real);
  if (folder !== undefined && inside !== undefined) return { folder, path: inside };
  // The folder that `restore` uses for this one.
  const above =
    existing === undefined ? parent : (await findProject(await projectFolderAbove(parent), undefined)).folder;
  const path = pathBelow(above, real);
  return path && { folder: above, path };
}

function pathBelow(folder: string, file: string): ProjectPath | undefined {
  const path = relative(folder, file).split(sep).join('/');
  return path !== '' && isProjectPath(path) ? path : undefined;
}

function isSame(old: Uint8Array, content: FileContent): boolean {
  const parts = content instanceof Uint8Array ? [content] : content;
  let at = 0;
  for (const part of parts) {
    if (Buffer.compare(old.subarray(at, at + part.length), part) !== 0) return false;
    at += part.length;
  }
  return at === old.length;
}
