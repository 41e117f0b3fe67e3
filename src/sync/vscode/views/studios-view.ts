import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { plural } from '../../../base/plural.ts';
import type { LiveState } from '../../../studio/live/live-control.ts';
import type { StudioLink } from '../../../studio/studio-link.ts';
import { type BridgeLifecycle, followBridges } from '../../../vscode/bridge-lifecycle.ts';
import { viewIds } from '../../../vscode/command-ids.ts';
import type { ForwardedPort } from '../../../vscode/forwarded-port.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { folderLabel } from '../../../vscode/project-folder.ts';
import { activeProject, projectLabel } from '../../../vscode/project-label.ts';
import type { ServedBridge } from '../../../vscode/served-bridge.ts';
import { type StudioText, studioText } from './studio-text.ts';
import { createTreeItem, setViewMessage } from '../../../vscode/safe-window.ts';
import type { UnservedProject, UnservedProjects } from '../../../vscode/unserved-projects.ts';

/** A line of the view; menus pass it to commands. */
export interface StudioNode {
  /** The key of its project. */
  readonly project: string;
  readonly handle: string;
  readonly text: StudioText;
}

/** The round trip is measured every few seconds; the visible view is redrawn at this interval. */
const REDRAW_INTERVAL_MS = 2_000;

/**
 * Creates the Studios view: place, round trip, plugin and live state of each Studio. The title shows the served folder and its port, the
 * message names projects that are not served.
 */
export function createStudiosView(
  lifecycle: BridgeLifecycle,
  unserved: UnservedProjects,
  folder: () => vscode.Uri | undefined,
  port: ForwardedPort,
): Disposable {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  let drawn = '';
  const provider: vscode.TreeDataProvider<StudioNode> = {
    onDidChangeTreeData: changed.event,
    getChildren: node => (node === undefined ? nodesOf(lifecycle.bridges()) : []),
    getTreeItem: treeItem,
  };
  const view = addDisposable(store, vscode.window.createTreeView(viewIds.studios, { treeDataProvider: provider }));
  const draw = (): void => {
    const state = lifecycle.state();
    const root = folder();
    view.description =
      state.kind === 'running' && root !== undefined
        ? vscode.l10n.t(
            '{0} on port {1}',
            activeProject(lifecycle)?.label ?? folderLabel(root),
            port.address()?.split(':').at(-1) ?? '',
          )
        : '';
    const nodes = nodesOf(lifecycle.bridges());
    setViewMessage(view, messageOf(unserved.all(), nodes.length > 0));
    const next = JSON.stringify(nodes);
    if (next === drawn) return;
    drawn = next;
    changed.fire();
  };
  store.add(
    followBridges(lifecycle, ({ studios, live, onDidChangeProject }, alive) => {
      alive.add(studios.onDidChange(draw));
      alive.add(live.onDidChange(draw));
      alive.add(onDidChangeProject(draw));
    }),
  );
  store.add(port.onDidChange(draw));
  store.add(unserved.onDidChange(draw));
  store.add(lifecycle.onDidChangeBridges(draw));
  store.add(lifecycle.onDidChange(draw));
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

function messageOf(unserved: readonly UnservedProject[], isConnected: boolean): string {
  const broken = unserved.flatMap(({ label, error }) => (error === undefined ? [] : [label]));
  if (broken.length === 0) return '';
  const errors = plural(
    broken.length,
    vscode.l10n.t('{0} has an error, so its project is not synced. See Problems.', broken[0] ?? ''),
    vscode.l10n.t('These projects have errors and are not synced: {0}. See Problems.', broken.join(', ')),
  );
  // VS Code hides the welcome of an empty view that has a message.
  const connect = vscode.l10n.t(
    'No Roblox Studio is connected. Open the place in Studio and press Connect in the Atlas Bridge window.',
  );
  return isConnected ? errors : `${errors}\n${connect}`;
}

function nodesOf(bridges: readonly ServedBridge[]): StudioNode[] {
  return bridges.flatMap(bridge => {
    const live: LiveState = bridge.live.state();
    const project = bridges.length > 1 ? projectLabel(bridges, bridge) : undefined;
    return bridge.studios
      .all()
      .filter(link => link.isOpen())
      .map(link => ({
        project: bridge.location.key,
        handle: link.handle,
        text: studioText({ ...factsOf(link), project }, live, vscode.l10n),
      }));
  });
}

const factsOf = (link: StudioLink) => ({ handle: link.handle, hello: link.hello, latencyMs: link.latencyMs?.() });

function treeItem({ handle, text }: StudioNode): vscode.TreeItem {
  const item = createTreeItem(text);
  item.id = handle;
  item.contextValue = 'studio';
  item.iconPath = new vscode.ThemeIcon('vm-connect', new vscode.ThemeColor(text.color));
  return item;
}
