import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { plural } from '../../../base/plural.ts';
import type { Logger } from '../../../ports/logger.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';
import type { WrittenStructure } from '../../../studio/live/write-structure.ts';
import type { SyncEngine, SyncRun } from '../../sync-engine.ts';
import { runTitle } from './history-text.ts';

/** Says what each sync of an agent, and each new instance of Live Sync, has changed, with buttons to see and to undo it. */
export function registerAgentNotices(lifecycle: BridgeLifecycle, log: Logger): Disposable {
  const store = new DisposableStore();
  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind !== 'running') return;
    const { engine, live } = state.bridge;
    let last: SyncRun | undefined;
    const follow = (): void => {
      const run = engine.current();
      const ended = run === last ? undefined : last;
      last = run;
      if (ended?.isByAgent === true)
        notify(ended, engine).catch((error: unknown) => log.error('the notice of a sync could not be shown', error));
    };
    alive.add(engine.onDidChange(follow));
    const failed = (error: unknown): void => log.error('the notice of Live Sync could not be shown', error);
    alive.add(live.onDidWriteStructure(written => void notifyOfLive(written).catch(failed)));
  };
  store.add(followBridge(lifecycle, watch));
  return store;
}

async function notify(run: SyncRun, engine: SyncEngine): Promise<void> {
  const { status, changes } = await run.result;
  const isDone = changes.some(({ outcome }) => outcome === 'applied' || outcome === 'written' || outcome === 'merged');
  const recorded = isDone ? await engine.recorded(run.runId) : undefined;
  if (recorded === undefined) return;
  const text = runTitle(recorded, vscode.l10n);
  if (status === 'success') return offerUndo(run.runId, 'information', text);
  await offerUndo(run.runId, 'warning', vscode.l10n.t('{0}. Some changes failed.', text));
}

async function notifyOfLive({ kind, runId, paths }: WrittenStructure): Promise<void> {
  const [first = ''] = paths;
  if (kind === 'renamed')
    return offerUndo(runId, 'information', vscode.l10n.t('Live Sync renamed the files of {0}, as in Studio.', first));
  const text = plural(
    paths.length,
    vscode.l10n.t('Live Sync created files for {0}, which is new in Studio.', first),
    vscode.l10n.t('Live Sync created files for {0} instances that are new in Studio.', paths.length),
  );
  await offerUndo(runId, 'information', text);
}

/** Shows a notice about a recorded run. */
async function offerUndo(runId: string, level: 'information' | 'warning', text: string): Promise<void> {
  const show = vscode.l10n.t('Show');
  const undo = vscode.l10n.t('Undo');
  const pressed = await (level === 'information'
    ? safeWindow.showInformationMessage(text, show, undo)
    : safeWindow.showWarningMessage(text, show, undo));
  if (pressed === show) await vscode.commands.executeCommand(commandIds.showRecordedDiff, runId);
  if (pressed === undo) await vscode.commands.executeCommand(commandIds.restore, runId);
}
