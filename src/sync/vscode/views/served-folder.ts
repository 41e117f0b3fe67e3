import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { BridgeLifecycle } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import type { ForwardedPort } from '../../../vscode/forwarded-port.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import {
  chosenFolderKey,
  findProjectFolders,
  folderLabel,
  type ProjectFolder,
} from '../../../vscode/project-folder.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';

export interface ServedFolderDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly state: vscode.Memento;
  readonly port: ForwardedPort;
  /** The project folder of the running bridge. */
  readonly folder: () => vscode.Uri | undefined;
}

/** Registers the commands that switch the served folder and copy the address for Studio. */
export function registerServedFolder({ lifecycle, state, port, folder }: ServedFolderDeps): Disposable {
  const store = new DisposableStore();
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.switchFolder, async (argument?: unknown) => {
      // Without a trusted folder there is nothing to switch.
      if ((await lifecycle.begin()).kind === 'idle') return undefined;
      const chosen = typeof argument === 'string' ? vscode.Uri.file(argument) : await pickFolder(folder());
      if (chosen === undefined) return undefined;
      if (chosen.toString() === folder()?.toString()) return chosen.fsPath;
      const now = lifecycle.state();
      if (now.kind === 'running' && now.bridge.engine.current() !== undefined) {
        void safeWindow.showWarningMessage(
          vscode.l10n.t('A sync is in progress. Finish it before you switch folders.'),
        );
        return undefined;
      }
      await state.update(chosenFolderKey, chosen.toString());
      await lifecycle.restart();
      return folder()?.fsPath;
    }),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.copyAddress, async () => {
      await lifecycle.begin();
      const address = port.address();
      if (address === undefined) {
        void safeWindow.showWarningMessage(
          vscode.l10n.t('There is no address for Studio yet. Run Doctor to find out why.'),
        );
        return undefined;
      }
      await vscode.env.clipboard.writeText(address);
      void safeWindow.setStatusBarMessage(vscode.l10n.t('Copied {0}', address), 5_000);
      return address;
    }),
  );
  return store;
}

async function pickFolder(served: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const found = await findProjectFolders();
  const item = ({ uri, hasProject }: ProjectFolder) => ({
    label: folderLabel(uri),
    description: [
      ...(uri.toString() === served?.toString() ? [vscode.l10n.t('current')] : []),
      ...(hasProject ? [] : [vscode.l10n.t('no project file')]),
    ].join(', '),
    uri,
  });
  const picked = await safeWindow.showQuickPick(found.map(item), {
    title: vscode.l10n.t('Atlas Bridge: Switch Served Folder'),
    placeHolder: vscode.l10n.t('Studio and agents disconnect from the current folder.'),
  });
  return picked?.uri;
}
