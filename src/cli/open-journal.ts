import { createNodeFileSystem } from '../adapters/fs/node-file-system.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { nodeHasher } from '../adapters/node/hasher.ts';
import { commandJournal } from '../adapters/node/journal/known-journals.ts';
import { createFileJournalStore } from '../adapters/node/journal/file-journal-store.ts';
import { nodeRandom } from '../adapters/node/random.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { formatSentence } from '../base/sentence.ts';
import type { FileTransactions } from '../ports/file-transactions.ts';
import { journalLimitsOf } from '../ports/settings.ts';
import { recoverInterrupted } from '../sync/recover/recover-interrupted.ts';
import { createFileTransactions } from '../sync/transactions/file-transactions.ts';
import { recordReplacedFile, type ReplacedFile } from '../sync/transactions/record-replaced-file.ts';
import { readCommandSettings } from './command-settings.ts';
import type { CliIo } from './io.ts';
import { commandLog } from './log-level.ts';

export interface CommandJournal {
  readonly transactions: FileTransactions;
  /** Whether writes of an interrupted command were completed, so that files must be read again. */
  readonly hasRecovered: boolean;
  /** Records a file that a command replaces. Resolves with the id of the record. @throws AppError STATE_NOT_WRITABLE */
  readonly recordFile: (file: ReplacedFile) => Promise<string>;
}

/** Opens the journal of a folder, and completes what interrupted commands left behind. Prints a line for each of them. */
export async function openCommandJournal(folder: string, io: CliIo): Promise<CommandJournal> {
  const journal = createFileJournalStore(commandJournal(stateFolder(folder, io.env)));
  const log = commandLog(io, 'error');
  const settings = await readCommandSettings(folder, new Map(), log);
  const deps = {
    files: createNodeFileSystem(folder, nodeHasher),
    journal,
    limits: () => journalLimitsOf(settings),
    hasher: nodeHasher,
    random: nodeRandom,
    clock: nodeClock,
    log,
  };
  const recovered = await recoverInterrupted(deps);
  for (const { sentence } of recovered) io.err(formatSentence(sentence));
  return {
    transactions: createFileTransactions(deps),
    hasRecovered: recovered.length > 0,
    recordFile: file => recordReplacedFile(file, deps),
  };
}
