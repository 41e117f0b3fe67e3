import { refreshAges } from '../../../vscode/refresh-ages.ts';
import * as vscode from 'vscode';
import { plural } from '../../../base/plural.ts';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { RestoredSide } from '../../../protocol/review.ts';
import type { PendingState } from '../../pending-changes.ts';
import { commandIds, viewIds } from '../../../vscode/command-ids.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { timeAgo } from '../../../vscode/localization/time-ago.ts';
import { type ChangeNode, changesOf, changeTree, findNode } from './change-tree.ts';
import { changeIcon, changesMessage, changeText, choiceMarks, groupText } from './change-text.ts';
import type { WindowPendingChanges } from '../../../vscode/pending-changes.ts';
import type { BridgeLifecycle } from '../../../vscode/bridge-lifecycle.ts';
import { withActiveProject } from '../../../vscode/project-label.ts';
import { createTreeItem, setViewDescription, setViewMessage } from '../../../vscode/safe-window.ts';
import { followSelection } from '../../../vscode/tree-selection.ts';

export interface ChangesView extends Disposable {
  selection(): readonly ChangeNode[];
  /** Scrolls to the line of a change and selects it. `false` if there is none. */
  reveal(changeId: string): Promise<boolean>;
}

/** The URI scheme of the view's lines, for file decorations. The query holds the choice. */
const scheme = 'atlas-change';

/** Creates the Changes view: the changes of the open review or of the latest comparison, grouped by path. */
export function createChangesView(lifecycle: BridgeLifecycle, pending: WindowPendingChanges): ChangesView {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  let nodes: readonly ChangeNode[] = [];
  let drawn: PendingState['changes'] | undefined;
  /** Whether no Studio is connected, so that the lines are gray. */
  let isStale = false;
  const provider: vscode.TreeDataProvider<ChangeNode> = {
    onDidChangeTreeData: changed.event,
    getChildren: node => [...(node === undefined ? nodes : node.children)],
    getParent: node => node.parent,
    getTreeItem: node => treeItem(node, isStale, pending.state().review?.status().restore),
  };
  const view = addDisposable(
    store,
    vscode.window.createTreeView(viewIds.changes, {
      treeDataProvider: provider,
      showCollapseAll: true,
      canSelectMany: true,
    }),
  );
  const selection = store.add(followSelection(view));
  const draw = (): void => {
    const state = pending.state();
    if (drawn !== state.changes) {
      drawn = state.changes;
      nodes = changeTree(state.changes);
      changed.fire();
    }
    const isConnected = pending.isConnected();
    // A review is up to date, and a restore of files needs no Studio.
    const isUpToDate = isConnected || state.kind === 'reviewing';
    if (isStale === isUpToDate) {
      isStale = !isUpToDate;
      changed.fire();
    }
    const ago = state.at === undefined ? '' : timeAgo(Date.parse(state.at), Date.now(), vscode.l10n);
    setViewMessage(view, changesMessage(state, ago, isConnected, vscode.l10n) ?? '');
    setViewDescription(view, withActiveProject(lifecycle, state.placeName ?? ''));
    view.badge = badgeOf(state);
  };
  store.add(pending.onDidChange(draw));
  store.add(lifecycle.onDidChangeBridges(draw));
  refreshAges(store, view, draw);
  addDisposable(
    store,
    view.onDidChangeVisibility(({ visible }) => void (visible && pending.scheduleRefresh())),
  );
  addDisposable(
    store,
    vscode.window.onDidChangeWindowState(({ focused }) => void (focused && pending.scheduleRefresh())),
  );
  addDisposable(store, vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf }));
  draw();
  return {
    selection: () => selection.current(),
    async reveal(changeId) {
      const node = findNode(nodes, changeId);
      if (node !== undefined) await view.reveal(node, { select: true, focus: true });
      return node !== undefined;
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function badgeOf({ changes, review }: PendingState): vscode.ViewBadge | undefined {
  if (changes.length === 0) return undefined;
  if (review?.status().restore !== undefined) {
    const one = vscode.l10n.t('1 change to restore');
    const tooltip = plural(changes.length, one, vscode.l10n.t('{0} changes to restore', changes.length));
    return { value: changes.length, tooltip };
  }
  const tooltip = plural(
    changes.length,
    vscode.l10n.t('1 change between disk and Studio'),
    vscode.l10n.t('{0} changes between disk and Studio', changes.length),
  );
  return { value: changes.length, tooltip };
}

function treeItem(node: ChangeNode, isStale: boolean, restored: RestoredSide | undefined): vscode.TreeItem {
  const { id, label, path, change, children } = node;
  const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
  // Collapse large groups so that the view stays readable.
  const state = children.length === 0 ? None : children.length > 100 ? Collapsed : Expanded;
  if (change === undefined) {
    const { description, spoken } = groupText(changesOf(node), vscode.l10n, restored);
    const group = createTreeItem({ label, description, tooltip: [path, description], spoken }, state);
    group.id = id;
    group.iconPath = vscode.ThemeIcon.Folder;
    group.contextValue = restored === undefined ? 'group' : 'restored';
    if (isStale) {
      group.resourceUri = vscode.Uri.from({ scheme, path: `/${id}`, query: 'group', fragment: 'stale' });
      // VS Code draws `ThemeIcon.Folder` of a resource without a color.
      group.iconPath = new vscode.ThemeIcon('folder-opened', new vscode.ThemeColor('disabledForeground'));
    }
    return group;
  }
  const item = createTreeItem({ label, ...changeText(change, vscode.l10n, restored) }, state);
  item.id = id;
  const icon = changeIcon(change.patchType, restored);
  item.resourceUri = vscode.Uri.from({
    scheme,
    path: `/${change.id}`,
    query: change.choice ?? 'undecided',
    fragment: isStale ? 'stale' : '',
  });
  const color = isStale ? 'disabledForeground' : icon.color;
  item.iconPath = new vscode.ThemeIcon(icon.id, color === undefined ? undefined : new vscode.ThemeColor(color));
  item.contextValue = restored === undefined ? `change.${change.patchType}` : 'restored.change';
  item.command = { command: commandIds.openChange, title: vscode.l10n.t('Open Change'), arguments: [change.id] };
  return item;
}

function decorationOf(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== scheme) return undefined;
  if (uri.query === 'group')
    return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor('disabledForeground'));
  const found = Object.entries(choiceMarks).find(([choice]) => choice === uri.query)?.[1];
  if (found === undefined) return undefined;
  const color = uri.fragment === 'stale' ? 'disabledForeground' : found.color;
  return new vscode.FileDecoration(
    found.mark,
    undefined,
    color === undefined ? undefined : new vscode.ThemeColor(color),
  );
}
