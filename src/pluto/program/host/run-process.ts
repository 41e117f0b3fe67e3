import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, tmpdir } from 'node:os';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ProgramJob } from './program-thread.ts';
import { workerFile } from './worker-file.ts';

/** Kilobytes that fit into the default process stack. */
const STACK_KB = 3_900;

/**
 * Runs a person's program in a child process, with the person's rights, terminal and signals.
 *
 * @param cwd working directory, absolute
 * @returns the exit status; 128 plus the signal number if a signal ended it
 * @throws the abort reason if `signal` is already aborted; a later abort ends the program with SIGTERM
 */
export async function runInProcess(
  program: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const job: ProgramJob = {
    program,
    tests: undefined,
    output: undefined,
    input: undefined,
    environment,
    reach: { folder: cwd, temporary: tmpdir(), isUnlimited: true },
  };
  const child = spawn(process.execPath, [`--stack-size=${STACK_KB}`, fileURLToPath(workerFile())], {
    cwd,
    // Inside VS Code, `process.execPath` is Electron; this variable makes it run as Node.
    env: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
    // The first three streams belong to the program; the job is sent through a fourth.
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  const closed = once(child, 'close');
  const pipe = child.stdio[3];
  // A program that has ended no longer listens.
  if (pipe instanceof Writable) pipe.on('error', () => undefined).end(JSON.stringify(job));
  try {
    const [code, endedBy] = (await closed) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (endedBy === null ? 0 : constants.signals[endedBy]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
