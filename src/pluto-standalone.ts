/** What every compiled program carries: the runtime over Node, with everything in reach that whoever starts it may reach. */
import { tmpdir } from 'node:os';
import { inheritedOutput } from './adapters/pluto-program/output.ts';
import { createProgramHost } from './adapters/pluto-program/program-host.ts';
import { type MakeProgram, runProgram } from './core/pluto/backend/runtime/run-program.ts';

/** Runs the program; the status of the process is its own. */
export function start(make: MakeProgram): void {
  const host = createProgramHost({
    output: inheritedOutput,
    input: undefined,
    environment: process.env,
    reach: { folder: process.cwd(), temporary: tmpdir(), isUnlimited: true },
  });
  process.exitCode = runProgram(make, host);
}
