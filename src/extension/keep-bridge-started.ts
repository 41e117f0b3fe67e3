import * as vscode from 'vscode';
import type { BridgeLifecycle } from '../vscode/bridge-lifecycle.ts';
import { addDisposable } from '../vscode/add-disposable.ts';
import { folderLabel } from '../vscode/project-folder.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { Logger } from '../ports/logger.ts';
import type { ServedFolder } from './served-folder.ts';

/** What a bridge reads once, when it starts. */
const AT_START = ['atlas.port', 'atlas.rojoPort', 'atlas.docs.ripgrepPath'];

const never = new AbortController().signal;

/**
 * Trust, folders and some settings decide whether and where there is a bridge. A running sync is never cut off for one of them.
 * A start that fails is logged, whoever asked for it.
 */
export function keepBridgeStarted(lifecycle: BridgeLifecycle, served: ServedFolder, log: Logger): Disposable {
  const store = new DisposableStore();
  store.add(
    lifecycle.onDidChange(state => {
      if (state.kind === 'failed') log.error('the bridge did not start', state.error.cause ?? state.error);
    }),
  );
  addDisposable(
    store,
    vscode.workspace.onDidGrantWorkspaceTrust(() => void lifecycle.begin()),
  );
  const following = new SerialQueue();
  const failed = (error: unknown): void => log.error('the folders of the workspace were not followed', error);
  addDisposable(
    store,
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      following.run(never, () => followFolders(lifecycle, served)).catch(failed);
    }),
  );
  addDisposable(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      if (!AT_START.some(name => event.affectsConfiguration(name))) return;
      const state = lifecycle.state();
      if (state.kind === 'running' && state.bridge.engine.current() !== undefined)
        void vscode.window.showInformationMessage(
          vscode.l10n.t('A sync is in progress. The new setting takes effect when it finishes.'),
        );
      void lifecycle.restartWhenFree();
    }),
  );
  return store;
}

/** A folder that a person has taken out of the workspace is served no longer: the one that is left is, if there is any. */
async function followFolders(lifecycle: BridgeLifecycle, served: ServedFolder): Promise<void> {
  await lifecycle.begin();
  const left = served.projectFolder();
  if (left === undefined || vscode.workspace.getWorkspaceFolder(left) !== undefined) return;
  const { kind } = await lifecycle.restartWhenFree();
  // Of a start that failed the status bar tells.
  const now = kind === 'running' ? served.projectFolder() : undefined;
  const gone = folderLabel(left);
  void vscode.window.showWarningMessage(
    now === undefined
      ? vscode.l10n.t('Atlas Bridge stopped syncing {0}: the folder was removed from the workspace.', gone)
      : vscode.l10n.t(
          'Atlas Bridge now syncs {0}: the folder {1} was removed from the workspace.',
          folderLabel(now),
          gone,
        ),
  );
}
