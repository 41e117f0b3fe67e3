import { Worker } from 'node:worker_threads';
import { threadProgram } from '../node/on-demand-thread.ts';
import type { GitReply, GitRequest } from './git-worker.ts';
import { GitError, type RunGit, runGit } from './run-git.ts';

export interface ThreadGitOptions {
  /** The path of the thread's program. */
  readonly worker?: URL;
  /** Milliseconds after which an unused thread ends. */
  readonly idleMs?: number;
}

interface Waiter {
  readonly resolve: (reply: GitReply) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs git like `runGit`, and starts it in a thread, so that starting it does not block this one. The thread starts with the first command
 * and ends when it is unused. After it failed, git is started without it.
 */
export function createThreadGit({
  worker = threadProgram('./git-worker.js', '../git/git-worker.ts'),
  idleMs = 60_000,
}: ThreadGitOptions = {}): RunGit {
  const waiting = new Map<number, Waiter>();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isUsable = true;
  let lastId = 0;

  const end = (): void => {
    const ended = thread;
    thread = undefined;
    void ended?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(worker, { name: 'Atlas Bridge git' });
    const fail = (error: Error): void => {
      if (started !== thread) return;
      isUsable = false;
      end();
      for (const waiter of waiting.values()) waiter.reject(error);
      waiting.clear();
    };
    started.on('message', (reply: GitReply) => {
      waiting.get(reply.id)?.resolve(reply);
      waiting.delete(reply.id);
      if (waiting.size > 0) return;
      // An unused thread must not keep a command line program running.
      started.unref();
      idle = setTimeout(end, idleMs).unref();
    });
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the thread Atlas Bridge git ended')));
    return started;
  };

  return async ({ signal, ...command }, args) => {
    signal.throwIfAborted();
    if (!isUsable) return await runGit({ ...command, signal }, args);
    clearTimeout(idle);
    const used = (thread ??= start());
    used.ref();
    lastId += 1;
    const id = lastId;
    const post = (request: GitRequest): void => used.postMessage(request);
    const stop = (): void => post({ id, command: undefined });
    signal.addEventListener('abort', stop, { once: true });
    try {
      const reply = await new Promise<GitReply>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        post({ id, command, args });
      });
      signal.throwIfAborted();
      if (reply.output === undefined)
        throw reply.exitCode === undefined ? new Error(reply.message) : new GitError(reply.exitCode, reply.message);
      const { buffer, byteOffset, byteLength } = reply.output;
      return Buffer.from(buffer, byteOffset, byteLength);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}
