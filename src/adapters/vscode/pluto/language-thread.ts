import { Worker } from 'node:worker_threads';
import type { LanguageThreadOptions, Question, Reply } from '../../../core/pluto/editor/language-messages.ts';
import type { PlutoLanguage } from '../../../core/pluto/editor/pluto-language.ts';

/** The methods of a language that is elsewhere, by name. Rejects when it fails or its thread ends. */
export type Ask = <N extends keyof PlutoLanguage>(
  name: N,
  args: Parameters<PlutoLanguage[N]>[0],
) => ReturnType<PlutoLanguage[N]>;

export interface LanguageThread extends Disposable {
  readonly ask: Ask;
}

/** @param onFailure the thread has ended by itself, and answers nothing more */
export function startLanguageThread(
  worker: URL,
  options: LanguageThreadOptions,
  onFailure: (error: Error) => void,
): LanguageThread {
  const thread = new Worker(worker, { workerData: options, name: 'Pluto' });
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  };
  thread.on('message', (reply: Reply) => {
    const waiter = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) waiter?.resolve(reply.answer);
    else waiter?.reject(new Error(reply.message));
  });
  thread.on('error', (error: Error) => {
    end(error);
    onFailure(error);
  });
  const send = (question: Question): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended !== undefined) return reject(ended);
      waiting.set(question.id, { resolve, reject });
      thread.postMessage(question);
    });
  return {
    ask: (name, args) => {
      lastId += 1;
      // The pairing of name, arguments and answer is that of `PlutoLanguage`, which the other end implements.
      return send({ id: lastId, name, args } as Question) as ReturnType<PlutoLanguage[typeof name]>;
    },
    [Symbol.dispose]() {
      end(new Error('the Pluto language was stopped'));
      void thread.terminate();
    },
  };
}
