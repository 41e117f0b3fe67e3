import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { RestoreRequest, SyncRun } from '../../sync-engine.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { SyncMode } from '../../../protocol/sync.ts';
import { formatResult, type RunResult } from '../../../protocol/run-result.ts';
import type { SyncResult } from '../../../protocol/sync.ts';
import type { BridgeLifecycle } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds, viewIds } from '../../../vscode/command-ids.ts';
import { pickAndExplain, pickRestore, runIdOf } from './run-pickers.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { pickStudio } from '../../../vscode/pick-studio.ts';
import type { ReviewPanel } from '../../../review/vscode/review-panel.ts';
import { revealReview } from '../../../review/vscode/reveal-review.ts';
import { type MessageKind, type NextStep, runMessage } from './run-messages.ts';
import { followRun } from './run-progress.ts';
import { runReport } from './run-report.ts';
import type { ServedBridge } from '../../../vscode/served-bridge.ts';
import { createVirtualDocuments } from '../../../vscode/virtual-documents.ts';
import { formatSentence } from '../../../base/sentence.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';
import { showFailure } from '../../../vscode/show-with-log.ts';

/** The argument of the review command that opens the review for untracked properties alone, too. */
const showUntracked = 'untracked';
/** How long a status bar message is shown. */
const STATUS_MESSAGE_MS = 10_000;

export interface CommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly panel: ReviewPanel;
  readonly log: Logger;
  readonly showLog: () => void;
}

/** Registers the sync commands. Each returns the result of its run, for other extensions and tests. */
export function registerCommands(deps: CommandsDeps): Disposable {
  const store = new DisposableStore();
  const reports = store.add(createVirtualDocuments('atlas-report'));
  // Cleared when the next run begins.
  let statusMessage: vscode.Disposable | undefined;
  store.defer(() => statusMessage?.dispose());

  const beginRun = async (
    mode: SyncMode,
    title: string,
    options: { readonly restore?: RestoreRequest; readonly showsUntracked?: boolean } = {},
  ): Promise<{ readonly run: SyncRun; readonly result: RunResult } | undefined> => {
    const bridge = await bridgeOrMessage(deps);
    if (bridge === undefined) return undefined;
    const { restore } = options;
    const studio = restore?.side === 'disk' ? {} : await pickStudio(bridge.studios.all(), title);
    if (studio === undefined) return undefined;
    const request = {
      mode,
      overrides: [],
      requestedBy: vscode.l10n.t('you'),
      ...options,
      studio: studio.handle,
      showsProjectWarnings: true,
    };
    statusMessage?.dispose();
    const run = bridge.engine.start(request);
    revealReview(run, deps);
    await followRun(run, title);
    return { run, result: await run.result };
  };
  const begin = async (...request: Parameters<typeof beginRun>): Promise<RunResult | undefined> =>
    (await beginRun(...request))?.result;
  const showAndReturn = (result: RunResult): SyncResult => {
    for (const warning of result.warnings ?? []) deps.log.warn(formatSentence(warning));
    statusMessage = showOutcome(deps, result);
    return formatResult(result, vscode.l10n.t);
  };

  const handlers: Readonly<Record<string, (argument?: unknown) => Promise<unknown>>> = {
    async [commandIds.sync]() {
      const result = await begin('standard', vscode.l10n.t('Atlas Bridge: Sync'));
      return result && showAndReturn(result);
    },
    async [commandIds.dryRun]() {
      const result = await begin('dryrun', vscode.l10n.t('Atlas Bridge: Sync (Dry Run)'));
      if (result === undefined || result.status !== 'dryrun') return result && showAndReturn(result);
      const report = reports.put(`/${vscode.l10n.t('Dry run')}`, runReport(result, vscode.l10n));
      await vscode.commands.executeCommand('markdown.showPreview', report);
      return showAndReturn(result);
    },
    async [commandIds.review](argument) {
      const bridge = await bridgeOrMessage(deps);
      if (bridge === undefined) return undefined;
      const open = bridge.engine.current()?.review();
      if (open !== undefined) return deps.panel.reveal(open, new AbortController().signal);
      const showsUntracked = argument === showUntracked;
      const result = await begin('manual', vscode.l10n.t('Atlas Bridge: Review Changes'), { showsUntracked });
      return result && showAndReturn(result);
    },
    async [commandIds.restore](argument) {
      const bridge = await bridgeOrMessage(deps);
      const runId = typeof argument === 'string' ? argument : runIdOf(argument);
      const restore = bridge && (await pickRestore(bridge.engine, runId));
      if (restore === undefined) return undefined;
      const ended = await beginRun('manual', vscode.l10n.t('Atlas Bridge: Restore'), { restore });
      return ended && showAndReturn(ended.result);
    },
    async [commandIds.explainDefault]() {
      const ended = await beginRun('dryrun', vscode.l10n.t('Atlas Bridge: Why This Suggestion?'));
      if (ended === undefined) return undefined;
      return ended.result.status === 'dryrun' ? pickAndExplain(ended.run, ended.result) : showAndReturn(ended.result);
    },
    async [commandIds.showLog]() {
      deps.showLog();
    },
  };
  for (const [id, handle] of Object.entries(handlers)) {
    const guarded = async (argument?: unknown): Promise<unknown> => {
      try {
        return await handle(argument);
      } catch (error) {
        deps.log.error(`${id} failed`, error);
        throw error;
      }
    };
    addDisposable(store, vscode.commands.registerCommand(id, guarded));
  }
  return store;
}

