import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../base/describe-cause.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { AppError } from '../base/errors.ts';
import type { StudioKey } from '../ports/studio-keys.ts';
import type { Logger } from '../ports/logger.ts';
import type { LuauMachineCode } from './luau-wasm.ts';
import type { CommandBarResult, FromWorker, OutputLevel, ToWorker, WorkerOptions } from './worker-messages.ts';

export interface HeadlessStudioOptions {
  /** Absolute path of the place file. */
  readonly place: string;
  /** The port of the bridge; omitted: does not connect until `connect`. */
  readonly port?: number;
  /** The host of the bridge; this machine by default. */
  readonly host?: string;
  /** `game.Name`; by default the name of the file without its extension. */
  readonly placeName?: string;
  /** `game.PlaceId`; 0 by default. */
  readonly placeId?: number | undefined;
  readonly luauFolders: { readonly plugin: string; readonly headless: string };
  /** Reads the key that Studios of this machine prove to the bridge. Called for every connection. */
  readonly key: () => Promise<StudioKey>;
  readonly worker: URL;
  readonly reflectionFile: string;
  readonly log: Logger;
}

/** Why a headless Studio ended. */
export interface Termination {
  /** `stopped`: disposed; `killed`: by `kill()`; `failed`: crashed, with the reason. */
  readonly kind: 'stopped' | 'killed' | 'failed';
  readonly reason: string;
}

/** A Roblox Studio without a window: the plugin over a place, in a separate thread. */
export interface HeadlessStudio extends AsyncDisposable {
  /** Number of instances in the place file. */
  readonly instances: number;
  /** Fires with the lines of Studio's output window. */
  readonly onLog: Event<{ readonly level: OutputLevel; readonly message: string }>;
  /** Fires with the status of the plugin's connection: `disconnected`, `connecting`, `connected`, `rejected: <reason>`. */
  readonly onStatus: Event<string>;
  status(): string;
  /** Restarts the plugin's session; it retries until the bridge responds. */
  connect(port: number, host?: string): void;
  /**
   * Runs a chunk in the command bar; an error in the chunk is a result. A chunk that never ends blocks everything until `kill()`.
   *
   * @throws AppError STUDIO_DISCONNECTED when Studio ends before the chunk
   */
  run(luau: string): Promise<CommandBarResult>;
  /**
   * Encodes the open place as `.rbxl`, `.rbxlx`, `.rbxm` or `.rbxmx`, as the name of `file` ends. Does not write the file.
   *
   * @throws AppError FS_WRITE_FAILED if that format cannot contain the place, HEADLESS_BLOCKED, STUDIO_NOT_RESPONDING, STUDIO_DISCONNECTED
   */
  format(file: string): Promise<Uint8Array>;
  /** Ends it immediately, even during a chunk. */
  kill(): Promise<void>;
  /** Resolves when it has ended, never rejects. */
  readonly terminated: Promise<Termination>;
}

/** Kept until the process ends, so that only its first headless Studio compiles the Luau VM. */
let luauCode: LuauMachineCode | undefined;

/** Starts a headless Studio. Resolves when its place is loaded. @throws AppError MODEL_UNREADABLE */
export async function startHeadlessStudio(options: HeadlessStudioOptions): Promise<HeadlessStudio> {
  const workerData: WorkerOptions = {
    place: options.place,
    placeName: options.placeName ?? basename(options.place).replace(/\.[^.]*$/, ''),
    placeId: options.placeId ?? 0,
    pluginFolder: options.luauFolders.plugin,
    headlessFolder: options.luauFolders.headless,
    reflectionFile: options.reflectionFile,
    luauCode,
  };
  const thread = new StudioThread(new Worker(options.worker, { workerData, name: 'headless Studio' }), options.log);
  const instances = await thread.loaded;
  const studio: HeadlessStudio = {
    instances,
    onLog: thread.onLog,
    onStatus: thread.onStatus,
    status: () => thread.status,
    connect: (port, host) =>
      void options.key().then(
        key => thread.post({ kind: 'connect', port, host, key }),
        (error: unknown) => options.log.error('the key of this computer could not be read', error),
      ),
    run: luau => thread.run(luau),
    format: file => thread.format(file),
    kill: () => thread.end('killed'),
    terminated: thread.terminated,
    [Symbol.asyncDispose]: () => thread.end('stopped'),
  };
  if (options.port !== undefined) studio.connect(options.port, options.host);
  return studio;
}

/** Milliseconds for a worker to end before it is terminated. */
const STOP_MS = 2_000;
/** Milliseconds for saving, which a chunk that never ends would block. */
const SAVE_MS = 30_000;
const RUNNING = 'running a chunk';
const SAVING = 'saving the place';

interface Waiter {
  readonly doing: string;
  resolve(message: FromWorker): void;
  reject(error: unknown): void;
}

