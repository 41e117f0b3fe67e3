import { hasLuauLanguageServer, LUAU_LANGUAGE_SERVER } from '../../vscode/luau-language-server.ts';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { firstSyncOffer, isCurrentOffer } from './first-sync-offer.ts';
import type { Logger } from '../../ports/logger.ts';
import type { RunResult } from '../../protocol/run-result.ts';
import type { PluginPresence } from '../../studio/delivery/plugin-delivery.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { type BridgeLifecycle, type BridgeState, followBridge } from '../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import type { WindowPendingChanges } from '../../vscode/pending-changes.ts';
import { safeWindow } from '../../vscode/safe-window.ts';
import type { ServedBridge } from '../../vscode/served-bridge.ts';

export interface FirstStepsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly pending: WindowPendingChanges;
  /** The state of the workspace. */
  readonly memory: vscode.Memento;
  readonly presence: () => Promise<PluginPresence>;
  /** Shows how a sync has ended. */
  readonly showOutcome: (result: RunResult) => void;
  readonly log: Logger;
}

/**
 * Offers the next step of a new workspace, each once: the set-up for a project, the first sync when Studio connects, and the Luau language
 * server when a script is opened.
 */
export function watchFirstSteps(deps: FirstStepsDeps): Disposable {
  const store = new DisposableStore();
  const { lifecycle, pending, memory, log } = deps;
  const offerOnce = (key: string, isDue: () => Promise<boolean>, offer: () => Promise<unknown>): (() => void) => {
    let isChecking = false;
    const stored = `atlas.offered.${key}`;
    const check = async (): Promise<void> => {
      if (isChecking || memory.get(stored) === true) return;
      isChecking = true;
      try {
        if (!(await isDue())) return;
        await memory.update(stored, true);
      } finally {
        isChecking = false;
      }
      await offer();
    };
    return () => void check().catch((error: unknown) => log.error(`failed to offer a first step: ${key}`, error));
  };
  const projectBridge = (): ServedBridge | undefined => {
    const state = lifecycle.state();
    return state.kind === 'running' && state.bridge.session() !== undefined ? state.bridge : undefined;
  };

  const checkSetUp = offerOnce(
    'setUp',
    async () => projectBridge()?.studios.all().length === 0 && (await deps.presence()).kind === 'absent',
    offerSetUp,
  );
  const checkFirstSync = offerOnce(
    'firstSync',
    async () => {
      const { kind, changes } = pending.state();
      if (kind !== 'compared' || changes.length === 0 || !pending.isConnected()) return false;
      return (await projectBridge()?.engine.history(1))?.length === 0;
    },
    async () => {
      const bridge = projectBridge();
      if (bridge !== undefined) await offerFirstSync(bridge, deps);
    },
  );
  const checkLuau = offerOnce(
    'luauLsp',
    async () =>
      projectBridge() !== undefined &&
      vscode.window.visibleTextEditors.some(({ document }) => document.uri.path.endsWith('.luau')) &&
      !hasLuauLanguageServer() &&
      !vscode.workspace.getConfiguration('extensions').get('ignoreRecommendations', false),
    offerLuau,
  );

  const watch = (state: BridgeState, alive: DisposableStore): void => {
    if (state.kind !== 'running') return;
    for (const check of [checkSetUp, checkLuau]) {
      alive.add(state.bridge.onDidChangeProject(check));
      check();
    }
  };
  store.add(followBridge(lifecycle, watch));
  store.add(pending.onDidChange(checkFirstSync));
  addDisposable(store, vscode.window.onDidChangeVisibleTextEditors(checkLuau));
  checkFirstSync();
  return store;
}

async function offerSetUp(): Promise<void> {
  const setUp = vscode.l10n.t('Set Up');
  const guide = vscode.l10n.t('Show Guide');
  const pressed = await safeWindow.showInformationMessage(
    vscode.l10n.t('Sync this project with Roblox Studio?'),
    setUp,
    guide,
  );
  if (pressed === setUp) await vscode.commands.executeCommand(commandIds.setUp);
  if (pressed === guide)
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'atlas-bridge.atlas-bridge#start', false);
}

/** A sync that only adds to Studio replaces nothing, so one button starts it. Any other first sync is reviewed. */
async function offerFirstSync(
  bridge: ServedBridge,
  { pending, showOutcome }: Pick<FirstStepsDeps, 'pending' | 'showOutcome'>,
): Promise<void> {
  const { changes, placeName } = pending.state();
  const review = vscode.l10n.t('Review Changes');
  const { text, push } = firstSyncOffer(changes, placeName ?? vscode.l10n.t('Studio'), vscode.l10n);
  const buttons = push === undefined ? [review] : [push, review];
  const pressed = await safeWindow.showInformationMessage(text, ...buttons);
  if (pressed === undefined) return;
  // The notice stays in VS Code's list, so other things may differ by now.
  if (pressed === push) await pending.refresh();
  if (pressed === review || !isCurrentOffer(changes, pending.state())) {
    await vscode.commands.executeCommand(commandIds.review);
    return;
  }
  const overrides = changes.map(({ id }) => ({ id, direction: 'push' as const }));
  const run = bridge.engine.start({ mode: 'standard', overrides, requestedBy: vscode.l10n.t('you') });
  showOutcome(await run.result);
}

async function offerLuau(): Promise<void> {
  const show = vscode.l10n.t('Show Extension');
  const pressed = await safeWindow.showInformationMessage(
    vscode.l10n.t(
      'For completion, types and errors in Luau, install the Luau language server. Atlas Bridge writes its sourcemap.',
    ),
    show,
  );
  if (pressed === show)
    await vscode.commands.executeCommand('workbench.extensions.search', `@id:${LUAU_LANGUAGE_SERVER}`);
}
