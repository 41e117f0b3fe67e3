import { DisposableStore } from '../base/disposable-store.ts';
import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { SyncRun } from '../sync/sync-engine.ts';
import type { ServedBridge } from './served-bridge.ts';

/** The state of this window's bridge. `idle`: the bridge cannot start, because of `why`. */
export type BridgeState =
  | { readonly kind: 'idle'; readonly why: 'restricted' | 'noFolder' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly bridge: ServedBridge }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Starts, restarts and stops the one bridge of this window. */
export interface BridgeLifecycle {
  state(): BridgeState;
  readonly onDidChange: Event<BridgeState>;
  /** Starts the bridge unless it is running; safe to call at any time. Never rejects: a failure is a state. */
  begin(): Promise<BridgeState>;
  /** Stops the running bridge and starts a new one with the current settings. Never rejects: a failure is a state. */
  restart(): Promise<BridgeState>;
  /** Restarts when no sync is running, so that none is interrupted. */
  restartWhenFree(): Promise<BridgeState>;
  stop(): Promise<void>;
}

/** Calls `follow` with the current state and with every later one. Disposes `alive` when its state ends. */
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

/** @param start resolves with the bridge, or with the reason why it cannot start */
export function createBridgeLifecycle(start: () => Promise<ServedBridge | 'restricted' | 'noFolder'>): BridgeLifecycle {
  const changed = new Emitter<BridgeState>();
  let state: BridgeState = { kind: 'starting' };
  let starting: Promise<BridgeState> | undefined;
  let stopped = false;
  // Pending until the new bridge starts to build; later calls share it until then.
  let restarting: Promise<BridgeState> | undefined;

  const enter = (next: BridgeState): BridgeState => {
    state = next;
    changed.fire(next);
    return next;
  };
  const attempt = async (): Promise<BridgeState> => {
    enter({ kind: 'starting' });
    try {
      const started = await start();
      if (typeof started === 'string') return enter({ kind: 'idle', why: started });
      if (stopped) {
        await started.stop();
        return enter({ kind: 'failed', error: new AppError('CANCELLED', { phase: 'starting' }) });
      }
      return enter({ kind: 'running', bridge: started });
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
  const beginAfter = async (ended: Promise<void>): Promise<BridgeState> => {
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
  const restart = (): Promise<BridgeState> => (restarting ??= beginAfter(end()));
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
