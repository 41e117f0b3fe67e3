import { Worker } from 'node:worker_threads';
import { hasErrorCode } from '../../../base/errno.ts';
import type { StopReason } from '../../ports/program-runner.ts';
import { threadMegabytes, watchMemory } from './memory-limit.ts';
import { type ProgramJob, type ProgramMessage, type ProgramThreadJob, STACK_MB } from './program-thread.ts';
import { threadFile, workerFile } from './worker-file.ts';

/** Resource limits of a program. */
export interface ProgramLimits {
  /** Wall-clock time from the start of the program; `undefined` means unlimited. */
  readonly seconds: number | undefined;
  readonly megabytes: number;
  /** Limit of each output stream. If it prints to shared memory, the size of that is the limit. */
  readonly outputBytes: number;
}

export interface ThreadResult {
  /** `undefined` if it was stopped. */
  readonly exitCode: number | undefined;
  readonly stopped: StopReason | undefined;
}

interface ThreadOptions {
  /** Whether the process is there for the program alone, so that its end by V8 is a result too. */
  readonly isProcessOwn?: boolean;
  /** Runs the program of a person, if it still can. */
  readonly ready?: ReadyThread | undefined;
}

/** A thread for the program of a person, which loads its code while the program is compiled. Disposing ends it, unless it was taken. */
export class ReadyThread implements Disposable {
  #worker: Worker | undefined;
  readonly #forget = (): void => {
    this.#worker = undefined;
  };

  /** @param megabytes limit of the heap */
  constructor(megabytes: number) {
    // A thread that fails is replaced by one that reports why.
    this.#worker = startThread(threadFile(), megabytes, false).once('error', this.#forget).once('exit', this.#forget);
  }

  /** `undefined` if the thread was taken before, or has ended, or was disposed. */
  take(): Worker | undefined {
    const worker = this.#worker?.off('error', this.#forget).off('exit', this.#forget);
    this.#forget();
    return worker;
  }

  [Symbol.dispose](): void {
    void this.#worker?.terminate();
    this.#forget();
  }
}

const startThread = (file: URL, megabytes: number, isProcessOwn: boolean): Worker =>
  new Worker(file, {
    // The job contains the environment that the program may see.
    env: {},
    // The program writes to the descriptors. Forwarding the streams of the thread would load those of the process.
    stdout: true,
    stderr: true,
    resourceLimits: {
      stackSizeMb: STACK_MB,
      maxOldGenerationSizeMb: isProcessOwn ? megabytes : threadMegabytes(megabytes),
      maxYoungGenerationSizeMb: 32,
    },
  });

/**
 * Runs a program in a thread until it ends or is stopped.
 *
 * @throws the abort reason of `signal`; the thread is terminated
 */
export function runThread(
  job: ProgramJob,
  { seconds, megabytes, outputBytes }: ProgramLimits,
  signal: AbortSignal,
  onMessage: (message: ProgramMessage) => void = () => {},
  { isProcessOwn = false, ready }: ThreadOptions = {},
): Promise<ThreadResult> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const file = job.reach.isUnlimited ? threadFile() : workerFile();
    const worker = ready?.take() ?? startThread(file, megabytes, isProcessOwn);
    worker.postMessage({ ...job, heapMegabytes: megabytes, outputBytes } satisfies ProgramThreadJob);
    let ending: ThreadResult | undefined;
    let failure: unknown;
    const end = (because: ThreadResult): void => {
      ending ??= because;
      void worker.terminate();
    };
    const outOfMemory = stopResult({ budget: 'memory', limit: megabytes, unit: 'megabytes' });
    const endWatch = isProcessOwn ? undefined : watchMemory(megabytes, () => end(outOfMemory));
    let timer: NodeJS.Timeout | undefined;
    const startTimer = (limit: number): void => {
      timer = setTimeout(() => end(stopResult({ budget: 'time', limit, unit: 'seconds' })), limit * 1_000);
    };
    const abort = (): void => end({ exitCode: undefined, stopped: undefined });
    signal.addEventListener('abort', abort, { once: true });
    worker.on('message', (message: ProgramMessage) => {
      if (ending !== undefined) return;
      if (message.kind === 'begun') {
        if (seconds !== undefined) startTimer(seconds);
        onMessage(message);
      } else if (message.kind === 'done') ending = { exitCode: message.exitCode, stopped: undefined };
      else if (message.kind === 'outputFull')
        ending = stopResult({ budget: 'output', limit: outputBytes, unit: 'bytes' });
      else onMessage(message);
    });
    worker.on('error', (error: unknown) => {
      if (hasErrorCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) ending ??= outOfMemory;
      else failure = error;
    });
    worker.on('exit', () => {
      clearTimeout(timer);
      endWatch?.();
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason as Error);
      else if (ending !== undefined) resolve(ending);
      else reject(failure instanceof Error ? failure : new Error('the thread of the program ended without a result'));
    });
  });
}

export const stopResult = (stopped: StopReason): ThreadResult => ({ exitCode: undefined, stopped });
