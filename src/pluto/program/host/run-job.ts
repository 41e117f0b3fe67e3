import { parentPort } from 'node:worker_threads';
import { endOfProgram } from './end-of-program.ts';
import { inheritedOutput, type ProgramOutput, sharedOutput } from './output.ts';
import { logMessage, loggedOutput } from './process-log.ts';
import type { CreateIgnored } from './program-files.ts';
import type { ProgramMessage, ProgramThreadJob } from './program-thread.ts';

const post = (message: ProgramMessage): void => parentPort?.postMessage(message);

function outputOf({ output, outputBytes }: ProgramThreadJob): ProgramOutput {
  if (output === 'log') return loggedOutput(outputBytes);
  return output === 'streams' ? inheritedOutput : sharedOutput(output);
}

/** Runs the program of this thread, and reports to the thread that started it. @param createIgnored see `createProgramFiles` */
export function runJob(job: ProgramThreadJob, createIgnored: CreateIgnored | undefined): void {
  // To the parent process too, before anything of the program: it may stop this process before the other thread can pass this on, and only
  // the parent process can end a stopped one.
  if (job.output === 'log') logMessage({ kind: 'begun' });
  post({ kind: 'begun' });
  post(endOfProgram(job, outputOf(job), createIgnored, job.output === 'log' ? logMessage : post));
}
