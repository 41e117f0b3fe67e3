/**
 * The thread in which one Pluto program runs: it may be ended at any time, and what it takes of memory is not ours. Or a process, for a
 * program that a person runs.
 */
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { inheritedOutput, lengthsOf, NOBODY_READS, sharedOutput } from '../program/host/output.ts';
import { createProgramHost } from '../program/host/program-host.ts';
import type { ProgramJob, ProgramMessage } from '../program/host/program-thread.ts';
import { ProgramStop } from '../../base/program-stop.ts';
import { type MakeProgram, runProgram } from '../program/runtime/run-program.ts';
import { runTests, testsOf } from '../program/runtime/run-tests.ts';

const tell = (message: ProgramMessage): void => parentPort?.postMessage(message);

function work({ program, tests, output, input, environment, reach }: ProgramJob): ProgramMessage {
  const host = createProgramHost({
    output: output === undefined ? inheritedOutput : sharedOutput(output),
    input,
    environment,
    reach,
  });
  // Text that our own compiler has made of a program which its checker has passed.
  const make = compileFunction(program, ['$rt']) as MakeProgram;
  try {
    if (tests === undefined) return { kind: 'done', exitCode: runProgram(make, host) };
    const { filter } = tests;
    tell({ kind: 'tests', names: testsOf(make, host).filter(name => name.includes(filter)) });
    const printed = () => (output === undefined ? { stdout: 0, stderr: 0 } : lengthsOf(output));
    runTests(make, host, filter, ending => tell({ kind: 'ended', ...ending, printed: printed() }));
    return { kind: 'done', exitCode: 0 };
  } catch (error) {
    if (error instanceof ProgramStop) return { kind: 'outputFull' };
    throw error;
  }
}

// Whoever starts it gives it the job: a thread with its data, a process by its fourth file.
if (isMainThread) {
  const ended = work(JSON.parse(readFileSync(3, 'utf8')) as ProgramJob);
  process.exitCode = ended.kind === 'done' ? ended.exitCode : NOBODY_READS;
} else {
  tell({ kind: 'begun' });
  tell(work(workerData as ProgramJob));
}
