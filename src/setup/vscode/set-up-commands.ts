import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { AgentConnections, AgentPlan } from '../agents/agent-connections.ts';
import type { DeliveryResult, PluginDelivery } from '../../studio/delivery/plugin-delivery.ts';
import type { Logger } from '../../ports/logger.ts';
import type { BridgeLifecycle } from '../../vscode/bridge-lifecycle.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { failureText, personSentence } from '../../vscode/localization/person-sentence.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

export interface SetUpCommandsDeps {
  readonly lifecycle: BridgeLifecycle;
  readonly delivery: PluginDelivery;
  readonly agents: AgentConnections;
  /** `undefined` if the plugin cannot be installed from this window; the user has been notified. */
  readonly install: () => Promise<DeliveryResult | undefined>;
  readonly keepLauncher: () => Promise<void>;
  /** Removes the launcher, the token and the last port. Returns the paths of the removed files. */
  readonly removeMachineState: () => Promise<readonly string[]>;
  /** Called after every command, because the state of the set-up may have changed. */
  readonly changed: () => void;
  readonly log: Logger;
}

/** The results of the commands; all paths are absolute. */
export interface SetUpResult {
  readonly plugin: readonly string[];
  readonly studioUrl: string | undefined;
}
export interface RemoveSetUpResult {
  readonly plugin: readonly string[];
  readonly agents: readonly Pick<AgentPlan, 'client' | 'file'>[];
  readonly other: readonly string[];
  /** Sentences that say what was not removed, and why. */
  readonly kept: readonly string[];
}

/** Registers `Atlas Bridge: Set Up This Folder` and `Atlas Bridge: Remove Everything`. Each returns exactly what it changed. */
export function registerSetUpCommands(deps: SetUpCommandsDeps): Disposable {
  const { lifecycle, delivery, agents, log } = deps;
  const store = new DisposableStore();
  const guarded = (id: string, work: (...args: readonly unknown[]) => Promise<unknown>): vscode.Disposable =>
    addDisposable(
      store,
      vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
        try {
          return await work(...args);
        } catch (error) {
          log.error(`${id} failed`, error);
          void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
          return undefined;
        } finally {
          deps.changed();
        }
      }),
    );

  guarded(commandIds.setUp, async (): Promise<SetUpResult | undefined> => {
    const state = await lifecycle.begin();
    if (state.kind === 'idle') {
      const command = state.why === 'restricted' ? 'workbench.trust.manage' : 'workbench.action.files.openFolder';
      await vscode.commands.executeCommand(command);
      return undefined;
    }
    if (state.kind === 'running' && state.bridge.projectProblem()?.code === 'NO_PROJECT')
      await vscode.commands.executeCommand(commandIds.createProject);
    const delivered = await deps.install();
    const studioUrl = state.kind === 'running' ? state.bridge.studioUrl : undefined;
    if (delivered === undefined) return { plugin: [], studioUrl };
    const files = [...delivered.changed, ...delivered.current];
    log.info('set up', { plugin: files.join(', '), studioUrl });
    const connect = vscode.l10n.t('Connect Agent…');
    const undo = vscode.l10n.t('Remove Everything');
    void safeWindow
      .showInformationMessage(
        vscode.l10n.t(
          'Atlas Bridge is set up. The Studio plugin is in {0}. Open the place in Roblox Studio and press Connect.',
          files.join(', '),
        ),
        connect,
        undo,
      )
      .then(pressed => {
        if (pressed === connect) return vscode.commands.executeCommand(commandIds.connectAgent);
        return pressed === undo ? vscode.commands.executeCommand(commandIds.removeEverything) : undefined;
      });
    return { plugin: files, studioUrl };
  });

  guarded(commandIds.removeEverything, async (how): Promise<RemoveSetUpResult | undefined> => {
    const isAgreed = typeof how === 'object' && how !== null && 'confirmed' in how && how.confirmed === true;
    if (!isAgreed && !(await askToRemove())) return undefined;
    const kept: string[] = [];
    const keep = (reason: AppError): void => {
      log.error('something was not removed', reason);
      kept.push(failureText(reason, vscode.l10n));
    };
    // A part that cannot be removed never prevents the removal of the others.
    const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        keep(AppError.from(error));
        return undefined;
      }
    };
    const plugin = (await attempt(() => delivery.remove()))?.changed ?? [];
    const connections = await attempt(() => agents.removeAll());
    const removed = connections?.removed.map(({ client, file }) => ({ client, file })) ?? [];
    for (const { reason } of connections?.kept ?? []) keep(reason);
    const other = (await attempt(() => deps.removeMachineState())) ?? [];
    log.info('removed the set-up', { plugin: plugin.join(', '), other: other.join(', ') });
    const entries = removed.map(({ file }) => vscode.l10n.t('the entry in {0}', file));
    const all = [...plugin, ...entries, ...other];
    if (kept.length > 0)
      void safeWindow.showWarningMessage(
        all.length === 0
          ? vscode.l10n.t('Nothing was removed. {0}', kept.join(' '))
          : vscode.l10n.t('Removed: {0}. Not everything was removed: {1}', all.join(', '), kept.join(' ')),
      );
    else
      void safeWindow.showInformationMessage(
        all.length === 0
          ? vscode.l10n.t('Nothing to remove: Atlas Bridge has set up nothing on this computer.')
          : vscode.l10n.t('Removed: {0}. Your project and sync history are kept.', all.join(', ')),
      );
    return { plugin, agents: removed, other, kept };
  });
  return store;
}

async function askToRemove(): Promise<boolean> {
  const yes = vscode.l10n.t('Remove');
  const pressed = await safeWindow.showWarningMessage(
    vscode.l10n.t('Remove everything that Atlas Bridge has set up on this computer?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'This removes the Studio plugin, the agent config entries, the launcher, the token and the API key. Your project and sync history are kept.',
      ),
    },
    yes,
  );
  return pressed === yes;
}
