/** Runs one Pluto program of a person in a thread, which has a large stack. It is one file, because loading is most of its start time. */
import { parentPort } from 'node:worker_threads';
import type { ProgramThreadJob } from '../program/host/program-thread.ts';
import { runJob } from '../program/host/run-job.ts';

parentPort?.once('message', (job: ProgramThreadJob) => runJob(job, undefined));
