import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { type BridgeLifecycle, runOf } from '../../../vscode/bridge-lifecycle.ts';
import { bridgeOrMessage } from '../../../vscode/bridge-or-message.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import type { ForwardedPort } from '../../../vscode/forwarded-port.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import {
  chosenFolderKey,
  findProjectFolders,
  folderLabel,
  keyOfProject,
  type ProjectFolder,
} from '../../../vscode/project-folder.ts';
import { createSettings } from '../../../vscode/settings.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';
import { warnWithDoctor } from '../../../vscode/warn-with-doctor.ts';
import type { UnservedProjects } from '../../../vscode/unserved-projects.ts';

export interface ActiveProjectCommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly unserved: UnservedProjects;
  readonly state: vscode.Memento;
  readonly port: ForwardedPort;
  /** The project folder of the running bridge. */
  readonly folder: () => vscode.Uri | undefined;
  readonly showLog: () => void;
}

/** Registers the commands that switch the active project and copy the address for Studio. */
export function registerActiveProjectCommands(deps: ActiveProjectCommandsDeps): Disposable {
  const { lifecycle, unserved, state, port, folder, showLog } = deps;
  const store = new DisposableStore();
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.switchFolder, async (argument?: unknown) => {
      // Without a trusted folder there is nothing to switch.
      if ((await lifecycle.begin()).kind === 'idle') return undefined;
      const key =
        typeof argument === 'string' ? vscode.Uri.file(argument).toString() : await pickProject(lifecycle, unserved);
      if (key === undefined) return undefined;
      if (key === activeKey(lifecycle)) return folder()?.fsPath;
      if (runOf(lifecycle.bridges()) !== undefined) {
        void safeWindow.showWarningMessage(
          vscode.l10n.t('A sync is in progress. Finish it before you switch projects.'),
        );
        return undefined;
      }
      const running = lifecycle.bridges().find(({ location }) => location.key === key);
      if (running === undefined) {
        await state.update(chosenFolderKey, key);
        await lifecycle.restart();
        return folder()?.fsPath;
      }
      lifecycle.activate(running);
      // A person types the port of Rojo's plugin, so it belongs to the project that the person chose.
      for (const bridge of lifecycle.bridges()) if (bridge !== running) await bridge.serveRojo(undefined);
      await running.serveRojo(createSettings(folder()).rojoPort());
      return folder()?.fsPath;
    }),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.copyAddress, async () => {
      if ((await bridgeOrMessage(lifecycle, showLog)) === undefined) return undefined;
      const address = port.address();
      if (address === undefined) {
        warnWithDoctor(vscode.l10n.t('There is no address for Studio yet. Run Doctor to find out why.'));
        return undefined;
      }
      await vscode.env.clipboard.writeText(address);
      void safeWindow.setStatusBarMessage(vscode.l10n.t('Copied {0}', address), 5_000);
      return address;
    }),
  );
  return store;
}

const activeKey = (lifecycle: BridgeLifecycle): string | undefined => {
  const state = lifecycle.state();
  return state.kind === 'running' ? state.bridge.location.key : undefined;
};

/** Asks for a project of the window. @returns its key */
async function pickProject(lifecycle: BridgeLifecycle, unserved: UnservedProjects): Promise<string | undefined> {
  const found = await findProjectFolders();
  const bridges = lifecycle.bridges();
  const active = activeKey(lifecycle);
  const broken = new Set(unserved.all().flatMap(one => (one.error === undefined ? [] : [one.key])));
  const item = (project: ProjectFolder) => {
    const key = keyOfProject(project);
    const bridge = bridges.find(({ location }) => location.key === key);
    return {
      label: project.file === undefined ? folderLabel(project.uri) : `${folderLabel(project.uri)}/${project.file}`,
      description: [
        ...(key === active ? [vscode.l10n.t('current')] : []),
        ...(bridge === undefined ? [] : [vscode.l10n.t('on port {0}', new URL(bridge.studioUrl).port)]),
        ...(project.hasProject || project.failure !== undefined ? [] : [vscode.l10n.t('no project file')]),
        ...(bridge === undefined && broken.has(key) ? [vscode.l10n.t('has an error')] : []),
      ].join(', '),
      key,
    };
  };
  const picked = await safeWindow.showQuickPick(found.map(item), {
    title: vscode.l10n.t('Atlas Bridge: Switch Project'),
    placeHolder: vscode.l10n.t('Choose the project that the views show.'),
  });
  return picked?.key;
}
