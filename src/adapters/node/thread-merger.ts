import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { RpcReply } from '../../base/worker-rpc.ts';
import type { CheckedMerge, ScriptMerger, ScriptTexts } from '../../ports/script-merger.ts';

/** The program of the merge thread: beside the bundle, or in the source. */
export function mergeWorker(): URL {
  const bundled = new URL('./merge-worker.js', import.meta.url);
  return existsSync(bundled) ? bundled : new URL('../../sync/workers/merge-worker.ts', import.meta.url);
}

export interface ThreadMergerOptions {
  /** The thread's program. */
  readonly worker: URL;
  /** How long one merge may take. */
  readonly maxMs?: number;
  /** How long an unused thread is kept. */
  readonly idleMs?: number;
}

interface Waiter {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Merges in a thread that starts with the first merge and ends when it is unused or when a merge takes too long. */
export function createThreadMerger({ worker, maxMs = 10_000, idleMs = 60_000 }: ThreadMergerOptions): ScriptMerger {
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
    const started = new Worker(worker, { name: 'Atlas Bridge merges' });
    started.on('message', (reply: RpcReply) => {
      const waiter = waiting.get(reply.id);
      waiting.delete(reply.id);
      clearTimeout(waiter?.timer);
      if (reply.ok) waiter?.resolve(reply.answer);
      else waiter?.reject(new Error(reply.message));
      if (waiting.size > 0) return;
      // An unused thread must not keep a program of the command line running.
      started.unref();
      idle = setTimeout(() => end(started, new Error('the merge thread was unused')), idleMs).unref();
    });
    started.on('error', error => end(started, error));
    started.on('exit', () => end(started, new Error('the merge thread ended')));
    return started;
  };
  const ask = (name: keyof ScriptMerger, args: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      clearTimeout(idle);
      const asked = (thread ??= start());
      asked.ref();
      lastId += 1;
      const timer = setTimeout(() => end(asked, new Error(`the merge did not end within ${maxMs} ms`)), maxMs);
      waiting.set(lastId, { resolve, reject, timer });
      asked.postMessage({ id: lastId, name, args });
    });

  // The thread implements the port, so its answers have the types that the port declares.
  return {
    merge: (texts: ScriptTexts) => ask('merge', texts) as Promise<CheckedMerge>,
    compileProblem: text => ask('compileProblem', text) as Promise<string | undefined>,
  };
}
