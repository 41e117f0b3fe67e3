import type { LanguageThreadOptions } from '../editor/language-messages.ts';
import type { PlutoLanguage } from '../editor/pluto-language.ts';
import {
  type CallWorker as AskOf,
  type WorkerRpcClient,
  startWorkerRpcClient,
} from '../../vscode/worker-rpc-client.ts';

/** A Pluto language that runs in another thread. */
export type LanguageThread = WorkerRpcClient<PlutoLanguage>;
export type Ask = AskOf<PlutoLanguage>;

/** @param onFailure called once when the thread ends without being stopped; it answers nothing after that */
export const startLanguageThread = (
  worker: URL,
  workerData: LanguageThreadOptions,
  onFailure: (error: Error) => void,
): LanguageThread => startWorkerRpcClient(worker, { name: 'Pluto', workerData }, onFailure);

/**
 * A language thread that starts with the first question, and starts again with the first question after a crash. Once disposed it
 * rejects every question and starts nothing.
 */
export class RestartableThread implements LanguageThread {
  readonly #start: (onFailure: (error: Error) => void) => LanguageThread;
  readonly #onFailure: (error: Error) => void;
  #running: LanguageThread | undefined;
  #isDisposed = false;

  constructor(start: (onFailure: (error: Error) => void) => LanguageThread, onFailure: (error: Error) => void) {
    this.#start = start;
    this.#onFailure = onFailure;
  }

  readonly ask: Ask = (name, args) => {
    if (this.#isDisposed) return Promise.reject(new Error('the Pluto language of this folder was stopped'));
    this.#running ??= this.#start(error => {
      this.#running = undefined;
      this.#onFailure(error);
    });
    return this.#running.ask(name, args);
  };

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#running?.[Symbol.dispose]();
  }
}
