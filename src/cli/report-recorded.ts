import { realpathSync } from 'node:fs';
import type { CliIo } from './io.ts';

/**
 * Prints which command restores what a command replaces.
 *
 * @param what `the previous game.rbxl`
 * @param folder of the journal, absolute, links followed
 */
export function reportRecorded(what: string, runId: string, folder: string, { cwd, err }: CliIo): void {
  const project = realpathSync(cwd) === folder ? '' : ` '${folder}'`;
  err(`note: recorded ${what}; to restore it, run 'atlas-bridge restore${project} --run ${runId}'`);
}
