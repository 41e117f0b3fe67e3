import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { FileContent } from '../adapters/fs/replace-file.ts';
import { replaceWholeFile, writeWholeFile } from '../adapters/fs/write-whole-file.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { createWrittenOutputs } from '../adapters/node/written-outputs.ts';
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
 * @throws AppError FS_WRITE_FAILED, STATE_NOT_WRITABLE; then nothing was written
 */
export function writeOutput(output: OutputFile, content: FileContent, io: CliIo): Promise<void> {
  const { file } = output;
  return recordReplaced(output, content, io, async old => {
    if (old === 'any') return writeWholeFile(file, content);
    if (!(await replaceWholeFile(file, content, now => old !== 'none' && old.equals(now))))
      throw new AppError('FS_WRITE_FAILED', { file, reason: 'it has changed meanwhile' });
  });
}

/** Lets `save` write a file, after recording the other content that it replaces, as `writeOutput` does. */
export const saveOutput = (output: OutputFile, io: CliIo, save: () => Promise<void>): Promise<void> =>
  recordReplaced(output, undefined, io, save);

/** The content that a command may replace; `none`: there is no file; `any`: its own result, a device, or a file outside the project. */
type OldContent = Buffer | 'none' | 'any';

/** @param content the new content, if it is known; a file that has it already is not recorded */
async function recordReplaced(
  { folder, file, command }: OutputFile,
  content: FileContent | undefined,
  io: CliIo,
  write: (old: OldContent) => Promise<void>,
): Promise<void> {
  const path = await pathInside(folder, file);
  if (path === undefined) return write('any');
  const outputs = createWrittenOutputs(stateFolder(folder, io.env));
  const there = await ifFound(stat(file));
  const isOwn = there !== undefined && (!there.isFile() || (await outputs.has(path, there)));
  const old = there === undefined ? 'none' : isOwn ? 'any' : await readFile(file);
  if (typeof old !== 'string' && (content === undefined || !isSame(old, content))) {
    const { recordFile } = await openCommandJournal(folder, io);
    const runId = await recordFile({ path, bytes: old, content: content && recordable(content), requestedBy: command });
    io.err(`note: recorded the previous ${path}; to restore it, run 'atlas-bridge restore --run ${runId}'`);
  }
  await write(old);
  // Without this, the next command records the file again, although nothing else has written it.
  await outputs.remember(path, await stat(file)).catch(() => undefined);
}

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
