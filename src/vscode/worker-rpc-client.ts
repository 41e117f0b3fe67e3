import { Worker } from 'node:worker_threads';
import type { RpcMethods, Question, Reply } from '../base/worker-rpc.ts';

/** The methods of something that lives in a thread of its own, by name. Rejects when the method fails or the thread has ended. */
export type CallWorker<M extends RpcMethods<M>> = <N extends keyof M>(
  name: N,
  args: Parameters<M[N]>[0],
) => Promise<Awaited<ReturnType<M[N]>>>;

export interface WorkerRpcClient<M extends RpcMethods<M>> extends Disposable {
  readonly ask: CallWorker<M>;
}

export interface WorkerRpcOptions {
  /** For debuggers. */
  readonly name: string;
  readonly workerData: unknown;
  /** What the thread says without being asked. */
  readonly onNotice?: (notice: unknown) => void;
}

/** @param onFailure called once, when the thread has ended by itself and answers nothing more */
export function startWorkerRpcClient<M extends RpcMethods<M>>(
  worker: URL,
  { name: threadName, workerData, onNotice }: WorkerRpcOptions,
  onFailure: (error: Error) => void,
): WorkerRpcClient<M> {
  const thread = new Worker(worker, { workerData, name: threadName });
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let ended: Error | undefined;
  const end = (error: Error): boolean => {
    const isNew = ended === undefined;
    ended ??= error;
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
    return isNew;
  };
  const fail = (error: Error): void => {
    if (end(error)) onFailure(error);
  };
  thread.on('message', (message: Reply | object) => {
    if (!isReply(message)) {
      if (ended === undefined) onNotice?.(message);
      return;
    }
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.ok) waiter?.resolve(message.answer);
    else waiter?.reject(new Error(message.message));
  });
  thread.on('error', fail);
  // Not every end has an error before it.
  thread.on('exit', () => fail(new Error(`the thread ${threadName} has ended`)));
  const send = (question: Question): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      waiting.set(question.id, { resolve, reject });
      thread.postMessage(question);
    });
  return {
    ask: (name, args) => {
      lastId += 1;
      // The pairing of name, arguments and answer is that of `M`, which the other end implements.
      return send({ id: lastId, name: String(name), args }) as ReturnType<CallWorker<M>>;
    },
    [Symbol.dispose]() {
      end(new Error(`the thread ${threadName} was stopped`));
      void thread.terminate();
    },
  };
}

const isReply = (message: Reply | object): message is Reply => 'ok' in message && 'id' in message;
