import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable-store.ts';
import { Emitter } from '../base/emitter.ts';
import type { PendingChanges, PendingState } from '../sync/pending-changes.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from './bridge-lifecycle.ts';
import { addDisposable } from './add-disposable.ts';
import type { ServedBridge } from './served-bridge.ts';

/** The pending changes of the current bridge of this window; `unknown` without a bridge. */
export type WindowPendingChanges = PendingChanges;

const unknown: PendingState = {
  kind: 'unknown',
  changes: [],
  placeName: undefined,
  at: undefined,
  review: undefined,
  problem: undefined,
};

/**
 * @param follow creates the pending changes of one bridge
 * @param isAutomatic reads the setting `atlas.changes.autoCompare`
 */
export function createPendingChanges(
  lifecycle: BridgeLifecycle,
  follow: (bridge: ServedBridge) => PendingChanges,
  isAutomatic: () => boolean,
): WindowPendingChanges {
  const store = new DisposableStore();
  const changed = new Emitter<void>();
  let current: PendingChanges | undefined;
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    current = undefined;
    if (state.kind === 'running') {
      current = alive.add(follow(state.bridge));
      alive.add(current.onDidChange(() => changed.fire()));
      current.setAutomatic(isAutomatic());
    }
    changed.fire();
  };
  store.add(followBridge(lifecycle, watch));
  addDisposable(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('atlas.changes')) current?.setAutomatic(isAutomatic());
    }),
  );
  return {
    state: () => current?.state() ?? unknown,
    isComparing: () => current?.isComparing() ?? false,
    isConnected: () => current?.isConnected() ?? false,
    studio: () => current?.studio(),
    onDidChange: changed.event,
    async refresh(studio) {
      await current?.refresh(studio);
    },
    scheduleRefresh: () => current?.scheduleRefresh(),
    setAutomatic: isOn => current?.setAutomatic(isOn),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
