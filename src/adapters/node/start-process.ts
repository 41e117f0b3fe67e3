import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { threadProgram } from './on-demand-thread.ts';
import type { OutputName, ProcessOptions, ProcessReply, ProcessRequest } from './process-worker.ts';

/** A process that a thread has started. Both outputs must be read to their end or destroyed. */
export interface StartedProcess {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code; `null` if a signal ended the process. Rejects if it could not be started. */
  readonly ended: Promise<number | null>;
  /** Writes to the standard input; `undefined` ends it. */
  write(text: string | undefined): void;
  kill(signal?: NodeJS.Signals): void;
}

export type StartProcess = (options: ProcessOptions) => StartedProcess;

export interface ProcessThreadOptions {
  /** The path of the thread's program. */
  readonly worker?: URL;
  /** Milliseconds after which an unused thread ends. */
  readonly idleMs?: number;
}

interface Live {
  readonly outputs: Readonly<Record<OutputName, Readable>>;
  readonly ending: PromiseWithResolvers<number | null>;
}

/**
 * Starts processes in a thread, so that starting them does not block this one. The thread starts with the first process, and ends when it
 * is unused.
 */
export function createProcessThread({
  worker = threadProgram('./process-worker.js', './process-worker.ts'),
  idleMs = 60_000,
}: ProcessThreadOptions = {}): StartProcess {
  const live = new Map<number, Live>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = (): void => {
    const ended = thread;
    thread = undefined;
    void ended?.terminate();
  };
  const receive = (reply: ProcessReply): void => {
    const to = live.get(reply.id);
    if (reply.kind === 'output') return void to?.outputs[reply.output].push(reply.bytes ?? null);
    if (reply.failure === undefined) return to?.ending.resolve(reply.code);
    const { message, code } = reply.failure;
    to?.ending.reject(Object.assign(new Error(message), code !== undefined && { code, syscall: 'spawn' }));
    to?.outputs.stdout.push(null);
    to?.outputs.stderr.push(null);
  };
  const startThread = (): Worker => {
    const started = new Worker(worker, { name: 'Atlas Bridge processes' });
    const fail = (error: Error): void => {
      if (started !== thread) return;
      end();
      for (const { ending, outputs } of live.values()) {
        ending.reject(error);
        outputs.stdout.destroy();
        outputs.stderr.destroy();
      }
    };
    started.on('message', receive);
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the thread Atlas Bridge processes ended')));
    return started;
  };

  return options => {
    clearTimeout(idle);
    const used = (thread ??= startThread());
    used.ref();
    lastId += 1;
    const id = lastId;
    const post = (request: ProcessRequest): void => used.postMessage(request);
    const outputOf = (output: OutputName): Readable =>
      new Readable({
        read: () => post({ id, kind: 'read', output }),
        destroy(error, done) {
          post({ id, kind: 'close', output });
          done(error);
        },
      });
    const outputs = { stdout: outputOf('stdout'), stderr: outputOf('stderr') };
    const ending = Promise.withResolvers<number | null>();
    live.set(id, { outputs, ending });
    post({ id, kind: 'start', options });
    const closings = Object.values(outputs).map(output => new Promise(resolve => output.once('close', resolve)));
    const release = (): void => {
      live.delete(id);
      if (live.size > 0 || used !== thread) return;
      // An unused thread must not keep a command line program running.
      used.unref();
      idle = setTimeout(end, idleMs).unref();
    };
    // A process that was not started has no output.
    void Promise.all([ending.promise, ...closings]).then(release, release);
    return {
      ...outputs,
      ended: ending.promise,
      write: text => post({ id, kind: 'write', text }),
      kill: (signal = 'SIGTERM') => post({ id, kind: 'kill', signal }),
    };
  };
}

/** Starts processes in the thread that all callers share. */
export const startProcess: StartProcess = createProcessThread();
