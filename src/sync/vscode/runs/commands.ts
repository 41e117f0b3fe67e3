import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { RestoreRequest, SyncRun } from '../../sync-engine.ts';
import type { Logger } from '../../../ports/logger.ts';
import type { SyncMode } from '../../../protocol/sync-request.ts';
import { formatResult, type RunResult } from '../../../protocol/run-result.ts';
import type { SyncResult } from '../../../protocol/sync-result.ts';
import type { BridgeLifecycle } from '../../../vscode/bridge-lifecycle.ts';
import { bridgeOrMessage } from '../../../vscode/bridge-or-message.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import { pickAndExplain, pickRestore, runIdOf } from './run-pickers.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { pickStudio } from '../../../vscode/pick-studio.ts';
import type { ReviewPanel } from '../../../review/vscode/review-panel.ts';
import { revealReview } from '../../../review/vscode/reveal-review.ts';
import { followRun } from './run-progress.ts';
import { endedReport, runReport } from './run-report.ts';
import { SHOW_UNTRACKED, showOutcome } from './show-outcome.ts';
import { createVirtualDocuments } from '../../../vscode/virtual-documents.ts';
import { formatSentence } from '../../../base/sentence.ts';

export interface CommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly panel: ReviewPanel;
  readonly log: Logger;
  readonly showLog: () => void;
}

/** Registers the sync commands. Each returns the result of its run, for other extensions and tests. */
export function registerCommands(deps: CommandsDeps): Disposable {
  const store = new DisposableStore();
  const reports = store.add(createVirtualDocuments('atlas-report', () => endedReport(vscode.l10n)));
  // Cleared when the next run begins.
  let statusMessage: vscode.Disposable | undefined;
  store.defer(() => statusMessage?.dispose());

  const beginRun = async (
    mode: SyncMode,
    title: string,
    options: { readonly restore?: RestoreRequest; readonly showsUntracked?: boolean } = {},
  ): Promise<{ readonly run: SyncRun; readonly result: RunResult } | undefined> => {
    const bridge = await bridgeOrMessage(deps.lifecycle, deps.showLog);
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
    statusMessage = showOutcome(result, deps.showLog);
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
      const bridge = await bridgeOrMessage(deps.lifecycle, deps.showLog);
      if (bridge === undefined) return undefined;
      const open = bridge.engine.current()?.review();
      if (open !== undefined) return deps.panel.reveal(open, new AbortController().signal);
      const showsUntracked = argument === SHOW_UNTRACKED;
      const result = await begin('manual', vscode.l10n.t('Atlas Bridge: Review Changes'), { showsUntracked });
      return result && showAndReturn(result);
    },
    async [commandIds.restore](argument) {
      const bridge = await bridgeOrMessage(deps.lifecycle, deps.showLog);
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
