/**
 * Runs one Pluto program of an agent in a thread, which has a large stack and its own memory limit. The thread is in a separate process,
 * which has this file as its main program and can be killed at any time.
 */
import { isMainThread, parentPort } from 'node:worker_threads';
import type { ProgramThreadJob } from '../program/host/program-thread.ts';
import { runJob } from '../program/host/run-job.ts';

if (isMainThread) {
  const { serveProgramProcess } = await import('../program/host/run-process.ts');
  void serveProgramProcess();
} else {
  const { createIgnoredFiles } = await import('../program/host/ignored-files.ts');
  parentPort?.once('message', (job: ProgramThreadJob) => runJob(job, createIgnoredFiles));
}
