/** The runtime that every compiled program contains. It has all the rights of the user who starts the program. */
import { mkdtempSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { hasErrorCode } from '../../base/errno.ts';
import { ProgramStop } from '../../base/program-stop.ts';
import { heapMegabytes, threadMegabytes, watchMemory } from '../program/host/memory-limit.ts';
import { inheritedOutput, SIGPIPE_EXIT_CODE } from '../program/host/output.ts';
import { createProgramHost } from '../program/host/program-host.ts';
import { STACK_MB } from '../program/host/program-thread.ts';
import { type MakeProgram, runProgram } from '../program/runtime/run-program.ts';

interface Job {
  /** Folder of the temporary folders of the program. */
  readonly plutoTemporary: string;
  readonly megabytes: number;
}

const isJob = (data: unknown): data is Job => typeof data === 'object' && data !== null && 'plutoTemporary' in data;

/** Runs the program in a thread, which has a larger stack than the process, and sets the exit code of the process. */
export function start(make: MakeProgram): void {
  if (!isMainThread && isJob(workerData)) return parentPort?.postMessage(run(make, workerData));
  const temporary = mkdtempSync(join(tmpdir(), 'pluto-'));
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
  const job: Job = { plutoTemporary: temporary, megabytes: heapMegabytes() };
  const [, file = ''] = process.argv;
  if (!isMainThread || !isCompiled(file)) {
    process.exitCode = run(make, job);
    return;
  }
  const worker = new Worker(file, {
    workerData: job,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: threadMegabytes(job.megabytes) },
  });
  let isOutOfMemory = false;
  const endWatch = watchMemory(job.megabytes, () => {
    isOutOfMemory = true;
    void worker.terminate();
  });
  worker.once('exit', () => {
    endWatch();
    if (!isOutOfMemory) return;
    process.exitCode = 1;
    writeSync(2, OUT_OF_MEMORY);
  });
  worker.once('message', (exitCode: number) => {
    process.exitCode = exitCode;
  });
  worker.once('error', error => {
    process.exitCode = 1;
    if (hasErrorCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) isOutOfMemory = true;
    else writeSync(2, 'pluto: internal error\n');
  });
}

const OUT_OF_MEMORY = 'pluto: out of memory\n';

/** Whether the process was started with the compiled file, and not with another program that loads it. */
function isCompiled(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('plutoStandalone.start(');
  } catch {
    return false;
  }
}

function run(make: MakeProgram, { plutoTemporary: temporary, megabytes }: Job): number {
  const host = createProgramHost({
    output: inheritedOutput,
    input: undefined,
    environment: process.env,
    reach: { folder: process.cwd(), temporary, isUnlimited: true },
    heapMegabytes: megabytes,
    createIgnored: undefined,
  });
  try {
    return runProgram(make, host);
  } catch (error) {
    if (!(error instanceof ProgramStop)) throw error;
    return SIGPIPE_EXIT_CODE;
  }
}
