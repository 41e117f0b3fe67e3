import * as vscode from 'vscode';
import { type BridgeLifecycle, type BridgeState, followBridge, followBridges } from './bridge-lifecycle.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import type { WindowPendingChanges } from './pending-changes.ts';
import type { ServedBridge } from './served-bridge.ts';
import type { OpenReviews } from '../review/open-reviews.ts';
import { activeProject } from './project-label.ts';
import { setStatusText } from './safe-window.ts';
import { otherProblems } from './other-problems.ts';
import { statusLine } from './status.ts';
import type { UnservedProjects } from './unserved-projects.ts';

/** Creates the status bar item, which follows the bridge, the project, the Studios and the pending changes. */
export function createStatusBar(
  lifecycle: BridgeLifecycle,
  unserved: UnservedProjects,
  pending: WindowPendingChanges,
  reviews: Pick<OpenReviews, 'latest' | 'onDidChange'>,
): Disposable {
  const item = vscode.window.createStatusBarItem('atlas.status', vscode.StatusBarAlignment.Left, 10);
  item.name = vscode.l10n.t('Atlas Bridge');
  const store = new DisposableStore();
  store.defer(() => item.dispose());

  const draw = (): void => {
    const line = statusLine(
      lifecycle.state(),
      vscode.l10n,
      comparedChangeCount(pending),
      activeProject(lifecycle),
      otherProblems(lifecycle, unserved.all(), vscode.l10n),
      reviews.latest(),
    );
    setStatusText(item, { ...line, spoken: `${line.text}. ${line.tooltip[0] ?? ''}` });
    item.command = { command: line.command, title: line.text, arguments: [...(line.arguments ?? [])] };
    item.backgroundColor =
      line.severity === 'normal' ? undefined : new vscode.ThemeColor(`statusBarItem.${line.severity}Background`);
  };
  /** Follows the problems of each project, also of those that are not the active one. */
  const followProject = (bridge: ServedBridge, alive: DisposableStore): void => {
    const follow = (): void => {
      const session = bridge.session();
      if (session !== undefined) alive.add(session.onDidChangeDiagnostics(draw));
      draw();
    };
    alive.add(bridge.onDidChangeProject(follow));
    follow();
  };
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind === 'running') {
      const { bridge } = state;
      alive.add(bridge.engine.onDidChange(draw));
      alive.add(bridge.studios.onDidChange(draw));
      alive.add(bridge.live.onDidChange(draw));
    }
    draw();
  };
  store.add(pending.onDidChange(draw));
  store.add(reviews.onDidChange(draw));
  store.add(followBridges(lifecycle, followProject));
  store.add(unserved.onDidChange(draw));
  store.add(lifecycle.onDidChangeBridges(draw));
  store.add(followBridge(lifecycle, watch));
  item.show();
  return store;
}

/** The number of changes in the latest comparison; `undefined` if there was none. */
export function comparedChangeCount(pending: WindowPendingChanges): number | undefined {
  const { kind, changes } = pending.state();
  return kind === 'unknown' ? undefined : changes.length;
}
