import { posix } from 'node:path';
import * as vscode from 'vscode';
import { plural } from '../../base/plural.ts';
import { AppError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { ViewSyncResult } from '../review/view-sync-request.ts';
import type { ViewSyncs } from '../review/view-syncs.ts';
import { logFailure } from '../../ports/log-failure.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { activeFile } from '../../vscode/active-file.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { ReviewPanel } from '../../review/vscode/review-panel.ts';
import { revealReview } from '../../review/vscode/reveal-review.ts';
import { createSettings } from '../../vscode/settings.ts';
import { saveEach } from '../../vscode/save-documents.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { statFile } from '../../vscode/stat-file.ts';

export interface SyncPtDeps {
  readonly lifecycle: BridgeLifecycle;
  /** The folder that the bridge serves. */
  readonly folder: () => vscode.Uri | undefined;
  readonly panel: Pick<ReviewPanel, 'reveal'>;
  readonly log: Logger;
}

/** The first line of a view that `generate_pt` wrote. Other `.pt` files are never synced without a request. */
const ORIGIN = '// @generated-from: ';

/**
 * Syncs a `.pt` with its `.pluto`, on command and when a view is saved. Opens a review if both have changed. The command returns the
 * result, for other extensions and tests.
 */
export function registerSyncPt(deps: SyncPtDeps): Disposable {
  const { log } = deps;
  const store = new DisposableStore();
  /** Documents that the command saves. */
  const savedByCommand = new WeakSet<vscode.TextDocument>();
  /** Documents that VS Code saves automatically while the user types. */
  const autoSaved = new WeakSet<vscode.TextDocument>();

  const viewsOf = async (): Promise<ViewSyncs | undefined> => {
    const state = await deps.lifecycle.begin();
    return state.kind === 'running' ? state.bridge.pluto()?.views : undefined;
  };
  const sync = async (file: vscode.Uri, views: ViewSyncs): Promise<ViewSyncResult | undefined> => {
    const path = pathIn(deps.folder(), file);
    if (path === undefined) {
      void safeWindow.showWarningMessage(
        vscode.l10n.t('{0} is not in the folder that Atlas Bridge serves.', posix.basename(file.path)),
      );
      return undefined;
    }
    const open = views.deciding(path);
    const run = open ?? views.start({ path, overrides: [], mode: 'standard', requestedBy: vscode.l10n.t('you') });
    revealReview(run, deps);
    const result = await run.result;
    if (open === undefined) showResult(result);
    return result;
  };
  const guarded = async (act: () => Promise<ViewSyncResult | undefined>): Promise<ViewSyncResult | undefined> => {
    try {
      return await act();
    } catch (error) {
      logFailure(log, 'failed to sync a .pt', error);
      void safeWindow.showWarningMessage(personSentence(AppError.from(error), vscode.l10n));
      return undefined;
    }
  };

  const runCommand = async (what: unknown): Promise<ViewSyncResult | undefined> => {
    const file = fileOf(what, deps.folder());
    const views = await viewsOf();
    if (file === undefined || views === undefined) {
      void safeWindow.showWarningMessage(
        file === undefined
          ? vscode.l10n.t('Open the .pt file to sync.')
          : vscode.l10n.t('Atlas Bridge serves no folder with Pluto modules.'),
      );
      return undefined;
    }
    return guarded(async () => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
      if (document?.isDirty === true) {
        savedByCommand.add(document);
        try {
          if (!(await saveEach([document]))) return undefined;
        } finally {
          savedByCommand.delete(document);
        }
      }
      return sync(file, views);
    });
  };
  addDisposable(store, vscode.commands.registerCommand(commandIds.syncPt, runCommand));

  addDisposable(
    store,
    vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      // A failed save fires no event, so every save sets the mark again.
      if (reason === vscode.TextDocumentSaveReason.AfterDelay) autoSaved.add(document);
      else autoSaved.delete(document);
    }),
  );
  addDisposable(
    store,
    vscode.workspace.onDidSaveTextDocument(document => {
      const isQuiet = autoSaved.delete(document) || savedByCommand.has(document);
      if (isQuiet || !isView(document) || !createSettings(document.uri).plutoSyncOnSave()) return;
      void syncSaved(document);
    }),
  );
  const syncSaved = async (document: vscode.TextDocument): Promise<void> => {
    const file = document.uri;
    if (pathIn(deps.folder(), file) === undefined) return;
    await guarded(async () => {
      if (!(await fileExists(file.with({ path: file.path.replace(/\.pt$/, '.pluto') })))) return undefined;
      const views = await viewsOf();
      if (views === undefined) return undefined;
      try {
        return await sync(file, views);
      } catch (error) {
        // The editor marks the errors already, and people save unfinished code.
        if (!AppError.is(error, 'PLUTO_SOURCE_INVALID')) throw error;
        const text = vscode.l10n.t('{0} has syntax errors, so its .pluto was not changed.', posix.basename(file.path));
        safeWindow.setStatusBarMessage(text);
        return undefined;
      }
    });
  };
  return store;
}

const isView = (document: vscode.TextDocument): boolean =>
  document.uri.scheme === 'file' &&
  document.uri.path.endsWith('.pt') &&
  document
    .lineAt(0)
    .text.replace(/^\uFEFF/, '')
    .startsWith(ORIGIN);

const fileExists = async (file: vscode.Uri): Promise<boolean> => (await statFile(file)) !== undefined;

/** The file from the Explorer, the path from a review, or the file in the editor. */
function fileOf(what: unknown, folder: vscode.Uri | undefined): vscode.Uri | undefined {
  if (what instanceof vscode.Uri) return what;
  if (typeof what === 'string') return folder && vscode.Uri.joinPath(folder, what);
  const uri = activeFile();
  return uri?.scheme === 'file' && uri.path.endsWith('.pt') ? uri : undefined;
}

function pathIn(folder: vscode.Uri | undefined, file: vscode.Uri): string | undefined {
  if (folder === undefined || file.scheme !== 'file') return undefined;
  const path = posix.relative(folder.path, file.path);
  return path === '..' || path.startsWith('../') ? undefined : path;
}

/** Shows nothing if nothing changed, or if declarations were skipped: the review shows that. */
function showResult({ status, path, view, changes }: ViewSyncResult): void {
  if (status !== 'synced' || changes.some(({ take }) => take === 'skip')) return;
  const count = changes.length;
  const text =
    count === 0
      ? vscode.l10n.t('{0} and {1} are in sync.', path, view)
      : plural(
          count,
          vscode.l10n.t('{0} and {1} are in sync: 1 declaration was synced.', path, view),
          vscode.l10n.t('{0} and {1} are in sync: {2} declarations were synced.', path, view, count),
        );
  safeWindow.setStatusBarMessage(text);
}
