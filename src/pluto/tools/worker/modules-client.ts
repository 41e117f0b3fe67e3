import type { ProjectPath } from '../../../base/brand.ts';
import { Emitter } from '../../../base/emitter.ts';
import { AppError } from '../../../base/errors.ts';
import type { SessionChange } from '../../session/pluto-session.ts';
import type { ViewJournal } from '../../session/views/view-journal.ts';
import type { Logger } from '../../../ports/logger.ts';
import { answered, type ModulesRpc, type Notice, toFailure } from './messages.ts';

/** Asks the thread; rejects when it fails or has ended. */
export type CallModules = <N extends keyof ModulesRpc>(
  name: N,
  args: Parameters<ModulesRpc[N]>[0],
) => Promise<Awaited<ReturnType<ModulesRpc[N]>>>;

export interface ModulesWorker extends Disposable {
  readonly ask: CallModules;
}

/** @param onFailure called once, when the thread has ended by itself */
export type StartModulesWorker = (
  onNotice: (notice: Notice) => void,
  onFailure: (error: Error) => void,
) => ModulesWorker;

/** Of a call that can be cancelled: who hears of it meanwhile. */
export interface CallListeners {
  readonly progress?: ((message: string) => void) | undefined;
  readonly journal?: ViewJournal | undefined;
}

type Cancellable = 'call' | 'save' | 'findings' | 'look' | 'sync' | 'writeInto';
type Wish<N extends Cancellable> = Omit<Parameters<ModulesRpc[N]>[0], 'call'>;

/** The modules of a project in a thread of their own, which is started anew when it has ended and somebody asks again. */
export class ModulesClient implements Disposable {
  readonly #start: StartModulesWorker;
  readonly #log: Logger;
  readonly #changes = new Emitter<SessionChange>();
  readonly #calls = new Map<number, CallListeners>();
  #lastCall = 0;
  #running: ModulesWorker | undefined;
  #dirty: readonly ProjectPath[] = [];
  /** Modules whose edits have gone with a thread, and nobody was told yet. */
  #lost: readonly ProjectPath[] = [];
  #isDisposed = false;

  constructor(start: StartModulesWorker, log: Logger) {
    this.#start = start;
    this.#log = log;
  }

  readonly onDidChange = this.#changes.event;

  /** Modules with edits that are not saved, sorted by path. */
  get dirty(): readonly ProjectPath[] {
    return this.#dirty;
  }

  /** Tells of edits that have gone, once. @throws AppError PLUTO_EDITS_LOST */
  requireKept(): void {
    const modules = this.#lost;
    this.#lost = [];
    if (modules.length > 0) throw new AppError('PLUTO_EDITS_LOST', { modules });
  }

  readonly ask: CallModules = (name, args) => {
    if (this.#isDisposed) return Promise.reject(new Error('the Pluto modules are closed'));
    this.#running ??= this.#start(
      notice => this.#hear(notice),
      error => this.#end(error),
    );
    return this.#running.ask(name, args);
  };

  /** The same for what `signal` cancels: the answer is the thread's word on that. */
  async cancellable<N extends Cancellable>(
    name: N,
    wish: Wish<N>,
    signal: AbortSignal,
    listeners: CallListeners = {},
  ): Promise<Awaited<ReturnType<ModulesRpc[N]>>> {
    const call = (this.#lastCall += 1);
    const cancel = (): void => this.#tell('cancel', { call, reason: toFailure(signal.reason) });
    this.#calls.set(call, listeners);
    try {
      // The number is what `Wish` leaves out.
      const answer = this.ask(name, { ...wish, call } as unknown as Parameters<ModulesRpc[N]>[0]);
      if (signal.aborted) cancel();
      signal.addEventListener('abort', cancel, { once: true });
      return await answer;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#calls.delete(call);
    }
  }

  /** What is under way comes to its end: nobody's file is left half saved. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    const running = this.#running;
    if (running === undefined) return;
    const end = (): void => running[Symbol.dispose]();
    running.ask('settled', {}).then(end, end);
  }

  #hear(notice: Notice): void {
    switch (notice.told) {
      case 'changed':
        this.#dirty = notice.dirty;
        return this.#changes.fire(notice.change);
      case 'progress':
        return this.#calls.get(notice.call)?.progress?.(notice.message);
      case 'keep':
        void this.#keep(notice);
    }
  }

  async #keep({ call, look, module: bytes }: Extract<Notice, { told: 'keep' }>): Promise<void> {
    const journal = this.#calls.get(call)?.journal;
    const outcome = await answered(async () => {
      if (journal === undefined) throw new AppError('INTERNAL', { reason: `nobody keeps what call ${call} replaces` });
      await journal.keep(look, { bytes });
    });
    this.#tell('kept', { call, outcome });
  }

  /** Whoever waits hears of a thread that has ended elsewhere. */
  #tell<N extends 'cancel' | 'kept'>(name: N, args: Parameters<ModulesRpc[N]>[0]): void {
    this.#running?.ask(name, args).catch(() => undefined);
  }

  #end(error: Error): void {
    this.#log.error('the Pluto modules are read anew when they are next asked for', error, {
      lost: this.#dirty.join(', '),
    });
    this.#running = undefined;
    const modules = this.#dirty;
    this.#dirty = [];
    this.#lost = Array.from(new Set([...this.#lost, ...modules]));
    this.#changes.fire({ cause: 'disk', modules });
  }
}
