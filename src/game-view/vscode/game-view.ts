import { refreshAges } from '../../vscode/refresh-ages.ts';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { AppError } from '../../base/errors.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { timeAgo } from '../../vscode/localization/time-ago.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { viewIds } from '../../vscode/command-ids.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { WindowPendingChanges } from '../../vscode/pending-changes.ts';
import { createTreeItem, setViewDescription, setViewMessage } from '../../vscode/safe-window.ts';
import { followSelection } from '../../vscode/tree-selection.ts';
import { type ClassFamily, familyOf } from '../class-family.ts';
import type { GameNode, InstanceNode } from '../game-node.ts';
import { openChange } from './open-change.ts';
import { rowText } from './game-rows.ts';
import type { PlaceFollower, ShownPlace } from './shown-place.ts';

export interface GameViewDeps {
  readonly place: PlaceFollower;
  readonly pending: WindowPendingChanges;
  readonly reflection: () => Reflection | undefined;
  readonly extensionUri: vscode.Uri;
  /** The path of the file that describes the instance, relative to the project. */
  readonly fileOf: (node: InstanceNode) => string | undefined;
  /** Adds the active project of several to the description of the view. */
  readonly describe: (title: string) => string;
}

export interface GameView extends Disposable {
  selected(): InstanceNode | undefined;
  readonly onDidSelect: Event<void>;
  reveal(node: GameNode): Promise<void>;
}

/** The URI scheme of the rows, for file decorations. The query is the state, the fragment whether the row is outdated. */
const scheme = 'atlas-game';

/** Creates the Game view: the instances of the place, or of the project, with what is synced and what differs. */
export function createGameView({ place, pending, reflection, extensionUri, fileOf, describe }: GameViewDeps): GameView {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<GameNode | undefined>());
  let problem: AppError | undefined;

  const iconOf = (family: ClassFamily): { readonly light: vscode.Uri; readonly dark: vscode.Uri } => {
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(extensionUri, 'media', 'classes', `${family}-${theme}.svg`);
    return { light: icon('light'), dark: icon('dark') };
  };
  const treeItem = (node: GameNode): vscode.TreeItem => {
    const shown = place.current();
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    if (shown.kind === 'nothing') return createTreeItem({ label: '' });
    const { tree } = shown;
    const file = node.kind === 'instance' ? fileOf(node) : undefined;
    const item = createTreeItem(rowText(node, tree, file, vscode.l10n), tree.hasChildren(node) ? Collapsed : None);
    item.id = node.id;
    if (node.kind === 'range') return item;
    const classes = reflection();
    item.iconPath = iconOf(classes === undefined ? 'instance' : familyOf(node.className, classes));
    item.resourceUri = vscode.Uri.from({
      scheme,
      path: `/${node.id}`,
      query: tree.stateOf(node),
      fragment: shown.kind === 'stale' ? 'stale' : '',
    });
    const change = tree.changeOf(node);
    // A change without a text or a property has no diff.
    if (shown.kind === 'studio' && change !== undefined && (change.patchType === 'Edit' || change.hasSource))
      item.command = openChange(change.id);
    item.contextValue = [
      'instance',
      ...(file === undefined ? [] : ['file']),
      ...(shown.kind === 'studio' && node.side === 'studio' ? ['studio'] : []),
      ...(tree.stateOf(node) === 'differs' ? ['differs'] : []),
    ].join(' ');
    return item;
  };
  const childrenOf = async (node: GameNode | undefined): Promise<GameNode[]> => {
    const shown = place.current();
    if (shown.kind === 'nothing') return [];
    try {
      const rows = [...(await shown.tree.children(node))];
      setProblem(undefined);
      // VS Code knows the rows, and so the selection, right after it has them.
      setTimeout(followSelected);
      return rows;
    } catch (error) {
      setProblem(AppError.from(error));
      return [];
    }
  };
  const view = addDisposable(
    store,
    vscode.window.createTreeView<GameNode>(viewIds.game, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: childrenOf,
        getParent: node => node.parent,
        getTreeItem: treeItem,
      },
      showCollapseAll: true,
    }),
  );
  const selection = store.add(followSelection(view));
  const selected = (): InstanceNode | undefined => selection.current().find(node => node.kind === 'instance');
  const selectionChanged = new Emitter<void>();
  let shownId: string | undefined;
  const followSelected = (): void => {
    const id = selected()?.id;
    if (id === shownId) return;
    shownId = id;
    selectionChanged.fire();
  };
  addDisposable(store, view.onDidChangeSelection(followSelected));
  const draw = (): void => {
    const shown = place.current();
    setViewMessage(
      view,
      problem === undefined ? messageOf(shown, pending, place.studioCount()) : personSentence(problem, vscode.l10n),
    );
    setViewDescription(view, describe(titleOf(shown)));
  };
  const setProblem = (next: AppError | undefined): void => {
    if (problem === next) return;
    problem = next;
    draw();
  };
  store.add(
    place.onDidChange(nodes => {
      problem = undefined;
      if (nodes === undefined) changed.fire(undefined);
      else for (const node of nodes) changed.fire(node);
      draw();
    }),
  );
  store.add(pending.onDidChange(draw));
  refreshAges(store, view, draw);
  addDisposable(store, vscode.window.registerFileDecorationProvider({ provideFileDecoration: decorationOf }));
  draw();
  return {
    selected,
    onDidSelect: selectionChanged.event,
    reveal: async node => await view.reveal(node, { select: true, focus: true }),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function titleOf(shown: ShownPlace): string {
  switch (shown.kind) {
    case 'nothing':
      return '';
    case 'studio':
      return shown.link.hello.placeName;
    case 'stale':
      return shown.placeName;
    case 'disk':
      return shown.session.info.name;
  }
}

function messageOf(shown: ShownPlace, pending: WindowPendingChanges, studioCount: number): string {
  const { t } = vscode.l10n;
  const ago = (at: string): string => timeAgo(Date.parse(at), Date.now(), vscode.l10n);
  const withOthers = (text: string): string =>
    studioCount < 2
      ? text
      : `${text} ${t('More than one Studio is connected. Run Compare with Studio to choose the one to show.')}`;
  switch (shown.kind) {
    case 'nothing':
      return '';
    case 'stale':
      return t('Studio is not connected. {0} disconnected {1}.', shown.placeName, ago(shown.at));
    case 'disk':
      return shown.unsupported === undefined
        ? t('Studio is not connected. This is the project on disk.')
        : withOthers(
            t(
              'The plugin of {0} cannot list its instances. This is the project on disk.',
              shown.unsupported.hello.placeName,
            ),
          );
    case 'studio': {
      const { at, kind } = pending.state();
      if (kind === 'reviewing') return '';
      const { placeName } = shown.link.hello;
      const compared =
        at === undefined ? t('Not compared with the project yet.') : t('Compared with {0} {1}.', placeName, ago(at));
      return withOthers(compared);
    }
  }
}

const colors: Readonly<Record<string, string>> = {
  differs: 'gitDecoration.modifiedResourceForeground',
  onlyInStudio: 'gitDecoration.untrackedResourceForeground',
  onlyOnDisk: 'gitDecoration.addedResourceForeground',
};

function decorationOf(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== scheme) return undefined;
  const color = uri.fragment === 'stale' ? 'disabledForeground' : colors[uri.query];
  return color === undefined
    ? undefined
    : new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor(color));
}
