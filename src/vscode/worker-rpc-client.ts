import { Worker } from 'node:worker_threads';
import { failureOf, type RpcMethods, type RpcReply, type RpcRequest } from '../base/worker-rpc.ts';

/** Calls a method in a worker thread. Rejects when the method fails or the thread has ended. */
export type CallWorker<M extends RpcMethods<M>> = <N extends keyof M>(
  name: N,
  args: Parameters<M[N]>[0],
) => Promise<Awaited<ReturnType<M[N]>>>;

export interface WorkerRpcClient<M extends RpcMethods<M>> extends Disposable {
  readonly ask: CallWorker<M>;
}

export interface WorkerRpcOptions {
  /** Thread name, for debuggers. */
  readonly name: string;
  readonly workerData: unknown;
  /** Called with each message that is not a reply. */
  readonly onNotice?: (notice: unknown) => void;
}

/** @param onFailure called once, when the thread ends without being stopped */
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
  thread.on('message', (message: RpcReply | object) => {
    if (!isReply(message)) {
      if (ended === undefined) onNotice?.(message);
      return;
    }
    const waiter = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.ok) waiter?.resolve(message.answer);
    else waiter?.reject(failureOf(message));
  });
  thread.on('error', fail);
  // A thread can exit without an `error` event.
  thread.on('exit', () => fail(new Error(`the worker thread ${threadName} ended`)));
  const send = (request: RpcRequest): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      waiting.set(request.id, { resolve, reject });
      thread.postMessage(request);
    });
  return {
    ask: (name, args) => {
      lastId += 1;
      // The worker implements `M`, so the reply has the type that `M` declares for `name`.
      return send({ id: lastId, name: String(name), args }) as ReturnType<CallWorker<M>>;
    },
    [Symbol.dispose]() {
      end(new Error(`the worker thread ${threadName} was stopped`));
      void thread.terminate();
    },
  };
}

const isReply = (message: RpcReply | object): message is RpcReply => 'ok' in message && 'id' in message;
