import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { LiveState } from '../../../studio/live/live-control.ts';
import type { StudioLink } from '../../../studio/studio-link.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../../vscode/bridge-lifecycle.ts';
import { viewIds } from '../../../vscode/command-ids.ts';
import type { ForwardedPort } from '../../../vscode/forwarded-port.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { folderLabel } from '../../../vscode/project-folder.ts';
import { type StudioText, studioText } from './studio-text.ts';
import { createTreeItem } from '../../../vscode/safe-window.ts';

/** A line of the view; menus pass it to commands. */
export interface StudioNode {
  readonly handle: string;
  readonly text: StudioText;
}

/** The round trip is measured every few seconds; the visible view is redrawn at this interval. */
const REDRAW_INTERVAL_MS = 2_000;

/** Creates the Studios view: place, round trip, plugin and live state of each Studio. The title shows the served folder and its port. */
export function createStudiosView(
  lifecycle: BridgeLifecycle,
  folder: () => vscode.Uri | undefined,
  port: ForwardedPort,
): Disposable {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  let drawn = '';
  const provider: vscode.TreeDataProvider<StudioNode> = {
    onDidChangeTreeData: changed.event,
    getChildren: node => (node === undefined ? nodesOf(lifecycle.state()) : []),
    getTreeItem: treeItem,
  };
  const view = addDisposable(store, vscode.window.createTreeView(viewIds.studios, { treeDataProvider: provider }));
  const draw = (): void => {
    const state = lifecycle.state();
    const root = folder();
    view.description =
      state.kind === 'running' && root !== undefined
        ? vscode.l10n.t('{0} on port {1}', folderLabel(root), port.address()?.split(':').at(-1) ?? '')
        : '';
    const next = JSON.stringify(nodesOf(state));
    if (next === drawn) return;
    drawn = next;
    changed.fire();
  };
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind === 'running') {
      alive.add(state.bridge.studios.onDidChange(draw));
      alive.add(state.bridge.live.onDidChange(draw));
      alive.add(state.bridge.onDidChangeProject(draw));
    }
    draw();
  };
  store.add(port.onDidChange(draw));
  store.add(followBridge(lifecycle, watch));
  let timer: ReturnType<typeof setInterval> | undefined;
  const redrawWhileVisible = (): void => {
    clearInterval(timer);
    timer = view.visible ? setInterval(draw, REDRAW_INTERVAL_MS) : undefined;
    draw();
  };
  store.defer(() => clearInterval(timer));
  addDisposable(store, view.onDidChangeVisibility(redrawWhileVisible));
  redrawWhileVisible();
  return store;
}

function nodesOf(state: BridgeState): StudioNode[] {
  if (state.kind !== 'running') return [];
  const live: LiveState = state.bridge.live.state();
  return state.bridge.studios
    .all()
    .filter(link => link.isOpen())
    .map(link => ({ handle: link.handle, text: studioText(factsOf(link), live.kind, vscode.l10n) }));
}

const factsOf = (link: StudioLink) => ({ handle: link.handle, hello: link.hello, latencyMs: link.latencyMs?.() });

function treeItem({ handle, text }: StudioNode): vscode.TreeItem {
  const item = createTreeItem(text);
  item.id = handle;
  item.contextValue = 'studio';
  item.iconPath = new vscode.ThemeIcon('vm-connect', new vscode.ThemeColor(text.color));
  return item;
}
