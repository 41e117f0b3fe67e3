import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { Terms } from '../scope/retrieval-deps.ts';
import type { GitRoot, GitSyncReport, GitSyncRequest } from '../ports/git-roots.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { openMachineSettings } from '../../vscode/open-settings.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { RootAnswers, RootSetting } from './add-root.ts';
import { readRootRows, type RootRow } from './root-rows.ts';
import { rootName, rootText } from './root-texts.ts';
import type { RootNode, RootsView } from './roots-view.ts';
import { searchRoots } from './search-roots.ts';
import { syncMessage } from './sync-message.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

export interface RootsCommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly view: RootsView;
  /** The limits of searches in the editor. */
  readonly terms: Terms;
  /** Loads `addRoot`, which most windows never call. */
  readonly loadAddRoot: () => Promise<(given: RootAnswers) => Promise<RootSetting | undefined>>;
  readonly log: Logger;
}

/**
 * Registers the commands that sync, reveal and search roots. Each takes an item of the view or the id of a root; without an argument,
 * the user chooses. The commands return their result for other extensions and tests.
 */
export function registerRootsCommands({ lifecycle, view, terms, loadAddRoot, log }: RootsCommandsDeps): Disposable {
  const store = new DisposableStore();
  const handlers: Readonly<Record<string, (bridge: ServedBridge, argument: unknown) => Promise<unknown>>> = {
    async [commandIds.syncRoot](bridge, argument) {
      const rows = await chooseRows(bridge, argument, {
        fits: row => row.root.definition.source.kind === 'git',
        missing: vscode.l10n.t('No git root is configured.'),
      });
      const reports: GitSyncReport[] = [];
      for (const row of rows) {
        const report = await syncRow(bridge, row, { mode: 'update' });
        if (report === undefined) break;
        reports.push(report);
        showReport(bridge, row, report, log);
      }
      // Return plain data: error objects cannot be passed to other extensions.
      return reports.map(({ error, ...rest }) => ({ ...rest, error: error?.code ?? null }));
    },
    async [commandIds.revealRoot](bridge, argument) {
      const [row] = await chooseRows(bridge, argument, {
        fits: ({ root }) => root.checkout.kind === 'present',
        missing: vscode.l10n.t('No root has a folder on this computer.'),
        isMany: false,
      });
      if (row?.root.checkout.kind !== 'present') return undefined;
      const { folder } = row.root.checkout;
      await reveal(vscode.Uri.file(folder));
      return folder;
    },
    [commandIds.searchRoots]: (bridge, argument) =>
      searchRoots(bridge.retrieval, terms, log, typeof argument === 'string' ? argument : ''),
  };
  for (const [id, handle] of Object.entries(handlers)) {
    const guarded = async (argument?: unknown): Promise<unknown> => {
      try {
        const bridge = await runningBridge(lifecycle);
        return bridge && (await handle(bridge, argument));
      } catch (error) {
        log.error(`${id} failed`, error);
        void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
        return undefined;
      }
    };
    addDisposable(store, vscode.commands.registerCommand(id, guarded));
  }
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.addRoot, async (given: unknown) =>
      (await loadAddRoot())(isAnswers(given) ? given : {}),
    ),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.refreshRoots, () => view.refresh()),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.configureRoots, () => openMachineSettings('atlas.docs')),
  );
  return store;
}

/** A menu passes an item of the view. */
const isAnswers = (given: unknown): given is RootAnswers =>
  typeof given === 'object' && given !== null && ('path' in given || 'gitUrl' in given);

async function runningBridge(lifecycle: BridgeLifecycle): Promise<ServedBridge | undefined> {
  const state = await lifecycle.begin();
  if (state.kind === 'running') return state.bridge;
  void safeWindow.showWarningMessage(vscode.l10n.t('Open a folder and trust it first.'));
  return undefined;
}

/** The roots that a command works on. */
interface RootChoice {
  readonly fits: (row: RootRow) => boolean;
  /** Says that there is none. */
  readonly missing: string;
  readonly isMany?: boolean;
}

