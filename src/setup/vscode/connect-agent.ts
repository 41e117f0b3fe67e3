import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable-store.ts';
import { AppError } from '../../base/errors.ts';
import type { AgentClientId } from '../agents/agent-clients.ts';
import type { AgentConnections, AgentPlan, AgentState } from '../agents/agent-connections.ts';
import type { Logger } from '../../ports/logger.ts';
import { commandIds } from '../../vscode/command-ids.ts';
import { addDisposable } from '../../vscode/add-disposable.ts';
import { createVirtualDocuments } from '../../vscode/virtual-documents.ts';
import { personSentence } from '../../vscode/localization/person-sentence.ts';
import { safeWindow } from '../../vscode/safe-window.ts';

export interface ConnectAgentDeps {
  readonly agents: AgentConnections;
  /** Installs the launcher that the entries run. */
  readonly keepLauncher: () => Promise<void>;
  readonly log: Logger;
}

/** Arguments with which a caller skips the questions. */
interface ConnectChoice {
  readonly client?: AgentClientId;
  readonly confirmed?: boolean;
}

/**
 * `Atlas Bridge: Connect Agent…`: lists the agents with their state, and writes or removes an entry after the user has confirmed the diff.
 * Returns the applied plan, or `undefined`.
 */
export function registerConnectAgent({ agents, keepLauncher, log }: ConnectAgentDeps): Disposable {
  const store = new DisposableStore();
  const documents = store.add(createVirtualDocuments('atlas-agent'));

  const run = async ({ client, confirmed }: ConnectChoice): Promise<AgentPlan | undefined> => {
    const states = await agents.list();
    const chosen = client === undefined ? await pick(states) : states.find(one => one.client.id === client);
    if (chosen === undefined) return undefined;
    const removes = chosen.state === 'connected';
    const id = chosen.client.id;
    const plan = removes ? await agents.planDisconnect(id) : await agents.planConnect(id);
    if (confirmed !== true && !(await isAgreed(plan, removes))) return undefined;
    if (!removes) await keepLauncher();
    await agents.apply(plan);
    log.info('an agent was connected or disconnected', { client: id, file: plan.file, removed: removes });
    void safeWindow.showInformationMessage(
      removes
        ? vscode.l10n.t('{0} is disconnected. The entry was removed from {1}.', plan.title, plan.file)
        : vscode.l10n.t(
            '{0} is connected through {1}. Restart it, or reload its servers, to see the tools.',
            plan.title,
            plan.file,
          ),
    );
    return plan;
  };

  const isAgreed = async ({ title, file, before, after }: AgentPlan, removes: boolean): Promise<boolean> => {
    const left = documents.put(`${file}.before.json`, before ?? '');
    const right = documents.put(`${file}.after.json`, after ?? '');
    await vscode.commands.executeCommand('vscode.diff', left, right, vscode.l10n.t('{0}: proposed changes', title));
    const yes = removes ? vscode.l10n.t('Remove Entry') : vscode.l10n.t('Write Entry');
    const pressed = await safeWindow.showInformationMessage(
      removes
        ? vscode.l10n.t('Remove Atlas Bridge from {0}? The editor shows the changes to {1}.', title, file)
        : vscode.l10n.t('Connect {0} to Atlas Bridge? The editor shows the changes to {1}.', title, file),
      yes,
      vscode.l10n.t('Cancel'),
    );
    return pressed === yes;
  };

  addDisposable(
    store,
    vscode.commands.registerCommand(commandIds.connectAgent, async (choice?: ConnectChoice) => {
      try {
        return await run(choice ?? {});
      } catch (error) {
        log.error('failed to connect or disconnect the agent', error);
        void safeWindow.showErrorMessage(personSentence(AppError.from(error), vscode.l10n));
        return undefined;
      }
    }),
  );
  return store;
}

async function pick(states: readonly AgentState[]): Promise<AgentState | undefined> {
  const own = {
    label: vscode.l10n.t('VS Code chat'),
    iconPath: new vscode.ThemeIcon('pass'),
    description: vscode.l10n.t('connected: the extension provides the tools'),
    state: undefined,
  };
  const items = states.map(state => ({
    label: state.client.title,
    iconPath: new vscode.ThemeIcon(icon(state)),
    description: words(state),
    state,
  }));
  const picked = await safeWindow.showQuickPick([own, ...items], {
    title: vscode.l10n.t('Atlas Bridge: Connect Agent'),
    placeHolder: vscode.l10n.t('Choose an agent to connect or disconnect. You can review the changes first.'),
  });
  if (picked !== undefined && picked.state === undefined)
    await vscode.commands.executeCommand('workbench.mcp.listServer');
  return picked?.state;
}

const icon = ({ state }: AgentState): string =>
  state === 'connected' ? 'pass' : state === 'foreign' || state === 'unreadable' ? 'error' : 'circle-large-outline';

function words({ state, file }: AgentState): string {
  switch (state) {
    case 'connected':
      return vscode.l10n.t('connected through {0}; select to disconnect', file);
    case 'outdated':
      return vscode.l10n.t('connected by an older version; select to update');
    case 'absent':
      return vscode.l10n.t('not connected');
    case 'missing':
      return vscode.l10n.t('not found on this machine');
    case 'foreign':
      return vscode.l10n.t('{0} has a server with the same name that Atlas Bridge did not write', file);
    case 'unreadable':
      return vscode.l10n.t('{0} cannot be read', file);
  }
}
