import { DisposableStore } from '../../base/disposable-store.ts';
import type { PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../vscode/bridge-lifecycle.ts';
import { contextKeys } from '../../vscode/command-ids.ts';
import { createContextSetter } from '../../vscode/context-keys.ts';
import type { ScheduleIdle } from '../../vscode/idle-scheduler.ts';
import type { WindowPlace } from '../../vscode/window-place.ts';
import { studiosOf } from './set-up-facts.ts';

/** Context keys that complete the steps of the walkthrough. */
const setUpContexts = {
  plugin: 'atlas.setUp.plugin',
  studio: 'atlas.setUp.studio',
  place: 'atlas.setUp.place',
  roundTrip: 'atlas.setUp.roundTrip',
  agent: 'atlas.setUp.agent',
} as const;

/** The first round trip is measured shortly after the handshake. */
const LATENCY_POLL_MS = 500;
/** That of a Studio that connects through HTTP, such as one with Rojo's plugin, is never measured. */
const MAX_LATENCY_POLLS = 20;

export interface SetUpContexts extends Disposable {
  /** Checks the installed plugin file again. */
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

/** Updates the walkthrough's check marks and whether the views offer the set-up. */
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
  let pollsLeft = 0;
  store.defer(() => clearTimeout(timer));

  const setContext = createContextSetter();
  /** Whether the plugin is missing or outdated; `undefined` until that is known. */
  let lacksPlugin = isRemote ? true : undefined;
  const draw = (): void => {
    const state = lifecycle.state();
    const bridge = state.kind === 'running' ? state.bridge : undefined;
    const studios = bridge === undefined ? [] : studiosOf(bridge);
    const isMeasured = studios.some(({ latencyMs }) => latencyMs !== undefined);
    // In a remote window the plugin is on the user's own computer, so only its handshake shows it.
    if (isRemote && studios.some(({ pluginVersion }) => pluginVersion === version)) lacksPlugin = false;
    setContext(setUpContexts.plugin, lacksPlugin === false);
    setContext(
      contextKeys.setUpNeeded,
      lacksPlugin === true || (bridge !== undefined && bridge.session() === undefined),
    );
    setContext(setUpContexts.studio, studios.length > 0);
    setContext(setUpContexts.place, studios.length > 0 && bridge?.session() !== undefined);
    setContext(setUpContexts.roundTrip, isMeasured);
    setContext(setUpContexts.agent, (bridge?.agents.connected().length ?? 0) > 0);
    clearTimeout(timer);
    if (studios.length === 0 || isMeasured || pollsLeft === 0) return;
    pollsLeft -= 1;
    timer = setTimeout(draw, LATENCY_POLL_MS);
  };
  const drawStudios = (): void => {
    pollsLeft = MAX_LATENCY_POLLS;
    draw();
  };
  const refresh = (): void => {
    if (isRemote) return;
    delivery.getPresence().then(
      ({ kind }) => {
        lacksPlugin = kind !== 'current';
        draw();
      },
      (error: unknown) => log.warn('failed to check the Studio plugin', { reason: String(error) }),
    );
  };
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind === 'running') {
      alive.add(state.bridge.studios.onDidChange(drawStudios));
      alive.add(state.bridge.agents.onDidChange(draw));
      alive.add(state.bridge.onDidChangeProject(draw));
    }
    drawStudios();
  };
  schedule(() => store.add(followBridge(lifecycle, watch)));
  return { refresh, [Symbol.dispose]: () => store[Symbol.dispose]() };
}
