import * as vscode from 'vscode';
import type { BridgeLife, BridgeState } from './bridge-life.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Pending } from './pending.ts';
import { statusLine } from './status.ts';

/** One item, drawn anew whenever anything that it speaks of has moved. */
export function createStatusBar(life: BridgeLife, pending: Pending): Disposable {
  const item = vscode.window.createStatusBarItem('atlas.status', vscode.StatusBarAlignment.Left, 10);
  item.name = vscode.l10n.t('Atlas Bridge');
  const store = new DisposableStore();
  store.defer(() => item.dispose());
  let watched = store.add(new DisposableStore());

  const draw = (): void => {
    const line = statusLine(life.state(), vscode.l10n, differingOf(pending));
    item.text = line.text;
    item.tooltip = line.tooltip.join('\n');
    item.command = line.command;
    item.accessibilityInformation = { label: `${line.text.replace(/^\$\([^)]*\) /, '')}. ${line.tooltip[0] ?? ''}` };
    item.backgroundColor =
      line.severity === 'normal' ? undefined : new vscode.ThemeColor(`statusBarItem.${line.severity}Background`);
  };
  const followProject = (): void => {
    const state = life.state();
    const session = state.kind === 'running' ? state.bridge.session() : undefined;
    if (session !== undefined) watched.add(session.onDidChangeDiagnostics(draw));
    draw();
  };
  const watch = (state: BridgeState): void => {
    watched[Symbol.dispose]();
    watched = store.add(new DisposableStore());
    if (state.kind === 'running') {
      const { bridge } = state;
      watched.add(bridge.engine.onDidChange(draw));
      watched.add(bridge.studios.onDidChange(draw));
      watched.add(bridge.onDidChangeProject(followProject));
      followProject();
    }
    draw();
  };
  store.add(pending.onDidChange(draw));
  store.add(life.onDidChange(watch));
  watch(life.state());
  item.show();
  return store;
}

/** `undefined`: nothing was compared. */
export function differingOf(pending: Pending): number | undefined {
  const { kind, changes } = pending.state();
  return kind === 'unknown' ? undefined : changes.length;
}
