import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import type { Logger } from '../../../ports/logger.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';
import type { SyncEngine, SyncRun } from '../../sync-engine.ts';
import { runTitle } from './history-text.ts';

/** Says what each sync of an agent has changed, with buttons to see and to undo it. */
export function registerAgentNotices(lifecycle: BridgeLifecycle, log: Logger): Disposable {
  const store = new DisposableStore();
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind !== 'running') return;
    const { engine } = state.bridge;
    let last: SyncRun | undefined;
    const follow = (): void => {
      const run = engine.current();
      const ended = run === last ? undefined : last;
      last = run;
      if (ended?.isByAgent === true)
        notify(ended, engine).catch((error: unknown) => log.error('the notice of a sync could not be shown', error));
    };
    alive.add(engine.onDidChange(follow));
  };
  store.add(followBridge(lifecycle, watch));
  return store;
}

async function notify(run: SyncRun, engine: SyncEngine): Promise<void> {
  const { status, changes } = await run.result;
  const isDone = changes.some(({ outcome }) => outcome === 'applied' || outcome === 'written' || outcome === 'merged');
  const recorded = isDone ? await engine.recorded(run.runId) : undefined;
  if (recorded === undefined) return;
  const show = vscode.l10n.t('Show');
  const undo = vscode.l10n.t('Undo');
  const text = runTitle(recorded, vscode.l10n);
  const shown =
    status === 'success'
      ? safeWindow.showInformationMessage(text, show, undo)
      : safeWindow.showWarningMessage(vscode.l10n.t('{0}. Some changes failed.', text), show, undo);
  const pressed = await shown;
  if (pressed === show) await vscode.commands.executeCommand(commandIds.showRecordedDiff, run.runId);
  if (pressed === undo) await vscode.commands.executeCommand(commandIds.restore, run.runId);
}
