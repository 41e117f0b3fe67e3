import type { FileContent } from '../adapters/fs/replace-file.ts';
import { type OutputFile, writeOutput } from '../app/write-output.ts';
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
