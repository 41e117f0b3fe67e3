/** The runtime that every compiled program contains. It has all the rights of the user who starts the program. */
import { tmpdir } from 'node:os';
import { inheritedOutput, SIGPIPE_EXIT_CODE } from '../program/host/output.ts';
import { createProgramHost } from '../program/host/program-host.ts';
import { ProgramStop } from '../../base/program-stop.ts';
import { type MakeProgram, runProgram } from '../program/runtime/run-program.ts';

/** Runs the program and sets the exit code of the process. */
export function start(make: MakeProgram): void {
  const host = createProgramHost({
    output: inheritedOutput,
    input: undefined,
    environment: process.env,
    reach: { folder: process.cwd(), temporary: tmpdir(), isUnlimited: true },
  });
  try {
    process.exitCode = runProgram(make, host);
  } catch (error) {
    if (!(error instanceof ProgramStop)) throw error;
    process.exitCode = SIGPIPE_EXIT_CODE;
  }
}
