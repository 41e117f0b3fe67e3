import { DisposableStore } from '../base/disposable-store.ts';
import { AppError } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { type PausableWork, runToEnd } from '../base/time-slice.ts';
import type { SyncRun } from '../sync/sync-engine.ts';
import type { ServedBridge } from './served-bridge.ts';

/** The state of this window. `bridge`: that of the active project. `idle`: no bridge can start, because of `why`. */
export type BridgeState =
  | { readonly kind: 'idle'; readonly why: 'restricted' | 'noFolder' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly bridge: ServedBridge }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Starts, restarts and stops the bridges of this window: one for each project, of which one is active. */
export interface BridgeLifecycle {
  state(): BridgeState;
  /** The running bridges, in the order of their start. */
  bridges(): readonly ServedBridge[];
  readonly onDidChangeBridges: Event<void>;
  /** Makes a running bridge the active one, which the views and commands use. */
  activate(bridge: ServedBridge): void;
  /** Starts another bridge beside the active one. `undefined`: the window stopped or restarted its bridges meanwhile. */
  add(start: () => Promise<ServedBridge>): Promise<ServedBridge | undefined>;
  /** Stops a bridge that is not active. */
  remove(bridge: ServedBridge): Promise<void>;
  readonly onDidChange: Event<BridgeState>;
  /** Starts the bridge unless it is running; safe to call at any time. Never rejects: a failure is a state. */
  begin(): Promise<BridgeState>;
  /** Stops the running bridges and starts new ones with the current settings. Never rejects: a failure is a state. */
  restart(): Promise<BridgeState>;
  /** Restarts when no sync is running, so that none is interrupted. */
  restartWhenFree(): Promise<BridgeState>;
  /**
   * Stops the running bridges, and starts new ones when `returned` resolves, or earlier if one is requested. First cancels the running
   * sync, or waits for its end if it has begun to change something; the bridges stay if `returned` resolves meanwhile. Never rejects.
   */
  suspend(returned: Promise<unknown>): Promise<BridgeState>;
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

/** Calls `follow` for each bridge that runs or will run, with its own `alive`, disposed when it stops. */
export function followBridges(
  lifecycle: Pick<BridgeLifecycle, 'bridges' | 'onDidChangeBridges'>,
  follow: (bridge: ServedBridge, alive: DisposableStore) => void,
): Disposable {
  const followed = new Map<ServedBridge, DisposableStore>();
  const look = (): void => {
    const now = new Set(lifecycle.bridges());
    for (const [bridge, alive] of Array.from(followed)) {
      if (now.has(bridge)) continue;
      followed.delete(bridge);
      alive[Symbol.dispose]();
    }
    for (const bridge of now) {
      if (followed.has(bridge)) continue;
      const alive = new DisposableStore();
      followed.set(bridge, alive);
      follow(bridge, alive);
    }
  };
  const listening = lifecycle.onDidChangeBridges(look);
  look();
  return {
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      for (const alive of followed.values()) alive[Symbol.dispose]();
    },
  };
}

/**
 * @param start resolves with the first bridge, or with the reason why it cannot start
 * @param activated called before the listeners when another bridge becomes active
 * @param runPausable runs work that may pause, because most parts of the extension begin their work in a listener of the first bridge
 */
export function createBridgeLifecycle(
  start: () => Promise<ServedBridge | 'restricted' | 'noFolder'>,
  activated: (bridge: ServedBridge) => void = () => {},
  runPausable: (work: PausableWork<void>) => Promise<void> = work => Promise.resolve(runToEnd(work)),
): BridgeLifecycle {
  const changed = new Emitter<BridgeState>();
  const bridgesChanged = new Emitter<void>();
  let bridges: readonly ServedBridge[] = [];
  const adding = new Set<Promise<unknown>>();
  let state: BridgeState = { kind: 'starting' };
  let starting: Promise<BridgeState> | undefined;
  let stopped = false;
  /** Bridges that are still starting are stopped too, so none may begin to start. */
  let ending = false;
  /** Pending until the new bridge begins to start; later calls share it until then. */
  let restarting: Promise<BridgeState> | undefined;

  const setBridges = (next: readonly ServedBridge[]): void => {
    bridges = next;
    bridgesChanged.fire();
  };
  const enter = (next: BridgeState): BridgeState => {
    state = next;
    changed.fire(next);
    return next;
  };
  /** Reports the first bridge. A later change reports itself, to all listeners. */
  function* report(running: BridgeState): PausableWork<void> {
    for (const work of [bridgesChanged.firing(), changed.firing(running)])
      for (const _ of work) {
        yield;
        if (state !== running) return;
      }
  }
  const attempt = async (): Promise<BridgeState> => {
    enter({ kind: 'starting' });
    try {
      const started = await start();
      if (typeof started === 'string') return enter({ kind: 'idle', why: started });
      if (stopped) {
        await started.stop();
        return enter({ kind: 'failed', error: new AppError('CANCELLED', { phase: 'starting' }) });
      }
      bridges = [started];
      state = { kind: 'running', bridge: started };
      await runPausable(report(state));
      return state;
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
    ending = true;
    try {
      await Promise.allSettled(adding);
      const ended = bridges;
      setBridges([]);
      const stops = await Promise.allSettled(ended.map(bridge => bridge.stop()));
      const failed = stops.find(one => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    } finally {
      ending = false;
    }
  };
  const addBridge = async (startOther: () => Promise<ServedBridge>): Promise<ServedBridge | undefined> => {
    if (ending || stopped || state.kind !== 'running') return undefined;
    const added = await startOther();
    setBridges([...bridges, added]);
    return added;
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
      for (let run = runOf(bridges); run !== undefined; run = runOf(bridges)) await run.result;
      return restart();
    },
    async suspend(returned) {
      await restarting;
      let hasReturned = false;
      const back = returned.then(
        () => (hasReturned = true),
        () => (hasReturned = true),
      );
      for (let run = runOf(bridges); run !== undefined; run = runOf(bridges)) {
        run.cancel();
        await run.result;
      }
      if (hasReturned) return state;
      try {
        await end();
      } catch (error) {
        return enter({ kind: 'failed', error: AppError.from(error) });
      }
      // A restart may have started new bridges before the old ones had stopped.
      if (stopped || (state.kind === 'running' && bridges.length > 0)) return state;
      enter({ kind: 'starting' });
      await back;
      return begin();
    },
    bridges: () => bridges,
    onDidChangeBridges: bridgesChanged.event,
    activate(bridge) {
      if (state.kind !== 'running' || state.bridge === bridge || !bridges.includes(bridge)) return;
      activated(bridge);
      enter({ kind: 'running', bridge });
    },
    add(startOther) {
      const added = addBridge(startOther).finally(() => adding.delete(added));
      adding.add(added);
      return added;
    },
    async remove(bridge) {
      if (!bridges.includes(bridge) || (state.kind === 'running' && state.bridge === bridge)) return;
      setBridges(bridges.filter(one => one !== bridge));
      await bridge.stop();
    },
    async stop() {
      stopped = true;
      await end();
    },
  };
}

/** A run of any of the bridges. */
export const runOf = (bridges: readonly ServedBridge[]): SyncRun | undefined => {
  for (const { engine } of bridges) {
    const run = engine.current();
    if (run !== undefined) return run;
  }
  return undefined;
};