async function bridgeOrMessage({ lifecycle, showLog }: CommandsDeps): Promise<ServedBridge | undefined> {
  const state = await lifecycle.begin();
  switch (state.kind) {
    case 'running':
      return state.bridge;
    case 'failed':
      showFailure(state.error, showLog);
      return undefined;
    case 'idle':
      void safeWindow.showWarningMessage(
        state.why === 'restricted'
          ? vscode.l10n.t('Atlas Bridge is disabled in Restricted Mode. Trust this workspace to use it.')
          : vscode.l10n.t('Open a folder with a project file first.'),
      );
      return undefined;
    case 'starting':
      return undefined;
  }
}

/** Shows the outcome without waiting for a click. Returns the status bar message, if the outcome is shown there. */
function showOutcome({ showLog }: CommandsDeps, result: RunResult): vscode.Disposable | undefined {
  const { kind, text, steps } = runMessage(result, vscode.l10n);
  if (kind === 'status') return safeWindow.setStatusBarMessage(text, STATUS_MESSAGE_MS);
  const labels: Readonly<Record<NextStep, string>> = {
    review: vscode.l10n.t('Show Review'),
    history: vscode.l10n.t('Show History'),
    log: vscode.l10n.t('Show Log'),
    createProject: vscode.l10n.t('Create Project File'),
    problems: vscode.l10n.t('Show Problems'),
    doctor: vscode.l10n.t('Run Doctor'),
    untracked: vscode.l10n.t('Show Untracked Properties'),
  };
  const pressed = showMessage(
    kind,
    text,
    steps.map(step => labels[step]),
  );
  void pressed.then(async button => {
    if (button === labels.log) showLog();
    if (button === labels.history) await vscode.commands.executeCommand(`${viewIds.history}.focus`);
    if (button === labels.review) await vscode.commands.executeCommand(commandIds.review);
    if (button === labels.untracked) await vscode.commands.executeCommand(commandIds.review, showUntracked);
    if (button === labels.createProject) await vscode.commands.executeCommand(commandIds.createProject);
    if (button === labels.problems) await vscode.commands.executeCommand('workbench.actions.view.problems');
    if (button === labels.doctor) await vscode.commands.executeCommand(commandIds.doctor);
  });
  return undefined;
}

function showMessage(
  kind: Exclude<MessageKind, 'status'>,
  text: string,
  buttons: readonly string[],
): Thenable<string | undefined> {
  switch (kind) {
    case 'information':
      return safeWindow.showInformationMessage(text, ...buttons);
    case 'warning':
      return safeWindow.showWarningMessage(text, ...buttons);
    case 'error':
      return safeWindow.showErrorMessage(text, ...buttons);
  }
}