class StudioThread {
  readonly #worker: Worker;
  readonly #log: Logger;
  readonly #waiters = new Map<number, Waiter>();
  readonly #logs = new Emitter<{ readonly level: OutputLevel; readonly message: string }>();
  readonly #statuses = new Emitter<string>();
  readonly #loaded = Promise.withResolvers<number>();
  readonly #terminated = Promise.withResolvers<Termination>();
  #lastId = 0;
  #endKind: Termination['kind'] = 'failed';
  #failure: string | undefined;
  #isFailureReported = false;
  #isOver = false;
  status = 'disconnected';

  readonly onLog = this.#logs.event;
  readonly onStatus = this.#statuses.event;
  readonly loaded = this.#loaded.promise;
  readonly terminated = this.#terminated.promise;

  constructor(worker: Worker, log: Logger) {
    this.#worker = worker;
    this.#log = log;
    worker.on('message', (message: FromWorker) => this.#take(message));
    worker.on('error', error => (this.#failure ??= messageOf(error)));
    worker.on('exit', code => this.#finish(this.#failure ?? `its thread ended with code ${code}`));
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  async run(source: string): Promise<CommandBarResult> {
    const answer = await this.#ask(RUNNING, id => ({ kind: 'run', id, source }));
    if (answer.kind !== 'ran') throw new Error(`headless Studio answered ${answer.kind} to a chunk`);
    return answer.result;
  }

  async format(file: string): Promise<Uint8Array> {
    const blocked = new AppError('HEADLESS_BLOCKED', { file, seconds: SAVE_MS / 1000 });
    const slow = new AppError('STUDIO_NOT_RESPONDING', { signal: SAVING, budgetMs: SAVE_MS });
    const budget = { ms: SAVE_MS, error: () => (this.#isRunningChunk() ? blocked : slow) };
    const answer = await this.#ask(SAVING, id => ({ kind: 'format', id, file }), budget);
    if (answer.kind !== 'formatted') throw new Error(`headless Studio answered ${answer.kind} to a save`);
    if (!answer.result.ok) throw new AppError('FS_WRITE_FAILED', { file, reason: answer.result.error });
    return answer.result.value;
  }

  async end(kind: Termination['kind']): Promise<void> {
    if (this.#isOver) return;
    this.#endKind = kind;
    const timer = setTimeout(() => void this.#worker.terminate(), kind === 'killed' ? 0 : STOP_MS);
    if (kind !== 'killed') this.post({ kind: 'stop' });
    await this.terminated;
    clearTimeout(timer);
  }

  #isRunningChunk(): boolean {
    return Array.from(this.#waiters.values()).some(({ doing }) => doing === RUNNING);
  }

  /** @param budget the time limit, and the error when it has passed */
  async #ask(
    doing: string,
    message: (id: number) => ToWorker,
    budget?: { readonly ms: number; readonly error: () => AppError },
  ): Promise<FromWorker> {
    if (this.#isOver) throw new AppError('STUDIO_DISCONNECTED', { phase: doing });
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<FromWorker>();
    this.#waiters.set(id, { doing, resolve, reject });
    const giveUp = (error: AppError): void => {
      this.#waiters.delete(id);
      reject(error);
    };
    const timer = budget && setTimeout(() => giveUp(budget.error()), budget.ms);
    this.post(message(id));
    return promise.finally(() => clearTimeout(timer));
  }

  #take(message: FromWorker): void {
    switch (message.kind) {
      case 'loaded':
        ({ luauCode } = message);
        return this.#loaded.resolve(message.instances);
      case 'failed':
        this.#failure = message.message;
        this.#isFailureReported = true;
        // Its connections would stay open, so the bridge would wait for a Studio that cannot answer.
        void this.#worker.terminate();
        // The caller that opens the place gets the error.
        if (message.unreadable) return this.#loaded.reject(new AppError('MODEL_UNREADABLE', message.unreadable));
        return this.#log.error('headless Studio failed', undefined, { reason: message.message });
      case 'status':
        this.status = message.status;
        this.#log.info('headless Studio', { status: message.status });
        return this.#statuses.fire(message.status);
      case 'log':
        this.#log.debug(`output: ${message.message}`, { level: message.level });
        return this.#logs.fire({ level: message.level, message: message.message });
      case 'ran':
      case 'formatted': {
        const waiter = this.#waiters.get(message.id);
        this.#waiters.delete(message.id);
        return waiter?.resolve(message);
      }
    }
  }

  #finish(failure: string): void {
    this.#isOver = true;
    const reason = { stopped: 'it was stopped', killed: 'it was killed', failed: failure }[this.#endKind];
    if (this.#endKind === 'failed' && !this.#isFailureReported)
      this.#log.error('headless Studio ended', undefined, { reason });
    for (const waiter of this.#waiters.values())
      waiter.reject(new AppError('STUDIO_DISCONNECTED', { phase: waiter.doing }));
    this.#waiters.clear();
    this.#loaded.reject(new Error(reason));
    this.#terminated.resolve({ kind: this.#endKind, reason });
  }
}
