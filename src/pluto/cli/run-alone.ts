/**
 * `atlas-bridge pluto run` as one file (`dist/pluto-run.cjs`), with the code that a program needs and nothing else. Finding and reading 60
 * files of the command line takes longer than checking and running a short program.
 */
import { AppError } from '../../base/errors.ts';
import { executeCommandLine } from '../../cli/command-line.ts';
import { exitCodes } from '../../cli/io.ts';
import { unreadLogFilter } from '../../cli/log-level.ts';
import { processIo } from '../../cli/process-io.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import { executePluto, type PlutoCode } from './execute.ts';
import { JournalUnavailable } from './open-session.ts';
import { runFile } from './run.ts';

const code: PlutoCode = {
  loadCommand: async () => runFile,
  loadJournal: () => Promise.reject(new JournalUnavailable()),
};

/**
 * @param args start with `pluto run`
 * @returns the exit code; `undefined` if nothing was done, because the complete command line is required
 */
export async function main(args: readonly string[], version: string): Promise<number | undefined> {
  // Otherwise both would print the warning.
  if (unreadLogFilter(process.env['ATLAS_BRIDGE_LOG']) !== undefined) return undefined;
  const io = processIo(args, version);
  try {
    return await executeCommandLine(args, io, (_, rest, commandIo) => executePluto(rest, commandIo, code));
  } catch (error) {
    if (error instanceof JournalUnavailable) return undefined;
    reportFailure(AppError.from(error), io);
    return exitCodes.failed;
  }
}
