import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { SyncbackAnswer, SyncbackPreview } from '../../protocol/syncback-answer.ts';
import { commandIds, viewIds } from '../../vscode/command-ids.ts';
import { syncbackOutcome, type WithOutcome } from '../../vscode/command-outcome.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { withCancel } from '../../vscode/with-cancel.ts';
import { warnInSlices } from '../../vscode/warn-in-slices.ts';
import { chooseProject, folderOrMessage, problemLine } from './project-commands.ts';
import type { SyncbackReview } from './syncback-review.ts';
import { syncbackText } from './syncback-text.ts';
import { showOpenDialog } from '../../vscode/file-dialogs.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import { showFailure, showWithLog } from '../../vscode/show-with-log.ts';

export interface SyncbackCommandDeps {
  /** The folder of the project. */
  readonly folder: () => Promise<vscode.Uri | undefined>;
  /** Plans a syncback, calls `ask`, and applies the plan if confirmed. */
  readonly run: (
    args: readonly string[],
    signal: AbortSignal,
    ask: (plan: SyncbackPreview) => Promise<boolean>,
  ) => Promise<SyncbackAnswer>;
  /** Removes a folder with thousands of files in short steps. */
  readonly removeFolder: (path: string) => Promise<void>;
  /** Asks whether to carry out the plan. */
  readonly review: (review: SyncbackReview) => Promise<boolean>;
  readonly log: Logger;
  readonly clock: Clock;
  readonly showLog: () => void;
}

/** Arguments from other extensions and tests. The user is asked for missing ones. */
interface SyncbackChoice {
  /** Path of the project file. */
  readonly project?: string;
  /** Path of the place or model file. */
  readonly input?: string;
  /** Whether to write without showing the plan. */
  readonly confirmed?: boolean;
}

/** `Atlas Bridge: Syncback from Place File…`: shows every planned file as a diff, and applies the plan after confirmation. */
export function registerSyncbackCommand(deps: SyncbackCommandDeps): Disposable {
  const store = new DisposableStore();
  const handle = async (choice: SyncbackChoice): Promise<SyncbackAnswer | undefined> => {
    const folder = await folderOrMessage(deps);
    const project = folder && (choice.project ?? (await chooseProject(folder)));
    const input = folder && project && (choice.input ?? (await chooseInput(folder)));
    if (!input || !project) return undefined;
    const preview = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'atlas-syncback-')));
    try {
      const ask = async (plan: SyncbackPreview, signal: AbortSignal): Promise<boolean> => {
        if (choice.confirmed === true || plan.counts.writing + plan.counts.removing === 0) return true;
        const root = (await stat(project)).isDirectory() ? project : dirname(project);
        return deps.review({ plan, folder: vscode.Uri.file(root), preview, input: basename(input), signal });
      };
      const args = [project, '--input', input, '--preview', preview.fsPath];
      const answer = await withCancel(vscode.l10n.t('Syncback from {0}', basename(input)), signal =>
        deps.run(args, signal, plan => ask(plan, signal)),
      );
      await showOutcome(deps, answer);
      void vscode.commands.executeCommand(commandIds.refreshHistory);
      return answer;
    } finally {
      await deps.removeFolder(preview.fsPath);
    }
  };
  const guarded = async (raw?: unknown): Promise<WithOutcome<SyncbackAnswer> | undefined> => {
    try {
      const answer = await handle(readChoice(raw));
      return answer && { ...answer, outcome: syncbackOutcome(answer) };
    } catch (error) {
      deps.log.error(`${commandIds.syncback} failed`, error);
      throw error;
    }
  };
  addDisposable(store, vscode.commands.registerCommand(commandIds.syncback, guarded));
  return store;
}

/** Reads command arguments. VS Code passes other arguments when a command is started from a menu. */
function readChoice(raw: unknown): SyncbackChoice {
  if (typeof raw !== 'object' || raw === null) return {};
  const { project, input, confirmed }: { project?: unknown; input?: unknown; confirmed?: unknown } = raw;
  return {
    ...(typeof project === 'string' && { project }),
    ...(typeof input === 'string' && { input }),
    ...(typeof confirmed === 'boolean' && { confirmed }),
  };
}

async function chooseInput(folder: vscode.Uri): Promise<string | undefined> {
  const files = await showOpenDialog({
    title: vscode.l10n.t('Atlas Bridge: Syncback from Place File'),
    button: vscode.l10n.t('Plan Syncback'),
    defaultUri: folder,
    canSelectMany: false,
    filters: { [vscode.l10n.t('Place or model')]: ['rbxl', 'rbxlx', 'rbxm', 'rbxmx'] },
  });
  return files?.[0]?.fsPath;
}

/** Shows the outcome without waiting for an answer, because an open notification must not block the command. */
async function showOutcome({ log, clock, showLog }: SyncbackCommandDeps, answer: SyncbackAnswer): Promise<void> {
  if ('error' in answer) {
    if (answer.error.code === 'CANCELLED')
      return void safeWindow.showInformationMessage(vscode.l10n.t('Cancelled: no file was written or removed.'));
    await warnInSlices(log, clock, answer.problems.map(problemLine));
    return showFailure(answer.error, showLog);
  }
  const omissions = [...answer.refused, ...answer.notes];
  await warnInSlices(
    log,
    clock,
    omissions.map(({ path, reason }) => `${path}: ${reason}`),
  );
  const { written, removed, refused } = answer;
  const text = syncbackText({ written, removed, refused: refused.length }, vscode.l10n);
  if (refused.length > 0) return showWithLog('showWarningMessage', text, showLog);
  if (written + removed === 0) return void safeWindow.showInformationMessage(text);
  const history = vscode.l10n.t('Show History');
  void safeWindow
    .showInformationMessage(text, history)
    .then(pressed => (pressed === history ? vscode.commands.executeCommand(`${viewIds.history}.focus`) : undefined));
}
