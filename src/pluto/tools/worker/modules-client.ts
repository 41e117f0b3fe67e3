import type { ProjectPath } from '../../../base/brand.ts';
import { Emitter } from '../../../base/emitter.ts';
import { AppError } from '../../../base/errors.ts';
import type { SessionChange } from '../../session/pluto-session.ts';
import type { ViewJournal } from '../../session/views/view-journal.ts';
import type { FileTransaction, FileTransactions } from '../../../ports/file-transactions.ts';
import type { Logger } from '../../../ports/logger.ts';
import { toAnswer, type ModulesRpc, type Notice, toFailure } from './messages.ts';

/** Calls a method of the worker; rejects when the method fails or the worker has ended. */
export type CallModules = <N extends keyof ModulesRpc>(
  name: N,
  args: Parameters<ModulesRpc[N]>[0],
) => Promise<Awaited<ReturnType<ModulesRpc[N]>>>;

export interface ModulesWorker extends Disposable {
  readonly ask: CallModules;
}

/** @param onFailure called once when the worker ends without being stopped */
export type StartModulesWorker = (
  onNotice: (notice: Notice) => void,
  onFailure: (error: Error) => void,
) => ModulesWorker;

/** Receives what the worker sends during one call. */
export interface CallListeners {
  readonly progress?: ((message: string) => void) | undefined;
  readonly journal?: ViewJournal | undefined;
}

type Cancellable = 'call' | 'save' | 'findings' | 'compare' | 'sync' | 'writeInto' | 'checkMerge';
type CancellableArgs<N extends Cancellable> = Omit<Parameters<ModulesRpc[N]>[0], 'call'>;

/** The modules of a project in a worker. After a crash the next call starts another worker. */
export class ModulesClient implements Disposable {
  readonly #start: StartModulesWorker;
  readonly #log: Logger;
  readonly #changes = new Emitter<SessionChange>();
  readonly #calls = new Map<number, CallListeners>();
  readonly #transactions: FileTransactions | undefined;
  readonly #open = new Map<number, FileTransaction>();
  #lastCall = 0;
  #running: ModulesWorker | undefined;
  #dirty: readonly ProjectPath[] = [];
  /** Modules whose unsaved edits were lost in a crash that no call has reported yet. */
  #lost: readonly ProjectPath[] = [];
  #isDisposed = false;

  constructor(start: StartModulesWorker, log: Logger, transactions?: FileTransactions) {
    this.#transactions = transactions;
    this.#start = start;
    this.#log = log;
  }

  readonly onDidChange = this.#changes.event;

  /** Modules with unsaved edits, sorted by path. */
  get dirty(): readonly ProjectPath[] {
    return this.#dirty;
  }

  /** Reports lost edits once. @throws AppError PLUTO_EDITS_LOST */
  throwIfEditsLost(): void {
    const modules = this.#lost;
    this.#lost = [];
    if (modules.length > 0) throw new AppError('PLUTO_EDITS_LOST', { modules });
  }

  readonly ask: CallModules = (name, args) => {
    if (this.#isDisposed) return Promise.reject(new Error('the Pluto modules are closed'));
    this.#running ??= this.#start(
      notice => this.#onNotice(notice),
      error => this.#onFailure(error),
    );
    return this.#running.ask(name, args);
  };

  /** Calls a method that `signal` cancels. Resolves with the worker's answer, also to the cancellation. */
  async cancellable<N extends Cancellable>(
    name: N,
    args: CancellableArgs<N>,
    signal: AbortSignal,
    listeners: CallListeners = {},
  ): Promise<Awaited<ReturnType<ModulesRpc[N]>>> {
    const call = (this.#lastCall += 1);
    const cancel = (): void => this.#send('cancel', { call, reason: toFailure(signal.reason) });
    this.#calls.set(call, listeners);
    try {
      // `CancellableArgs` lacks only the number.
      const answer = this.ask(name, { ...args, call } as unknown as Parameters<ModulesRpc[N]>[0]);
      if (signal.aborted) cancel();
      signal.addEventListener('abort', cancel, { once: true });
      return await answer;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#calls.delete(call);
    }
  }

  /** Lets running calls finish first, so that no file is left half saved. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    const running = this.#running;
    if (running === undefined) return;
    const end = (): void => running[Symbol.dispose]();
    running.ask('settled', {}).then(end, end);
  }

  #onNotice(notice: Notice): void {
    switch (notice.kind) {
      case 'changed':
        this.#dirty = notice.dirty;
        return this.#changes.fire(notice.change);
      case 'progress':
        return this.#calls.get(notice.call)?.progress?.(notice.message);
      case 'begin':
        return void this.#begin(notice);
      case 'finish':
        void this.#open.get(notice.transaction)?.finish(notice.failed);
        return void this.#open.delete(notice.transaction);
      case 'record':
        void this.#record(notice);
    }
  }

  async #begin({ transaction, request }: Extract<Notice, { kind: 'begin' }>): Promise<void> {
    const outcome = await toAnswer(async () => {
      if (this.#transactions === undefined) throw new AppError('INTERNAL', { reason: 'there is no journal' });
      const begun = await this.#transactions.begin(request);
      this.#open.set(transaction, begun);
      return { runId: begun.runId };
    });
    this.#send('begun', { transaction, outcome });
  }

  async #record({ call, snapshot, module: bytes }: Extract<Notice, { kind: 'record' }>): Promise<void> {
    const journal = this.#calls.get(call)?.journal;
    const outcome = await toAnswer(async () => {
      if (journal === undefined) throw new AppError('INTERNAL', { reason: `call ${call} has no journal` });
      await journal.record(snapshot, { bytes });
    });
    this.#send('recorded', { call, outcome });
  }

  /** The pending call rejects when the worker has ended, so a failure here needs no report. */
  #send<N extends 'begun' | 'cancel' | 'recorded'>(name: N, args: Parameters<ModulesRpc[N]>[0]): void {
    this.#running?.ask(name, args).catch(() => undefined);
  }

  #onFailure(error: Error): void {
    this.#log.error('the Pluto worker crashed; the next call reads the modules from disk', error, {
      lost: this.#dirty.join(', '),
    });
    this.#running = undefined;
    // The next start completes them.
    this.#open.clear();
    const modules = this.#dirty;
    this.#dirty = [];
    this.#lost = Array.from(new Set([...this.#lost, ...modules]));
    this.#changes.fire({ cause: 'disk', modules });
  }
}
