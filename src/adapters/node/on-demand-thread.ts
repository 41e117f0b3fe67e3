import { type ResourceLimits, Worker } from 'node:worker_threads';
import { hasErrorCode } from '../../base/errno.ts';
import { isBundled } from '../../base/is-bundled.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { WorkLimitError } from '../../base/work-limit-error.ts';
import { failureOf, type RpcReply } from '../../base/worker-rpc.ts';

/** The path of a thread's program: `bundled` beside the bundle, or `source` relative to this folder. */
export const threadProgram = (bundled: string, source: string): URL =>
  new URL(isBundled(import.meta.url) ? bundled : source, import.meta.url);

export interface OnDemandThreadOptions {
  /** The path of the thread's program, which answers requests of `base/worker-rpc.ts`. */
  readonly worker: URL;
  /** Thread name, for debuggers. */
  readonly name: string;
  /** Maximum duration of one request, in milliseconds. */
  readonly maxMs: number;
  /** Milliseconds after which an unused thread ends. */
  readonly idleMs: number;
  readonly resourceLimits?: ResourceLimits;
}

interface Waiter {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Calls methods in a thread that starts with the first call, and ends when it is unused or when a call exceeds a limit. Calls run one after
 * another, each with its own time limit, so that only the call that exceeds a limit rejects with a `WorkLimitError`.
 */
export function createOnDemandThread({
  worker,
  name: threadName,
  maxMs,
  idleMs,
  resourceLimits = {},
}: OnDemandThreadOptions): (method: string, args: unknown) => Promise<unknown> {
  const queue = new SerialQueue();
  const never = new AbortController().signal;
  let waiter: Waiter | undefined;
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = (ended: Worker | undefined, error: Error): void => {
    if (ended === undefined || ended !== thread) return;
    thread = undefined;
    clearTimeout(waiter?.timer);
    waiter?.reject(error);
    waiter = undefined;
    void ended.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(worker, { name: threadName, resourceLimits });
    started.on('message', (reply: RpcReply) => {
      if (started !== thread) return;
      const answered = waiter;
      waiter = undefined;
      clearTimeout(answered?.timer);
      // An unused thread must not keep a command line program running.
      started.unref();
      idle = setTimeout(() => end(started, new Error(`the thread ${threadName} was unused`)), idleMs).unref();
      if (reply.ok) answered?.resolve(reply.answer);
      else answered?.reject(failureOf(reply));
    });
    started.on('error', error => {
      const megabytes = resourceLimits.maxOldGenerationSizeMb;
      const isLimit = megabytes !== undefined && hasErrorCode(error, 'ERR_WORKER_OUT_OF_MEMORY');
      end(started, isLimit ? new WorkLimitError({ kind: 'memory', megabytes }) : error);
    });
    started.on('exit', () => end(started, new Error(`the thread ${threadName} ended`)));
    return started;
  };
  const call = (name: string, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      const called = (thread ??= start());
      called.ref();
      lastId += 1;
      const timer = setTimeout(() => end(called, new WorkLimitError({ kind: 'time', seconds: maxMs / 1000 })), maxMs);
      waiter = { resolve, reject, timer };
      called.postMessage({ id: lastId, name, args });
    });
  return (name, args) => queue.run(never, () => call(name, args));
}
