import * as vscode from 'vscode';
import { describeCause } from '../../base/describe-cause.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../ports/logger.ts';
import { namespaces, type Namespace } from '../../protocol/roots.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { commandIds, contextKeys, viewIds } from '../../vscode/command-ids.ts';
import { createContextSetter } from '../../vscode/context-keys.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { readRootRows, type RootRow, type RootRows } from './root-rows.ts';
import { problemText, type RootText, rootText } from './root-texts.ts';
import { createTreeItem } from '../../vscode/safe-window.ts';

export interface RootsViewDeps {
  readonly lifecycle: BridgeLifecycle;
  /** Events of all syncs, including those that agents start. */
  readonly syncs: { readonly onDidStep: Event<void>; readonly onDidSync: Event<void> };
  readonly log: Logger;
}

/** An item of the view. */
export type RootNode =
  | { readonly kind: 'namespace'; readonly namespace: Namespace; readonly rows: readonly RootRow[] }
  | { readonly kind: 'root'; readonly row: RootRow }
  | { readonly kind: 'problem'; readonly text: RootText };

export interface RootsView extends Disposable {
  refresh(): void;
}

/** Creates the Roots view, which groups roots by namespace. Refreshes when it becomes visible, and when settings, folders or a sync change. */
export function createRootsView({ lifecycle, syncs, log }: RootsViewDeps): RootsView {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  const refresh = (): void => changed.fire();
  const setContext = createContextSetter();
  const provider: vscode.TreeDataProvider<RootNode> = {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      if (node !== undefined)
        return node.kind === 'namespace' ? node.rows.map(row => ({ kind: 'root' as const, row })) : [];
      // Only wait for a bridge that is starting: calling `begin` in any other state would restart it on each refresh.
      const state = lifecycle.state().kind === 'starting' ? await lifecycle.begin() : lifecycle.state();
      if (state.kind !== 'running') return [];
      try {
        const rows = await readRootRows(state.bridge, new AbortController().signal);
        setContext(contextKeys.rootsRead, true);
        return topNodes(rows);
      } catch (error) {
        log.error('reading the roots failed', error);
        // VS Code shows this text.
        throw new Error(vscode.l10n.t('The roots cannot be read: {0}. The log has details.', describeCause(error)));
      }
    },
    getTreeItem: treeItem,
  };
  const view = addDisposable(
    store,
    vscode.window.createTreeView(viewIds.roots, { treeDataProvider: provider, showCollapseAll: true }),
  );
  addDisposable(
    store,
    view.onDidChangeVisibility(({ visible }) => void (visible && refresh())),
  );
  addDisposable(
    store,
    vscode.workspace.onDidChangeConfiguration(event => void (event.affectsConfiguration('atlas.docs') && refresh())),
  );
  addDisposable(store, vscode.workspace.onDidChangeWorkspaceFolders(refresh));
  store.add(syncs.onDidStep(refresh));
  store.add(syncs.onDidSync(refresh));
  store.add(lifecycle.onDidChange(state => void (state.kind !== 'starting' && refresh())));
  return { refresh, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

function topNodes({ rows, problems }: RootRows): RootNode[] {
  return [
    ...problems.map(problem => ({ kind: 'problem' as const, text: problemText(problem, vscode.l10n) })),
    ...namespaces
      .map(namespace => ({
        kind: 'namespace' as const,
        namespace,
        rows: rows.filter(({ root }) => root.definition.namespace === namespace),
      }))
      .filter(node => node.rows.length > 0),
  ];
}

function treeItem(node: RootNode): vscode.TreeItem {
  if (node.kind === 'namespace') {
    const names: Readonly<Record<Namespace, string>> = {
      docs: vscode.l10n.t('Docs'),
      code: vscode.l10n.t('Code'),
      harness: vscode.l10n.t('Harness'),
    };
    const group = createTreeItem({ label: names[node.namespace] }, vscode.TreeItemCollapsibleState.Expanded);
    group.id = node.namespace;
    group.contextValue = 'namespace';
    return group;
  }
  const { label, description, tooltip, icon, context } =
    node.kind === 'root' ? rootText(node.row, vscode.l10n) : node.text;
  const item = createTreeItem({ label, description, tooltip });
  if (node.kind === 'root') item.id = node.row.root.definition.id;
  item.contextValue = context;
  item.iconPath = new vscode.ThemeIcon(
    icon.id,
    icon.color === undefined ? undefined : new vscode.ThemeColor(icon.color),
  );
  if (node.kind === 'problem')
    item.command = { command: commandIds.configureRoots, title: vscode.l10n.t('Configure Roots') };
  return item;
}
