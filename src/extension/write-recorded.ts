import { realpath } from 'node:fs/promises';
import { nodeClock } from '../adapters/node/clock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { createFileJournalStore } from '../adapters/node/journal/file-journal-store.ts';
import { commandJournal } from '../adapters/node/journal/known-journals.ts';
import { nodeRandom } from '../adapters/node/random.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { type OutputFile, writeOutput } from '../app/write-output.ts';
import type { Logger } from '../ports/logger.ts';
import { journalLimitsOf } from '../ports/settings.ts';
import { recordReplacedFile } from '../sync/transactions/record-replaced-file.ts';
import { createSettings } from '../vscode/settings.ts';

/**
 * Writes an output file of the window, and records the file that it replaces in the journal of commands, which the History view shows too.
 * Resolves with whether a file was recorded.
 *
 * @param output its folder may contain links
 * @throws AppError as `writeOutput`
 */
export async function writeRecorded(output: OutputFile, content: Uint8Array, log: Logger): Promise<boolean> {
  let isRecorded = false;
  const folder = output.folder && (await realpath(output.folder));
  await writeOutput({ ...output, folder }, content, {
    env: process.env,
    async record(projectFolder, file) {
      const settings = createSettings(undefined);
      const journal = createFileJournalStore(commandJournal(stateFolder(projectFolder, process.env)));
      await recordReplacedFile(file, {
        journal,
        hasher: nodeHasher,
        random: nodeRandom,
        clock: nodeClock,
        limits: () => journalLimitsOf(settings),
        log,
      });
      isRecorded = true;
    },
  });
  return isRecorded;
}
