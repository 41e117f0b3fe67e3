/**
 * `atlas-bridge pluto run` as one file (`dist/pluto-run.cjs`), with the code that a program needs and nothing else. Finding and reading 60
 * files of the command line takes longer than checking and running a short program.
 */
import { readFileSync, statSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { executeCommandLine } from '../../cli/command-line.ts';
import { exitCodes } from '../../cli/io.ts';
import { unreadLogFilter } from '../../cli/log-level.ts';
import { processIo } from '../../cli/process-io.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import { heapMegabytes } from '../program/host/memory-limit.ts';
import type { ReadyThread } from '../program/host/run-thread.ts';
import { executePluto, type PlutoCode } from './execute.ts';
import { JournalUnavailable } from './open-session.ts';
import { type ProgramCode, runFile } from './run.ts';

/** Words of programs that are not short (`isShort`). Others start their thread when they are compiled. */
const LONG_PROGRAM = /\b(?:for|while|spawn|import|class|enum|app)\b/;

const programCode: ProgramCode = {
  loadHere: async () => (await import('../program/host/run-short-program.ts')).runShortProgram,
  loadInThread: async () => (await import('../program/host/run-with-streams.ts')).runWithStreams,
};

async function startReadyThread(): Promise<ReadyThread> {
  const { ReadyThread } = await import('../program/host/run-thread.ts');
  return new ReadyThread(heapMegabytes());
}

function mayNeedThread([, , ...rest]: readonly string[]): boolean {
  const file = rest.find(arg => !arg.startsWith('-'));
  try {
    return file !== undefined && statSync(file).isFile() && LONG_PROGRAM.test(readFileSync(file, 'latin1'));
  } catch {
    // The command says why it cannot be read.
    return false;
  }
}

/**
 * @param args start with `pluto run`
 * @returns the exit code; `undefined` if nothing was done, because the complete command line is required
 */
export async function main(args: readonly string[], version: string): Promise<number | undefined> {
  // Otherwise both would print the warning.
  if (unreadLogFilter(process.env['ATLAS_BRIDGE_LOG']) !== undefined) return undefined;
  // A thread takes as long to start as the program takes to compile.
  using ready = mayNeedThread(args) ? await startReadyThread() : undefined;
  const code: PlutoCode = {
    loadCommand: async () => (target, parsed, io) => runFile(target, parsed, io, programCode, ready),
    loadJournal: () => Promise.reject(new JournalUnavailable()),
  };
  const io = processIo(args, version);
  try {
    return await executeCommandLine(args, io, (_, rest, commandIo) => executePluto(rest, commandIo, code));
  } catch (error) {
    if (error instanceof JournalUnavailable) return undefined;
    reportFailure(AppError.from(error), io);
    return exitCodes.failed;
  }
}
