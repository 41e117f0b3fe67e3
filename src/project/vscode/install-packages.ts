import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { diagnosticsOf } from './project-diagnostics.ts';

export interface InstallPackagesDeps {
  readonly lifecycle: BridgeLifecycle;
  /** The folder of the project. */
  readonly folder: () => Promise<vscode.Uri | undefined>;
  /** The folder to which the paths of diagnostics are relative. */
  readonly root: () => vscode.Uri | undefined;
}

const wallyInstall = 'wally install';

/** Registers the command that runs `wally install` in a terminal, and the quick fix for a missing path that it creates. */
export function registerInstallPackages(deps: InstallPackagesDeps): Disposable {
  const store = new DisposableStore();
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.installPackages, () => installPackages(deps)),
  );
  const pattern = '**/*.project.{json,json5,jsonc}';
  const provider: vscode.CodeActionProvider = { provideCodeActions: (document, range) => fixes(document, range, deps) };
  const metadata = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  addDisposable(store, vscode.languages.registerCodeActionsProvider({ pattern }, provider, metadata));
  return store;
}

async function installPackages({ folder }: InstallPackagesDeps): Promise<void> {
  const found = await folder();
  if (found === undefined || !(await hasWallyFile(found)))
    return void safeWindow.showWarningMessage(vscode.l10n.t('The folder of the project has no wally.toml.'));
  // Otherwise, cmd.exe would prefer a `wally.bat` of the project to the one on the PATH.
  const env = { NoDefaultCurrentDirectoryInExePath: '1' };
  const terminal = vscode.window.createTerminal({ name: wallyInstall, cwd: found, env });
  terminal.show(true);
  terminal.sendText(wallyInstall);
}

async function fixes(
  document: vscode.TextDocument,
  range: vscode.Range,
  { lifecycle, folder, root }: InstallPackagesDeps,
): Promise<vscode.CodeAction[]> {
  const state = lifecycle.state();
  const at = root();
  if (state.kind !== 'running' || at === undefined) return [];
  const isHere = ({ file, line }: ReturnType<typeof diagnosticsOf>[number]): boolean =>
    vscode.Uri.joinPath(at, file).toString() === document.uri.toString() &&
    line - 1 >= range.start.line &&
    line - 1 <= range.end.line;
  const isFixable = diagnosticsOf(state.bridge).some(one => one.missing?.command === wallyInstall && isHere(one));
  const project = isFixable ? await folder() : undefined;
  if (project === undefined || !(await hasWallyFile(project))) return [];
  const action = new vscode.CodeAction(vscode.l10n.t('Run "wally install"'), vscode.CodeActionKind.QuickFix);
  action.command = { command: commandIds.installPackages, title: action.title };
  action.isPreferred = true;
  return [action];
}

async function hasWallyFile(folder: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.joinPath(folder, 'wally.toml'));
    return true;
  } catch {
    // Also if it cannot be read: Wally could not read it either.
    return false;
  }
}
