import { DisposableStore } from '../../../base/disposable-store.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../../vscode/bridge-lifecycle.ts';
import { contextKeys } from '../../../vscode/command-ids.ts';
import { createContextSetter } from '../../../vscode/context-keys.ts';
import type { WindowPendingChanges } from '../../../vscode/pending-changes.ts';

/** Updates the context keys that the `when` clauses of the views use. */
export function updateContexts(lifecycle: BridgeLifecycle, pending: WindowPendingChanges): Disposable {
  const store = new DisposableStore();
  const setContext = createContextSetter();
  const draw = (): void => {
    const state = lifecycle.state();
    const bridge = state.kind === 'running' ? state.bridge : undefined;
    const { kind, review } = pending.state();
    const status = review?.status();
    const isDeciding = status?.phase === 'deciding';
    setContext(contextKeys.connected, bridge?.studios.all().some(one => one.isOpen()) ?? false);
    setContext(contextKeys.compared, kind !== 'unknown');
    setContext(contextKeys.reviewing, isDeciding);
    setContext(contextKeys.decided, isDeciding && status.undecided === 0 && !status.comparing);
    setContext(contextKeys.live, bridge !== undefined && bridge.live.mode() !== 'off');
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
