import * as vscode from 'vscode';
import { plural } from '../base/plural.ts';
import { formatSentence, type Sentence } from '../base/sentence.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import type { LiveControl } from '../studio/live/live-control.ts';
import type { FailedWrite, WriteOutcome } from '../studio/write/write-context.ts';
import { reasonText } from '../protocol/reason.ts';
import type { LiveMode } from '../ports/settings.ts';
import { type BridgeLifecycle, followBridges } from './bridge-lifecycle.ts';
import { bridgeOrMessage } from './bridge-or-message.ts';
import { commandIds } from './command-ids.ts';
import { liveOutcome } from './command-outcome.ts';
import { addDisposable } from './add-disposable.ts';
import { safeWindow } from './safe-window.ts';
import { showWithLog } from './show-with-log.ts';

/** The commands that start and stop Live Sync, and its notifications. */
export function registerLive(lifecycle: BridgeLifecycle, showLog: () => void): Disposable {
  const store = new DisposableStore();
  store.add(
    followBridges(lifecycle, (bridge, alive) => {
      alive.add(bridge.live.onDidNeedSync(reason => showNeedsSync(reason, () => lifecycle.activate(bridge))));
      // Live Sync asks for a decision about an edit that it could not write, with the same reason.
      const asks = (group: FailedWrite['group']): boolean => group === 'own' && bridge.live.state().kind === 'on';
      alive.add(
        bridge.onDidFailWrite(({ group, outcomes }) => (asks(group) ? undefined : showNotWritten(outcomes, showLog))),
      );
    }),
  );

  const control = async (): Promise<LiveControl | undefined> => (await bridgeOrMessage(lifecycle, showLog))?.live;
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.startLive, async (argument?: unknown) => {
      const live = await control();
      const mode = live && (liveModes.find(one => one === argument) ?? (await askMode()));
      if (live === undefined || mode === undefined) return undefined;
      live.setMode(mode);
      showState(live);
      const state = live.state();
      return { ...state, outcome: liveOutcome(state) };
    }),
  );
  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.stopLive, async () => {
      const live = await control();
      if (live === undefined) return undefined;
      const outcome = live.mode() === 'off' ? 'already' : 'done';
      live.setMode('off');
      safeWindow.setStatusBarMessage(vscode.l10n.t('Live Sync is off.'), 5_000);
      return { ...live.state(), outcome };
    }),
  );
  addDisposable(
    store,
    vscode.workspace.onDidChangeConfiguration(event => {
      if (!event.affectsConfiguration('atlas.live')) return;
      // A changed setting overrides a mode that was started by a command.
      for (const { live } of lifecycle.bridges()) live.setMode(undefined);
    }),
  );
  return store;
}

const liveModes = ['diskToStudio', 'twoWay'] as const satisfies readonly LiveMode[];

async function askMode(): Promise<(typeof liveModes)[number] | undefined> {
  const picked = await safeWindow.showQuickPick(
    [
      {
        label: vscode.l10n.t('Disk to Studio'),
        description: vscode.l10n.t('Saved files change the place.'),
        mode: liveModes[0],
      },
      {
        label: vscode.l10n.t('Both directions'),
        description: vscode.l10n.t('Edits in Studio also change the files.'),
        mode: liveModes[1],
      },
    ],
    { title: vscode.l10n.t('Atlas Bridge: Start Live Sync') },
  );
  return picked?.mode;
}

function showState(live: LiveControl): void {
  const { kind } = live.state();
  if (kind === 'waiting')
    void safeWindow.showInformationMessage(
      vscode.l10n.t('Live Sync starts when Roblox Studio is connected and the folder has a project.'),
    );
  if (kind === 'unsupported')
    void safeWindow.showWarningMessage(
      vscode.l10n.t(
        'The connected Studio plugin starts live sessions itself. Press Connect in its window, or install the Atlas Bridge plugin.',
      ),
    );
}

/** @param show makes the project active */
function showNeedsSync(reason: Sentence, show: () => void): void {
  const review = vscode.l10n.t('Review');
  const text = formatSentence(reason, vscode.l10n.t).replace(/\.$/, '');
  void safeWindow
    .showWarningMessage(vscode.l10n.t('Live Sync needs your decision: {0}.', text), review)
    .then(pressed => {
      if (pressed !== review) return undefined;
      show();
      return vscode.commands.executeCommand(commandIds.review);
    });
}

function showNotWritten(outcomes: readonly WriteOutcome[], showLog: () => void): void {
  const [first] = outcomes;
  if (first === undefined) return;
  const text = `${first.what}: ${first.reason === undefined ? first.outcome : reasonText(first.reason, vscode.l10n.t)}`;
  const message = plural(
    outcomes.length,
    vscode.l10n.t('1 change from Studio was not written: {0}', text),
    vscode.l10n.t('{0} changes from Studio were not written. The first: {1}', outcomes.length, text),
  );
  showWithLog('showWarningMessage', message, showLog);
}
