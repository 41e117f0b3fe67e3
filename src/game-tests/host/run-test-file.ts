import { Worker } from 'node:worker_threads';
import type { LuauMachineCode } from '../../headless-studio/luau-wasm.ts';
import type { FromTestThread, TestId, TestOutput, TestReport, TestThreadOptions } from '../workers/test-messages.ts';

/** Milliseconds to start the VM and load the place. */
const START_MS = 60_000;
/** Milliseconds that a test may exceed its limit before its thread is ended. Luau itself ends a test that waits too long. */
const GRACE_MS = 3_000;
/** Maximum JavaScript heap of the thread, in addition to the memory of Luau. */
const MAX_HEAP_MEGABYTES = 512;
const PAGES_PER_MEGABYTE = 16;

/** Kept for as long as the process runs, so that only its first test file compiles Luau. */
let luauCode: LuauMachineCode | undefined;

export interface TestFileRun {
  readonly worker: URL;
  readonly options: Omit<TestThreadOptions, 'memoryPages' | 'luauCode'>;
  /** Memory of Luau. */
  readonly memoryMegabytes: number;
  readonly signal: AbortSignal;
  readonly onStarted: (test: TestId) => void;
  readonly onReport: (report: TestReport) => void;
}

/**
 * Runs the tests of one file in a new thread with a new place. A test that does not return, or that takes all memory, ends the thread: it
 * fails with the reason, and the tests after it fail because they were not run. Resolves when the thread has ended; never rejects.
 */
export async function runTestFile(run: TestFileRun): Promise<void> {
  const { options, memoryMegabytes, signal, onStarted, onReport } = run;
  const { seconds } = options.request;
  const memoryPages = memoryMegabytes * PAGES_PER_MEGABYTE;
  const workerData: TestThreadOptions = { ...options, memoryPages, luauCode };
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES };
  const worker = new Worker(run.worker, { workerData, name: 'game test', resourceLimits });
  const done = Promise.withResolvers<string | undefined>();
  let planned: readonly Omit<TestId, 'index'>[] = [];
  let current: TestId = { names: [], line: 1, index: undefined };
  let printed: TestOutput[] = [];
  const reported = new Set<number>();
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const watch = (ms: number, reason: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => done.resolve(reason), ms);
  };
  watch(START_MS, `the place was not loaded within ${START_MS / 1000} s`);
  worker.on('message', (message: FromTestThread) => {
    if (message.kind === 'output') {
      printed.push({ level: message.level, message: message.message });
      return;
    }
    // Messages of the game and background threads do not extend the limit.
    if (message.kind !== 'planned') watch(seconds * 1000 + GRACE_MS, `timed out after ${seconds} s without waiting`);
    switch (message.kind) {
      case 'ready':
        ({ luauCode } = message);
        return;
      case 'planned':
        planned = message.tests;
        return;
      case 'started':
        current = message;
        startedAt = performance.now();
        printed = [];
        return onStarted(message);
      case 'test':
        printed = [];
        if (message.index !== undefined) reported.add(message.index);
        return onReport(message);
      case 'finished':
        return done.resolve(undefined);
      case 'failed':
        return done.resolve(reasonOf(message.message, memoryMegabytes));
    }
  });
  worker.on('error', error => done.resolve(reasonOf(String(error), memoryMegabytes)));
  worker.on('exit', code => done.resolve(`the thread of the test ended with code ${code}`));
  const stop = (): void => done.resolve('cancelled');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const problem = await done.promise;
  const elapsedMs = Math.round(performance.now() - startedAt);
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  worker.removeAllListeners('message');
  await worker.terminate();
  if (problem === undefined || signal.aborted) return;
  const failed = (test: TestId, message: string, ms: number, output: readonly TestOutput[]): void =>
    onReport({ ...test, status: 'failed', ms, failure: { message, stack: [] }, unavailable: [], output });
  if (current.index === undefined || !reported.has(current.index)) failed(current, problem, elapsedMs, printed);
  if (current.index !== undefined) reported.add(current.index);
  for (const [position, test] of planned.entries())
    if (!reported.has(position + 1))
      failed({ ...test, index: position + 1 }, `not run, because an earlier test ended this file: ${problem}`, 0, []);
}

function reasonOf(message: string, memoryMegabytes: number): string {
  return /\bOOM\b|ERR_WORKER_OUT_OF_MEMORY|memory limit|not enough memory/i.test(message)
    ? `exceeded the memory limit of ${memoryMegabytes} MB`
    : `Luau failed: ${message}`;
}