/** Returns the row of the clicked item or the given id; otherwise the user chooses. */
async function chooseRows(bridge: ServedBridge, argument: unknown, choice: RootChoice): Promise<readonly RootRow[]> {
  const { fits, missing, isMany = true } = choice;
  const { rows } = await readRootRows(bridge, new AbortController().signal);
  const fitting = rows.filter(fits);
  const id = idOf(argument);
  if (id !== undefined) return fitting.filter(({ root }) => root.definition.id === id);
  if (fitting.length === 0) {
    const add = vscode.l10n.t('Add Root…');
    // Not awaited: an open notification must not block the command.
    void safeWindow
      .showInformationMessage(missing, add)
      .then(pressed => (pressed === add ? vscode.commands.executeCommand(commandIds.addRoot) : undefined));
    return [];
  }
  const items = fitting.map(row => {
    const { label, description, icon } = rootText(row, vscode.l10n);
    return { row, label, description, iconPath: new vscode.ThemeIcon(icon.id), picked: row.state !== 'synced' };
  });
  const options = { title: vscode.l10n.t('Atlas Bridge: Choose a Root'), matchOnDescription: true };
  const chosen = isMany
    ? await safeWindow.showQuickPick(items, { ...options, canPickMany: true })
    : [await safeWindow.showQuickPick(items, options)];
  if (chosen?.length === 0) void safeWindow.showInformationMessage(vscode.l10n.t('No root was chosen.'));
  return (chosen ?? []).flatMap(item => (item === undefined ? [] : [item.row]));
}

function idOf(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  // For a command in a menu, VS Code passes the item of the view.
  const node = argument as RootNode | undefined;
  return node?.kind === 'root' ? node.row.root.definition.id : undefined;
}

/** Syncs a root with a progress notification; `undefined` if the user cancelled, which changes nothing. */
async function syncRow(
  bridge: ServedBridge,
  row: RootRow,
  request: GitSyncRequest,
): Promise<GitSyncReport | undefined> {
  const { definition } = row.root;
  const title = vscode.l10n.t('Syncing root {0}', rootName(definition));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return safeWindow.withProgress(options, async (progress, token) => {
    const cancel = new AbortController();
    const cancelling = token.onCancellationRequested(() =>
      cancel.abort(new AppError('CANCELLED', { phase: 'syncing' })),
    );
    try {
      return await bridge.gitRoots.sync(
        definition as GitRoot,
        (await bridge.retrieval.configuration()).policy,
        request,
        message => progress.report({ message }),
        cancel.signal,
      );
    } catch (error) {
      if (cancel.signal.aborted) return undefined;
      throw error;
    } finally {
      cancelling.dispose();
    }
  });
}

/** Shows the result of a sync. Does not wait for the notification to close, because that would block the command. */
function showReport(bridge: ServedBridge, row: RootRow, report: GitSyncReport, log: Logger): void {
  const { text, isFailure } = syncMessage(rootName(row.root.definition), report, vscode.l10n);
  if (!isFailure) {
    void safeWindow.showInformationMessage(text);
    return;
  }
  const before = report.before;
  if (report.error?.code !== 'DIVERGED' || before === null) {
    void safeWindow.showErrorMessage(text);
    return;
  }
  const move = vscode.l10n.t('Move to the Rewritten History');
  void safeWindow.showWarningMessage(text, move).then(async pressed => {
    if (pressed !== move) return;
    try {
      const moved = await syncRow(bridge, row, { mode: 'reset', expectedCommit: before });
      if (moved !== undefined) showReport(bridge, row, moved, log);
    } catch (error) {
      log.error('failed to move a root to the rewritten history', error);
      void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
    }
  });
}

/** Reveals a folder in the explorer if it is in the workspace, in the file manager on a desktop, or in a new window. */
async function reveal(folder: vscode.Uri): Promise<void> {
  if (vscode.workspace.getWorkspaceFolder(folder) !== undefined)
    await vscode.commands.executeCommand('revealInExplorer', folder);
  else if (vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined)
    await vscode.commands.executeCommand('revealFileInOS', folder);
  else await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: true });
}
