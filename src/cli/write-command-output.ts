import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileContent } from '../adapters/fs/replace-file.ts';
import { type OutputFile, writeOutput } from '../app/write-output.ts';
import { ifFound } from '../base/errno.ts';
import { writeFailed } from '../base/write-failed.ts';
import type { CliIo } from './io.ts';
import { openCommandJournal } from './open-journal.ts';
import { reportRecorded } from './report-recorded.ts';

/** Writes the output file of a command, and prints how to restore the file that it replaced. @throws AppError as `writeOutput` */
export const writeCommandOutput = (output: OutputFile, content: FileContent, io: CliIo): Promise<void> =>
  writeOutput(output, content, {
    env: io.env,
    async record(folder, file) {
      const { recordFile } = await openCommandJournal(folder, io);
      const runId = await recordFile(file);
      reportRecorded(`the previous ${file.path}`, runId, folder, io);
    },
  });

/** The output file as given; `undefined` for standard output, which is `-` by convention. */
export const fileOrStandardOutput = (output: string | undefined): string | undefined =>
  output === '-' ? undefined : output;

/**
 * Fails before a command does its work if its output file cannot be written.
 *
 * @param file absolute
 * @throws AppError FS_WRITE_FAILED
 */
export async function checkOutput(file: string): Promise<void> {
  try {
    const there = await ifFound(stat(file));
    if (there?.isDirectory() === true) throw systemError('EISDIR');
    // A device or a pipe is not replaced.
    if (there?.isFile() === false) return;
    let folder = dirname(file);
    let above = await ifFound(stat(folder));
    // A drive of Windows may not exist.
    for (; above === undefined && folder !== dirname(folder); above = await ifFound(stat(folder)))
      folder = dirname(folder);
    if (above === undefined) throw systemError('ENOENT');
    if (!above.isDirectory()) throw systemError('ENOTDIR');
    await access(folder, constants.W_OK);
  } catch (error) {
    throw writeFailed(file, error);
  }
}

const systemError = (code: string): Error => Object.assign(new Error(code), { code, syscall: 'open' });
