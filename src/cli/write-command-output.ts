import type { FileContent } from '../adapters/fs/replace-file.ts';
import { type OutputFile, writeOutput } from '../app/write-output.ts';
import type { CliIo } from './io.ts';
import { openCommandJournal } from './open-journal.ts';

/** Writes the output file of a command, and prints how to restore the file that it replaced. @throws AppError as `writeOutput` */
export const writeCommandOutput = (output: OutputFile, content: FileContent, io: CliIo): Promise<void> =>
  writeOutput(output, content, {
    env: io.env,
    async record(folder, file) {
      const { recordFile } = await openCommandJournal(folder, io);
      const runId = await recordFile(file);
      const project = folder === output.folder ? '' : ` '${folder}'`;
      io.err(
        `note: recorded the previous ${file.path}; to restore it, run 'atlas-bridge restore${project} --run ${runId}'`,
      );
    },
  });
