import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Reflection } from '../../roblox/instances/reflection.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { viewIds } from '../../vscode/command-ids.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { createTreeItem, setViewDescription, setViewMessage } from '../../vscode/safe-window.ts';
import type { InstanceNode } from '../game-node.ts';
import { type PropertyRow, propertyRows } from '../property-rows.ts';
import { openChange } from './open-change.ts';
import { propertyText } from './game-rows.ts';
import type { PlaceFollower } from './shown-place.ts';

export interface PropertiesView extends Disposable {
  /** Reads and shows the properties of the instance. Resolves when they are shown, or another instance is. */
  show(node: InstanceNode | undefined): Promise<readonly PropertyRow[]>;
}

/** Creates the Properties view: the current values of the instance that is selected in the Game view. */
export function createPropertiesView(place: PlaceFollower, reflection: () => Reflection | undefined): PropertiesView {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  let rows: readonly PropertyRow[] = [];
  let reading = new AbortController();
  const view = addDisposable(
    store,
    vscode.window.createTreeView<PropertyRow>(viewIds.gameProperties, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getChildren: row => (row === undefined ? [...rows] : []),
        getTreeItem: propertyItem,
      },
    }),
  );
  const draw = (title: string, next: readonly PropertyRow[], message: string): void => {
    rows = next;
    setViewDescription(view, title);
    setViewMessage(view, message);
    changed.fire();
  };
  const read = async (node: InstanceNode, signal: AbortSignal): Promise<void> => {
    const shown = place.current();
    const classes = reflection();
    if (shown.kind === 'nothing' || classes === undefined) return draw('', [], '');
    try {
      const inspected = await shown.tree.inspect(node, signal);
      if (signal.aborted) return;
      if (inspected === undefined)
        return draw(node.name, [], vscode.l10n.t('Studio is not connected, so its values cannot be read.'));
      const side = node.side;
      draw(node.name, propertyRows(inspected, side, shown.tree.changeOf(node), classes), '');
    } catch (error) {
      if (!signal.aborted) draw(node.name, [], personSentence(AppError.from(error), vscode.l10n));
    }
  };
  store.defer(() => reading.abort());
  return {
    async show(node) {
      reading.abort();
      reading = new AbortController();
      if (node === undefined) draw('', [], '');
      else await read(node, reading.signal);
      return rows;
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function propertyItem(row: PropertyRow): vscode.TreeItem {
  const item = createTreeItem(propertyText(row, vscode.l10n));
  item.id = row.name;
  if (row.changeId === undefined) return item;
  item.iconPath = new vscode.ThemeIcon('diff-modified');
  item.command = openChange(row.changeId);
  return item;
}
