import { DisposableStore } from '../../../base/disposable-store.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../../vscode/bridge-lifecycle.ts';
import { contextKeys } from '../../../vscode/command-ids.ts';
import { createContextSetter } from '../../../vscode/context-keys.ts';
import type { WindowPendingChanges } from '../../../vscode/pending-changes.ts';

/** Keeps true what the `when` clauses of the views ask for. */
export function updateContexts(lifecycle: BridgeLifecycle, pending: WindowPendingChanges): Disposable {
  const store = new DisposableStore();
  const tell = createContextSetter();
  const draw = (): void => {
    const state = lifecycle.state();
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
  store.add(followBridge(lifecycle, watch));
  return store;
}
