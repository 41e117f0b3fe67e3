import { type ResourceLimits, Worker } from 'node:worker_threads';
import { hasErrorCode } from '../../base/errno.ts';
import { isBundled } from '../../base/is-bundled.ts';
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
 * Calls methods in a thread that starts with the first call, and ends when it is unused or when a call takes too long. A call that exceeds
 * a limit rejects with a `WorkLimitError`.
 */
export function createOnDemandThread({
  worker,
  name: threadName,
  maxMs,
  idleMs,
  resourceLimits = {},
}: OnDemandThreadOptions): (method: string, args: unknown) => Promise<unknown> {
  const waiting = new Map<number, Waiter>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  const end = (ended: Worker | undefined, error: Error): void => {
    if (ended === undefined || ended !== thread) return;
    thread = undefined;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    waiting.clear();
    void ended.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(worker, { name: threadName, resourceLimits });
    started.on('message', (reply: RpcReply) => {
      const waiter = waiting.get(reply.id);
      waiting.delete(reply.id);
      clearTimeout(waiter?.timer);
      if (reply.ok) waiter?.resolve(reply.answer);
      else waiter?.reject(failureOf(reply));
      if (waiting.size > 0) return;
      // An unused thread must not keep a command line program running.
      started.unref();
      idle = setTimeout(() => end(started, new Error(`the thread ${threadName} was unused`)), idleMs).unref();
    });
    started.on('error', error => {
      const megabytes = resourceLimits.maxOldGenerationSizeMb;
      const isLimit = megabytes !== undefined && hasErrorCode(error, 'ERR_WORKER_OUT_OF_MEMORY');
      end(started, isLimit ? new WorkLimitError({ kind: 'memory', megabytes }) : error);
    });
    started.on('exit', () => end(started, new Error(`the thread ${threadName} ended`)));
    return started;
  };
  return (name, args) =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      const asked = (thread ??= start());
      asked.ref();
      lastId += 1;
      const timer = setTimeout(() => end(asked, new WorkLimitError({ kind: 'time', seconds: maxMs / 1000 })), maxMs);
      waiting.set(lastId, { resolve, reject, timer });
      asked.postMessage({ id: lastId, name, args });
    });
}
