import type { BigIntStats } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type FileContent, hasContent } from '../adapters/fs/replace-file.ts';
import { replaceSeenFile, replaceWholeFile, writeWholeFile } from '../adapters/fs/write-whole-file.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { createWrittenOutputs, type FileStamp, type WrittenOutputs } from '../adapters/node/written-outputs.ts';
import type { ProjectPath } from '../base/brand.ts';
import { ifFound } from '../base/errno.ts';
import { AppError } from '../base/errors.ts';
import { isProjectPath } from '../base/project-path.ts';
import type { CliIo } from './io.ts';
import { openCommandJournal } from './open-journal.ts';

/** The output file of a command. */
export interface OutputFile {
  /** Absolute, real folder of the project, whose journal records what is replaced. */
  readonly folder: string;
  /** Absolute. */
  readonly file: string;
  /** The command, as the history names it: `build`. */
  readonly command: string;
}

/**
 * Writes a file completely or not at all. Other content of a file of the project is recorded before it is replaced, so that `restore` and
 * the History view bring it back. The result of an earlier command is not recorded, because the command can make it again.
 *
 * @throws AppError FS_WRITE_FAILED, also if the file changes meanwhile; STATE_NOT_WRITABLE; then nothing was written
 */
export async function writeOutput(output: OutputFile, content: FileContent, io: CliIo): Promise<void> {
  const { folder, file } = output;
  const path = await pathInside(folder, file);
  const there = await ifFound(stat(file, { bigint: true }));
  // A device has no content that could be lost.
  if (path === undefined || there?.isFile() === false) return writeWholeFile(file, content);
  const outputs = createWrittenOutputs(stateFolder(folder, io.env));
  const isReplaced =
    there !== undefined && (await outputs.has(path, stampOf(there)))
      ? await replaceSeenFile(file, content, there)
      : await replaceRecorded(path, there && (await readFile(file)), output, content, io);
  if (!isReplaced) throw new AppError('FS_WRITE_FAILED', { file, reason: 'it has changed meanwhile' });
  // Without this, the next command records the file again, although nothing else has written it.
  await rememberOutput(outputs, path, file, content).catch(() => undefined);
}

/** Records the old content and replaces it. `old`: `undefined` if there is no file. Resolves with false if the file has other content by then. */
async function replaceRecorded(
  path: ProjectPath,
  old: Buffer | undefined,
  { folder, file, command }: OutputFile,
  content: FileContent,
  io: CliIo,
): Promise<boolean> {
  if (old !== undefined && !isSame(old, content)) {
    const { recordFile } = await openCommandJournal(folder, io);
    const runId = await recordFile({ path, bytes: old, content: recordable(content), requestedBy: command });
    io.err(`note: recorded the previous ${path}; to restore it, run 'atlas-bridge restore --run ${runId}'`);
  }
  return replaceWholeFile(file, content, now => old?.equals(now) === true);
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

/** A larger result is not recorded with the content that it replaces. */
const MAX_RECORDED_BYTES = 4 * 1024 * 1024;

function recordable(content: FileContent): Uint8Array | undefined {
  const parts = content instanceof Uint8Array ? [content] : content;
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return size > MAX_RECORDED_BYTES ? undefined : Buffer.concat(parts, size);
}

/** The path of the file relative to the folder; `undefined` if the file is elsewhere. */
async function pathInside(folder: string, file: string): Promise<ProjectPath | undefined> {
  const parent = await ifFound(realpath(dirname(file)));
  const path = relative(folder, parent === undefined ? resolve(file) : join(parent, basename(file)));
  const parts = path.split(sep).join('/');
  return parts !== '' && isProjectPath(parts) ? parts : undefined;
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
