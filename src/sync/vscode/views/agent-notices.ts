import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable-store.ts';
import { plural } from '../../../base/plural.ts';
import type { Logger } from '../../../ports/logger.ts';
import { type BridgeLifecycle, followBridges } from '../../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../../vscode/command-ids.ts';
import { safeWindow } from '../../../vscode/safe-window.ts';
import type { ServedBridge } from '../../../vscode/served-bridge.ts';
import type { WrittenStructure } from '../../../studio/live/write-structure.ts';
import type { SyncEngine, SyncRun } from '../../sync-engine.ts';
import { runTitle } from '../runs/run-title.ts';

/** Shows a notice for each sync of an agent and each structural change of Live Sync, with buttons to show and undo it. */
export function registerAgentNotices(lifecycle: BridgeLifecycle, log: Logger): Disposable {
  const store = new DisposableStore();
  const watch = (bridge: ServedBridge, alive: DisposableStore): void => {
    const { engine, live } = bridge;
    const activate = (): void => lifecycle.activate(bridge);
    let last: SyncRun | undefined;
    const follow = (): void => {
      const run = engine.current();
      const ended = run === last ? undefined : last;
      last = run;
      if (ended?.isByAgent === true)
        notify(ended, engine, activate).catch((error: unknown) =>
          log.error('the notice of a sync could not be shown', error),
        );
    };
    alive.add(engine.onDidChange(follow));
    const failed = (error: unknown): void => log.error('the notice of Live Sync could not be shown', error);
    alive.add(live.onDidWriteStructure(written => void notifyOfLive(written, activate).catch(failed)));
  };
  store.add(followBridges(lifecycle, watch));
  return store;
}

async function notify(run: SyncRun, engine: SyncEngine, activate: () => void): Promise<void> {
  const { status, changes } = await run.result;
  const isDone = changes.some(({ outcome }) => outcome === 'applied' || outcome === 'written' || outcome === 'merged');
  const recorded = isDone ? await engine.recorded(run.runId) : undefined;
  if (recorded === undefined) return;
  const text = runTitle(recorded, vscode.l10n);
  if (status === 'success') return offerUndo(run.runId, 'information', text, activate);
  await offerUndo(run.runId, 'warning', vscode.l10n.t('{0}. Some changes failed.', text), activate);
}

async function notifyOfLive({ kind, runId, paths }: WrittenStructure, activate: () => void): Promise<void> {
  const [first = ''] = paths;
  const offer = (text: string): Promise<void> => offerUndo(runId, 'information', text, activate);
  if (kind === 'renamed')
    return offer(
      plural(
        paths.length,
        vscode.l10n.t('Live Sync renamed the files of {0}, as in Studio.', first),
        vscode.l10n.t('Live Sync renamed the files of {0} instances, as in Studio.', paths.length),
      ),
    );
  if (kind === 'moved') return offer(vscode.l10n.t('Live Sync moved the files to {0}, as in Studio.', first));
  const text = plural(
    paths.length,
    vscode.l10n.t('Live Sync created files for {0}, which is new in Studio.', first),
    vscode.l10n.t('Live Sync created files for {0} instances that are new in Studio.', paths.length),
  );
  await offer(text);
}

/** Shows a notice about a recorded run. @param activate makes its project active, whose History the commands use */
async function offerUndo(
  runId: string,
  level: 'information' | 'warning',
  text: string,
  activate: () => void,
): Promise<void> {
  const show = vscode.l10n.t('Show');
  const undo = vscode.l10n.t('Undo');
  const pressed = await (level === 'information'
    ? safeWindow.showInformationMessage(text, show, undo)
    : safeWindow.showWarningMessage(text, show, undo));
  if (pressed !== undefined) activate();
  if (pressed === show) await vscode.commands.executeCommand(commandIds.showRecordedDiff, runId);
  if (pressed === undo) await vscode.commands.executeCommand(commandIds.restore, runId);
}
