import { DisposableStore } from '../base/disposable-store.ts';
import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { SyncRun } from '../sync/sync-engine.ts';
import type { ServedBridge } from './served-bridge.ts';

/** Where the bridge of this window stands. `idle`: nothing may or can be started, and why. */
export type BridgeState =
  | { readonly kind: 'idle'; readonly why: 'restricted' | 'noFolder' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly bridge: ServedBridge }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Starts the bridge at most once at a time, and ends it. */
export interface BridgeLifecycle {
  state(): BridgeState;
  readonly onDidChange: Event<BridgeState>;
  /** Starts it unless it runs; safe to call at any time. Never rejects: a failure is a state. */
  begin(): Promise<BridgeState>;
  /** Ends the running bridge and starts another, with the settings as they are now. Never rejects: a failure is a state. */
  restart(): Promise<BridgeState>;
  /** `restart`, once no sync runs: none is cut off. */
  restartWhenFree(): Promise<BridgeState>;
  stop(): Promise<void>;
}

/** Calls `follow` with each state, the present one at once; what it adds to `alive` ends with that state. */
export function followBridge(
  lifecycle: Pick<BridgeLifecycle, 'state' | 'onDidChange'>,
  follow: (state: BridgeState, alive: DisposableStore) => void,
): Disposable {
  let alive = new DisposableStore();
  const enter = (state: BridgeState): void => {
    alive[Symbol.dispose]();
    alive = new DisposableStore();
    follow(state, alive);
  };
  const listening = lifecycle.onDidChange(enter);
  enter(lifecycle.state());
  return {
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      alive[Symbol.dispose]();
    },
  };
}

/** `start` answers why nothing can be started, or the bridge. */
export function createBridgeLifecycle(start: () => Promise<ServedBridge | 'restricted' | 'noFolder'>): BridgeLifecycle {
  const changed = new Emitter<BridgeState>();
  let state: BridgeState = { kind: 'starting' };
  let starting: Promise<BridgeState> | undefined;
  let stopped = false;
  // As long as it has not begun to build: whoever asks by then is served by it.
  let restarting: Promise<BridgeState> | undefined;

  const enter = (next: BridgeState): BridgeState => {
    state = next;
    changed.fire(next);
    return next;
  };
  const attempt = async (): Promise<BridgeState> => {
    enter({ kind: 'starting' });
    try {
      const made = await start();
      if (typeof made === 'string') return enter({ kind: 'idle', why: made });
      if (stopped) {
        await made.stop();
        return enter({ kind: 'failed', error: new AppError('CANCELLED', { phase: 'starting' }) });
      }
      return enter({ kind: 'running', bridge: made });
    } catch (error) {
      return enter({ kind: 'failed', error: AppError.from(error) });
    }
  };
  const begin = (): Promise<BridgeState> => {
    if (stopped || state.kind === 'running') return Promise.resolve(state);
    starting ??= attempt().finally(() => (starting = undefined));
    return starting;
  };
  const end = async (): Promise<void> => {
    await starting;
    if (state.kind === 'running') await state.bridge.stop();
  };
  const anew = async (ended: Promise<void>): Promise<BridgeState> => {
    try {
      await ended;
    } catch (error) {
      return enter({ kind: 'failed', error: AppError.from(error) });
    } finally {
      restarting = undefined;
    }
    if (!stopped) state = { kind: 'starting' };
    return begin();
  };
  const restart = (): Promise<BridgeState> => (restarting ??= anew(end()));
  return {
    state: () => state,
    onDidChange: changed.event,
    begin,
    restart,
    async restartWhenFree() {
      await starting;
      for (let run = runOf(state); run !== undefined; run = runOf(state)) await run.result;
      return restart();
    },
    async stop() {
      stopped = true;
      await end();
    },
  };
}

const runOf = (state: BridgeState): SyncRun | undefined =>
  state.kind === 'running' ? state.bridge.engine.current() : undefined;
