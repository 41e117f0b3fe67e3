import { posix } from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../base/errors.ts';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { ViewSyncResult } from '../review/view-sync-request.ts';
import type { ViewSyncs } from '../review/view-syncs.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLife } from '../../vscode/bridge-life.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { own } from '../../vscode/owned.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import type { ReviewPanel } from '../../review/vscode/review-panel.ts';
import { revealReview } from '../../review/vscode/reveal-review.ts';
import { createSettings } from '../../vscode/settings.ts';

export interface SyncPtDeps {
  readonly life: BridgeLife;
  /** That the bridge serves. */
  readonly folder: () => vscode.Uri | undefined;
  readonly panel: Pick<ReviewPanel, 'reveal'>;
  readonly log: Logger;
}

/** As long as a sentence takes to be noticed and read. */
const STATUS_MS = 10_000;
/** Of a view that `generate_pt` has made: what else lies beside a `.pluto` is nobody's view until somebody says so. */
const ORIGIN = '// @generated-from: ';

/**
 * Brings a `.pt` into its `.pluto`: when it is asked for, and when a view is saved. Where both have changed, the review opens. The command
 * answers what became of it, for other extensions and tests.
 */
export function registerSyncPt(deps: SyncPtDeps): Disposable {
  const { log } = deps;
  const store = new DisposableStore();
  /** Being saved by the command itself. */
  const byCommand = new WeakSet<vscode.TextDocument>();
  /** Being saved by VS Code while somebody types. */
  const byItself = new WeakSet<vscode.TextDocument>();

  const viewsOf = async (): Promise<ViewSyncs | undefined> => {
    const state = await deps.life.begin();
    return state.kind === 'running' ? state.bridge.pluto()?.views : undefined;
  };
  const sync = async (file: vscode.Uri, views: ViewSyncs): Promise<ViewSyncResult | undefined> => {
    const path = pathIn(deps.folder(), file);
    if (path === undefined) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('{0} is not in the folder that Atlas Bridge serves.', posix.basename(file.path)),
      );
      return undefined;
    }
    const open = views.deciding(path);
    const run = open ?? views.start({ path, overrides: [], mode: 'standard', requestedBy: vscode.l10n.t('you') });
    revealReview(run, deps);
    const result = await run.result;
    if (open === undefined) tell(result);
    return result;
  };
  const guarded = async (act: () => Promise<ViewSyncResult | undefined>): Promise<ViewSyncResult | undefined> => {
    try {
      return await act();
    } catch (error) {
      const failure = AppError.from(error);
      log.info('a .pt was not synced', { code: failure.code });
      void vscode.window.showWarningMessage(personSentence(failure, vscode.l10n));
      return undefined;
    }
  };

  const asked = async (what: unknown): Promise<ViewSyncResult | undefined> => {
    const file = fileOf(what, deps.folder());
    const views = await viewsOf();
    if (file === undefined || views === undefined) {
      void vscode.window.showWarningMessage(
        file === undefined
          ? vscode.l10n.t('Open the .pt file that is to be synced.')
          : vscode.l10n.t('Atlas Bridge serves no folder with Pluto modules.'),
      );
      return undefined;
    }
    return guarded(async () => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
      if (document?.isDirty === true) {
        byCommand.add(document);
        try {
          if (!(await document.save())) return undefined;
        } finally {
          byCommand.delete(document);
        }
      }
      return sync(file, views);
    });
  };
  own(store, vscode.commands.registerCommand(commandIds.syncPt, asked));

  own(
    store,
    vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
      // Of a save that failed nobody is told, so each says it anew.
      if (reason === vscode.TextDocumentSaveReason.AfterDelay) byItself.add(document);
      else byItself.delete(document);
    }),
  );
  own(
    store,
    vscode.workspace.onDidSaveTextDocument(document => {
      const isQuiet = byItself.delete(document) || byCommand.has(document);
      if (isQuiet || !isView(document) || !createSettings(document.uri).plutoSyncOnSave()) return;
      void syncSaved(document);
    }),
  );
  const syncSaved = async (document: vscode.TextDocument): Promise<void> => {
    const file = document.uri;
    const isServed = pathIn(deps.folder(), file) !== undefined;
    if (!isServed || !(await isThere(file.with({ path: file.path.replace(/\.pt$/, '.pluto') })))) return;
    const views = await viewsOf();
    if (views === undefined) return;
    await guarded(async () => {
      try {
        return await sync(file, views);
      } catch (error) {
        // The editor marks the place already; half a thought may be saved.
        if (!AppError.is(error, 'PLUTO_SOURCE_INVALID')) throw error;
        const text = vscode.l10n.t('{0} does not parse, so its .pluto stays as it is.', posix.basename(file.path));
        vscode.window.setStatusBarMessage(text, STATUS_MS);
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

const isThere = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );

/** From the explorer a file, from the review its path, from the palette nothing: then the one in the editor. */
function fileOf(what: unknown, folder: vscode.Uri | undefined): vscode.Uri | undefined {
  if (what instanceof vscode.Uri) return what;
  if (typeof what === 'string') return folder && vscode.Uri.joinPath(folder, what);
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === 'file' && uri.path.endsWith('.pt') ? uri : undefined;
}

function pathIn(folder: vscode.Uri | undefined, file: vscode.Uri): string | undefined {
  if (folder === undefined || file.scheme !== 'file') return undefined;
  const path = posix.relative(folder.path, file.path);
  return path === '..' || path.startsWith('../') ? undefined : path;
}

/** Of `already` there is nothing to say, and what was skipped says the review. */
function tell({ status, path, view, changes }: ViewSyncResult): void {
  if (status !== 'synced' || changes.some(({ take }) => take === 'skip')) return;
  const count = changes.length;
  const text =
    count === 0
      ? vscode.l10n.t('{0} and {1} say the same now.', path, view)
      : count === 1
        ? vscode.l10n.t('{0} and {1} say the same now: 1 declaration was synced.', path, view)
        : vscode.l10n.t('{0} and {1} say the same now: {2} declarations were synced.', path, view, count);
  vscode.window.setStatusBarMessage(text, STATUS_MS);
}
