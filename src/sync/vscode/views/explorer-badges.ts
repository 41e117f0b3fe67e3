import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { PendingChange } from '../../pending-changes.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { contextKeys } from '../../../vscode/command-ids.ts';
import type { WindowPendingChanges } from '../../../vscode/pending-changes.ts';

export interface ExplorerBadgesDeps {
  readonly pending: WindowPendingChanges;
  /** The root folder of the project's paths. */
  readonly folder: () => vscode.Uri | undefined;
  /** Reads the setting `atlas.explorer.badges`. */
  readonly isOn: () => boolean;
}

/** Adds a badge to each file that differs from Studio, and removes it when the file is equal again. */
export function registerExplorerBadges({ pending, folder, isOn }: ExplorerBadgesDeps): Disposable {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<vscode.Uri[]>());
  /** The setting at the last drawing. VS Code requests the badge of every file, and reading a setting takes longer than all the rest. */
  let isShown = false;
  let marked = new Map<string, { readonly uri: vscode.Uri; readonly changes: readonly PendingChange[] }>();
  const draw = (): void => {
    isShown = isOn();
    const root = folder();
    const next: typeof marked = new Map();
    if (root !== undefined)
      for (const [path, changes] of Map.groupBy(pending.state().changes, ({ fsPath }) => fsPath)) {
        if (path === null) continue;
        const uri = vscode.Uri.joinPath(root, path);
        next.set(uri.toString(), { uri, changes });
      }
    const touched = new Map([...marked, ...next]);
    marked = next;
    changed.fire(Array.from(touched.values(), ({ uri }) => uri));
    const paths = Array.from(next.values(), ({ uri }) => uri.fsPath);
    void vscode.commands.executeCommand('setContext', contextKeys.differingFiles, paths);
  };
  store.add(pending.onDidChange(draw));
  addDisposable(
    store,
    vscode.workspace.onDidChangeConfiguration(event => void (event.affectsConfiguration('atlas.explorer') && draw())),
  );
  addDisposable(
    store,
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const found = uri.scheme === 'file' ? marked.get(uri.toString()) : undefined;
        if (found === undefined || !isShown) return undefined;
        const isOpen = found.changes.some(({ choice }) => choice === null);
        const badge = new vscode.FileDecoration(
          '≠',
          isOpen ? vscode.l10n.t('Differs from Studio; needs your decision') : vscode.l10n.t('Differs from Studio'),
          isOpen ? new vscode.ThemeColor('list.warningForeground') : undefined,
        );
        badge.propagate = true;
        return badge;
      },
    }),
  );
  draw();
  return store;
}
