import { refreshAges } from '../../../vscode/refresh-ages.ts';
import { nameOfPath } from '../../../protocol/path-name.ts';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { RecordedResult } from '../../../protocol/run-result.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds, contextKeys, viewIds } from '../../../vscode/command-ids.ts';
import { createContextSetter } from '../../../vscode/context-keys.ts';
import { runIdOf } from '../runs/run-pickers.ts';
import { addDisposable } from '../../../vscode/add-disposable.ts';
import { createVirtualDocuments } from '../../../vscode/virtual-documents.ts';
import { type LineIcon, recordedIcon } from './change-text.ts';
import { changeOutcomeText, recordedOutcome, shownChanges } from '../runs/change-outcome.ts';
import { MAX_LISTED_CHANGES } from '../runs/report-list.ts';
import { runTitle } from '../runs/run-title.ts';
import { missingRecord, recordedReport, statusIcon, unlistedRow } from './history-text.ts';
import { localTime } from '../../../vscode/localization/local-time.ts';
import { timeAgo } from '../../../vscode/localization/time-ago.ts';
import { recordedSummary } from '../../../vscode/localization/person-sentence.ts';
import { registerRecordedDiffs } from './recorded-diffs.ts';
import { withActiveProject } from '../../../vscode/project-label.ts';
import { createTreeItem, type RowText, safeWindow, setViewDescription } from '../../../vscode/safe-window.ts';

/** A line of the view; menus pass it to commands. */
export type HistoryNode =
  | { readonly kind: 'run'; readonly run: RecordedResult; readonly runId: string }
  | { readonly kind: 'change'; readonly change: RecordedResult['changes'][number]; readonly runId: string }
  | { readonly kind: 'unlisted'; readonly row: RowText };

/** The view lists this many runs; agents and scripts can restore older ones by id. */
const MAX_LISTED_RUNS = 100;
/** Combines the several journal writes of one run into one refresh. */
const DEBOUNCE_MS = 200;

/** Creates the History view: the recorded runs, newest first, each with its changes. */
export function createHistoryView(lifecycle: BridgeLifecycle): Disposable {
  const store = new DisposableStore();
  const changed = addDisposable(store, new vscode.EventEmitter<void>());
  const reports = store.add(
    createVirtualDocuments('atlas-run', async ({ query }) => {
      const state = await lifecycle.begin();
      const run = state.kind === 'running' ? await state.bridge.engine.recorded(query) : undefined;
      return run === undefined ? missingRecord(vscode.l10n) : reportOf(run);
    }),
  );
  const setContext = createContextSetter();
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.defer(() => clearTimeout(timer));
  const scheduleRefresh = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => changed.fire(), DEBOUNCE_MS);
  };
  const provider: vscode.TreeDataProvider<HistoryNode> = {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      if (node !== undefined) return node.kind === 'run' ? rowsOf(node) : [];
      const state = lifecycle.state();
      if (state.kind !== 'running') return [];
      const runs = await state.bridge.engine.history(MAX_LISTED_RUNS);
      setContext(contextKeys.historyRead, true);
      return runs.map(run => ({
        kind: 'run' as const,
        run,
        runId: run.runId,
      }));
    },
    getTreeItem: node =>
      node.kind === 'run' ? runItem(node.run) : node.kind === 'change' ? changeItem(node) : createTreeItem(node.row),
  };
  const view = addDisposable(
    store,
    vscode.window.createTreeView(viewIds.history, { treeDataProvider: provider, showCollapseAll: true }),
  );
  refreshAges(store, view, () => changed.fire());
  store.add(registerRecordedDiffs(lifecycle));
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind === 'running') {
      alive.add(state.bridge.engine.onDidChange(scheduleRefresh));
      // Live Sync records what it changes without a run.
      alive.add(state.bridge.live.onDidChange(scheduleRefresh));
    }
    describe();
    changed.fire();
  };
  const describe = (): void => {
    setViewDescription(view, withActiveProject(lifecycle, ''));
  };
  store.add(lifecycle.onDidChangeBridges(describe));
  store.add(followBridge(lifecycle, watch));
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.refreshHistory, () => changed.fire()),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.showRun, async (argument?: unknown) => {
      const state = await lifecycle.begin();
      if (state.kind !== 'running') return undefined;
      const runId = typeof argument === 'string' ? argument : runIdOf(argument);
      const run =
        runId === undefined ? (await state.bridge.engine.history(1))[0] : await state.bridge.engine.recorded(runId);
      if (run === undefined) {
        void safeWindow.showInformationMessage(vscode.l10n.t('No sync has changed anything yet.'));
        return undefined;
      }
      const name = vscode.l10n.t('Sync of {0}', localTime(new Date(run.at))).replaceAll('/', '-');
      await vscode.commands.executeCommand('markdown.showPreview', reports.put(`/${name}`, reportOf(run), run.runId));
      return run.runId;
    }),
  );
  return store;
}

const reportOf = (run: RecordedResult): string => recordedReport(run, localTime(new Date(run.at)), vscode.l10n);

function rowsOf({ run, runId }: Extract<HistoryNode, { kind: 'run' }>): HistoryNode[] {
  const shown = shownChanges(run.changes);
  const rows = shown.slice(0, MAX_LISTED_CHANGES).map((change): HistoryNode => ({
    kind: 'change',
    change: { ...change, outcome: recordedOutcome(change, run.status) },
    runId,
  }));
  const row = unlistedRow(shown.length, vscode.l10n);
  return row === undefined ? rows : [...rows, { kind: 'unlisted', row }];
}

const iconOf = ({ id, color }: LineIcon): vscode.ThemeIcon =>
  new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));

function runItem(run: RecordedResult): vscode.TreeItem {
  const summary = recordedSummary(run, vscode.l10n);
  const description = timeAgo(Date.parse(run.at), Date.now(), vscode.l10n);
  const item = createTreeItem(
    {
      label: runTitle(run, vscode.l10n),
      description,
      tooltip: [summary, localTime(new Date(run.at)), vscode.l10n.t('Place: {0}', run.place.name)],
      spoken: `${description}, ${summary}`,
    },
    vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = run.runId;
  item.contextValue = 'run';
  item.iconPath = iconOf(statusIcon(run.status, run.changes));
  return item;
}

function changeItem(node: Extract<HistoryNode, { kind: 'change' }>): vscode.TreeItem {
  const { change } = node;
  const name = nameOfPath(change);
  const description = changeOutcomeText(change, vscode.l10n);
  const item = createTreeItem({
    label: name,
    description,
    tooltip: [`${change.path} (${change.className})`, description],
  });
  item.contextValue = 'recordedChange';
  item.command = { command: commandIds.showRecordedDiff, title: vscode.l10n.t('Show Changes'), arguments: [node] };
  item.iconPath = iconOf(recordedIcon(change));
  return item;
}
