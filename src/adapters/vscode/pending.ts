import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter } from '../../base/emitter.ts';
import type { PendingChanges, PendingState } from '../../core/review/pending-changes.ts';
import type { BridgeLife, BridgeState } from './bridge-life.ts';
import { own } from './owned.ts';
import type { ServedBridge } from './served-bridge.ts';

/** What differs, whichever bridge this window has; nothing is known while it has none. */
export type Pending = PendingChanges;

const unknown: PendingState = {
  kind: 'unknown',
  changes: [],
  placeName: undefined,
  at: undefined,
  review: undefined,
  problem: undefined,
};

/** @param follow what differs, by one bridge; `isAutomatic`: what the setting says of comparisons that nobody asked for */
export function createPending(
  life: BridgeLife,
  follow: (bridge: ServedBridge) => PendingChanges,
  isAutomatic: () => boolean,
): Pending {
  const store = new DisposableStore();
  const changed = new Emitter<void>();
  let watched = store.add(new DisposableStore());
  let current: PendingChanges | undefined;
  const watch = (state: BridgeState): void => {
    watched[Symbol.dispose]();
    watched = store.add(new DisposableStore());
    current = undefined;
    if (state.kind === 'running') {
      current = watched.add(follow(state.bridge));
      watched.add(current.onDidChange(() => changed.fire()));
      current.setAutomatic(isAutomatic());
    }
    changed.fire();
  };
  store.add(life.onDidChange(watch));
  watch(life.state());
  own(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('atlas.changes')) current?.setAutomatic(isAutomatic());
    }),
  );
  return {
    state: () => current?.state() ?? unknown,
    isComparing: () => current?.isComparing() ?? false,
    onDidChange: changed.event,
    async refresh(studio) {
      await current?.refresh(studio);
    },
    lookAgain: () => current?.lookAgain(),
    setAutomatic: isOn => current?.setAutomatic(isOn),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}
