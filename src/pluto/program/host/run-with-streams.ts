import { rmSync, writeSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { heapMegabytes } from './memory-limit.ts';
import { SIGPIPE_EXIT_CODE } from './output.ts';
import { type ReadyThread, runThread } from './run-thread.ts';

/** A thread that waits for input cannot be stopped in this time. */
const STOP_MS = 200;

/**
 * Runs a person's program in a thread with a large stack, with the streams, rights and signals of this process.
 *
 * @param cwd working directory, absolute
 * @param ready runs the program, if given
 * @returns the exit status; 128 plus the number of the signal that aborted `signal`
 * @throws the abort reason if `signal` is already aborted
 */
export async function runWithStreams(
  program: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  ready?: ReadyThread,
): Promise<number> {
  signal.throwIfAborted();
  const temporary = await mkdtemp(join(tmpdir(), 'pluto-'));
  let endedBy: 'SIGINT' | 'SIGTERM' = 'SIGTERM';
  const onInterrupt = (): void => {
    endedBy = 'SIGINT';
  };
  const stop = (): void => {
    rmSync(temporary, { recursive: true, force: true });
    setTimeout(() => process.kill(process.pid, endedBy), STOP_MS).unref();
  };
  process.prependListener('SIGINT', onInterrupt);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { exitCode, stopped } = await runThread(
      {
        program,
        tests: undefined,
        output: 'streams',
        input: undefined,
        environment,
        reach: { folder: cwd, temporary, isUnlimited: true },
      },
      {
        seconds: undefined,
        megabytes: heapMegabytes(),
        outputBytes: Number.POSITIVE_INFINITY,
      },
      signal,
      undefined,
      { ready },
    );
    if (stopped?.budget === 'memory') writeSync(2, `pluto: out of memory (${stopped.limit} megabytes)\n`);
    return exitCode ?? (stopped?.budget === 'memory' ? 1 : SIGPIPE_EXIT_CODE);
  } catch (error) {
    if (!signal.aborted) throw error;
    return 128 + constants.signals[endedBy];
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    signal.removeEventListener('abort', stop);
    rmSync(temporary, { recursive: true, force: true });
  }
}
