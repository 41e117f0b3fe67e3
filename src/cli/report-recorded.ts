import { realpathSync } from 'node:fs';
import type { CliIo } from './io.ts';
import { shellWord } from './shell-word.ts';

/**
 * Prints which command restores what a command replaces.
 *
 * @param what `the previous game.rbxl`
 * @param folder of the journal, absolute, links followed
 */
export function reportRecorded(what: string, runId: string, folder: string, io: CliIo): void {
  const project = realpathSync(io.cwd) === folder ? '' : ` ${shellWord(folder)}`;
  io.err(`note: recorded ${what}; to restore it, run 'atlas-bridge restore${project} --run ${runId}'`);
}
