import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { type BridgeLife, type BridgeState, followBridge } from '../bridge-life.ts';
import { contextKeys } from '../command-ids.ts';
import type { Pending } from '../pending.ts';

/** Keeps them true. */
export function keepContexts(life: BridgeLife, pending: Pending): Disposable {
  const store = new DisposableStore();
  const told = new Map<string, boolean>();
  const tell = (key: string, value: boolean): void => {
    if (told.get(key) === value) return;
    told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  };
  const draw = (): void => {
    const state = life.state();
    const bridge = state.kind === 'running' ? state.bridge : undefined;
    const { kind, review } = pending.state();
    const status = review?.status();
    const isDeciding = status?.phase === 'deciding';
    tell(contextKeys.connected, bridge?.studios.all().some(one => one.isOpen()) ?? false);
    tell(contextKeys.compared, kind !== 'unknown');
    tell(contextKeys.reviewing, isDeciding);
    tell(contextKeys.decided, isDeciding && status.undecided === 0 && !status.comparing);
    tell(contextKeys.live, bridge !== undefined && bridge.live.mode() !== 'off');
  };
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind === 'running') {
      alive.add(state.bridge.studios.onDidChange(draw));
      alive.add(state.bridge.live.onDidChange(draw));
    }
    draw();
  };
  store.add(pending.onDidChange(draw));
  store.add(followBridge(life, watch));
  return store;
}
