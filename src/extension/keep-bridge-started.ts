import * as vscode from 'vscode';
import type { BridgeLife } from '../adapters/vscode/bridge-life.ts';
import { own } from '../adapters/vscode/owned.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import type { Logger } from '../ports/logger.ts';

/**
 * Trust, folders and some settings decide whether and where there is a bridge. A running sync is never cut off for a setting.
 * A start that fails is logged, whoever asked for it.
 */
export function keepBridgeStarted(life: BridgeLife, log: Logger): Disposable {
  const store = new DisposableStore();
  const begin = (): void => void life.begin();
  store.add(
    life.onDidChange(state => {
      if (state.kind === 'failed') log.error('the bridge did not start', state.error.cause ?? state.error);
    }),
  );
  own(store, vscode.workspace.onDidGrantWorkspaceTrust(begin));
  own(store, vscode.workspace.onDidChangeWorkspaceFolders(begin));
  own(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      const state = life.state();
      const counts = ['atlas.port', 'atlas.rojoPort', 'atlas.docs.ripgrepPath'];
      if (!counts.some(name => event.affectsConfiguration(name)) || state.kind === 'starting') return;
      if (state.kind === 'running' && state.bridge.engine.current() !== undefined) {
        log.warn('a sync is running, so the new setting counts from the next start');
        return;
      }
      void life.restart();
    }),
  );
  return store;
}
