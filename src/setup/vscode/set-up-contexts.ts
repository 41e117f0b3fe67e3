import { DisposableStore } from '../../base/disposable-store.ts';
import type { PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../vscode/bridge-lifecycle.ts';
import { createContextSetter } from '../../vscode/context-keys.ts';
import type { ScheduleIdle } from '../../vscode/idle-scheduler.ts';
import type { WindowPlace } from '../../vscode/window-place.ts';
import { studiosOf } from './set-up-facts.ts';

/** What the walkthrough checks its steps by. */
const setUpContexts = {
  plugin: 'atlas.setUp.plugin',
  studio: 'atlas.setUp.studio',
  place: 'atlas.setUp.place',
  roundTrip: 'atlas.setUp.roundTrip',
  agent: 'atlas.setUp.agent',
} as const;

/** A round trip is known a moment after the greeting. */
const LATENCY_POLL_MS = 500;

export interface SetUpContexts extends Disposable {
  /** Looks at the plugin's file again. */
  refresh(): void;
}

export interface SetUpContextsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly delivery: PluginDelivery;
  readonly version: string;
  readonly forwarded: { readonly place: WindowPlace };
  readonly schedule: ScheduleIdle;
  readonly log: Logger;
}

/** Keeps the walkthrough's check marks true. */
export function updateSetUpContexts({
  lifecycle,
  delivery,
  version,
  forwarded,
  schedule,
  log,
}: SetUpContextsDeps): SetUpContexts {
  const store = new DisposableStore();
  const isRemote = forwarded.place.kind === 'remote';
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.defer(() => clearTimeout(timer));

  const tell = createContextSetter();
  const draw = (): void => {
    const state = lifecycle.state();
    const bridge = state.kind === 'running' ? state.bridge : undefined;
    const studios = bridge === undefined ? [] : studiosOf(bridge);
    const isMeasured = studios.some(({ latencyMs }) => latencyMs !== undefined);
    // There the plugin lies on the person's own machine, and its greeting is all that is seen of it.
    if (isRemote && studios.some(({ pluginVersion }) => pluginVersion === version)) tell(setUpContexts.plugin, true);
    tell(setUpContexts.studio, studios.length > 0);
    tell(setUpContexts.place, studios.length > 0 && bridge?.session() !== undefined);
    tell(setUpContexts.roundTrip, isMeasured);
    tell(setUpContexts.agent, (bridge?.agents.connected().length ?? 0) > 0);
    clearTimeout(timer);
    if (studios.length > 0 && !isMeasured) timer = setTimeout(draw, LATENCY_POLL_MS);
  };
  const refresh = (): void => {
    if (isRemote) return;
    delivery.look().then(
      ({ kind }) => tell(setUpContexts.plugin, kind === 'current'),
      (error: unknown) => log.warn('the Studio plugin was not looked at', { reason: String(error) }),
    );
  };
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind === 'running') {
      alive.add(state.bridge.studios.onDidChange(draw));
      alive.add(state.bridge.agents.onDidChange(draw));
      alive.add(state.bridge.onDidChangeProject(draw));
    }
    draw();
  };
  schedule(() => store.add(followBridge(lifecycle, watch)));
  return { refresh, [Symbol.dispose]: () => store[Symbol.dispose]() };
}
