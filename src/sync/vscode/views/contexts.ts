import { DisposableStore } from '../../../base/disposable-store.ts';
import { type BridgeLife, type BridgeState, followBridge } from '../../../vscode/bridge-life.ts';
import { contextKeys } from '../../../vscode/command-ids.ts';
import { createContextKeys } from '../../../vscode/context-keys.ts';
import type { Pending } from '../../../vscode/pending.ts';

/** Keeps true what the `when` clauses of the views ask for. */
export function keepContexts(life: BridgeLife, pending: Pending): Disposable {
  const store = new DisposableStore();
  const tell = createContextKeys();
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
