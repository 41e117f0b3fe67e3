import * as vscode from 'vscode';
import { type BridgeLifecycle, runOf } from '../vscode/bridge-lifecycle.ts';
import { addDisposable } from '../vscode/add-disposable.ts';
import { folderLabel } from '../vscode/project-folder.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Logger } from '../ports/logger.ts';
import type { ServedFolder } from './served-folder.ts';
import { safeWindow } from '../vscode/safe-window.ts';

/** Settings that the bridge reads only when it starts. */
const RESTART_SETTINGS = ['atlas.port', 'atlas.rojoPort', 'atlas.docs.ripgrepPath'];

const never = new AbortController().signal;

/**
 * Starts, moves and restarts the bridge when workspace trust, the workspace folders or the port settings change. Never interrupts a
 * running sync. Logs every failed start.
 */
export function keepBridgeStarted(lifecycle: BridgeLifecycle, served: ServedFolder, log: Logger): Disposable {
  const store = new DisposableStore();
  store.add(
    lifecycle.onDidChange(state => {
      if (state.kind === 'failed') log.error('the bridge failed to start', state.error.cause ?? state.error);
    }),
  );
  addDisposable(
    store,
    vscode.workspace.onDidGrantWorkspaceTrust(() => void lifecycle.begin()),
  );
  const folderChanges = new SerialQueue();
  const failed = (error: unknown): void => log.error('failed to follow the workspace folders', error);
  addDisposable(
    store,
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      folderChanges.run(never, () => followFolders(lifecycle, served)).catch(failed);
    }),
  );
  addDisposable(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      if (!RESTART_SETTINGS.some(name => event.affectsConfiguration(name))) return;
      if (runOf(lifecycle.bridges()) !== undefined)
        void safeWindow.showInformationMessage(
          vscode.l10n.t('A sync is in progress. The new setting takes effect when it finishes.'),
        );
      void lifecycle.restartWhenFree();
    }),
  );
  return store;
}

/** Moves the bridge to another folder of the workspace, if there is one, when its folder was removed. */
async function followFolders(lifecycle: BridgeLifecycle, served: ServedFolder): Promise<void> {
  await lifecycle.begin();
  const previous = served.projectFolder();
  if (previous === undefined || vscode.workspace.getWorkspaceFolder(previous) !== undefined) return;
  const { kind } = await lifecycle.restartWhenFree();
  // The status bar reports a failed start.
  const now = kind === 'running' ? served.projectFolder() : undefined;
  const removed = folderLabel(previous);
  void safeWindow.showWarningMessage(
    now === undefined
      ? vscode.l10n.t('Atlas Bridge stopped syncing {0}: the folder was removed from the workspace.', removed)
      : vscode.l10n.t(
          'Atlas Bridge now syncs {0}: the folder {1} was removed from the workspace.',
          folderLabel(now),
          removed,
        ),
  );
}
