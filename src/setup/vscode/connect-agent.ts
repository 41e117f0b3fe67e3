import * as vscode from 'vscode';
import type { AgentClientId } from '../agents/agent-clients.ts';
import type { AgentConnections, AgentPlan, AgentState } from '../agents/agent-connections.ts';
import type { Logger } from '../../ports/logger.ts';
import { confirmWithChanges } from '../../vscode/confirm-with-changes.ts';
import type { VirtualDocuments } from '../../vscode/virtual-documents.ts';
import { safeWindow, showDiff } from '../../vscode/safe-window.ts';

export interface ConnectAgentDeps {
  readonly agents: AgentConnections;
  /** Installs the launcher that the entries run. */
  readonly keepLauncher: () => Promise<void>;
  readonly log: Logger;
}

/** Arguments with which a caller skips the questions. */
export interface ConnectChoice {
  readonly client?: AgentClientId;
  readonly confirmed?: boolean;
}

/**
 * `Atlas Bridge: Connect Agent…`: lists the agents with their state, and writes or removes an entry after the user has agreed.
 * Returns the applied plan, or `undefined`.
 */
export async function connectAgent(
  { agents, keepLauncher, log }: ConnectAgentDeps,
  documents: VirtualDocuments,
  { client, confirmed }: ConnectChoice,
): Promise<AgentPlan | undefined> {
  const states = await agents.list();
  const chosen = client === undefined ? await pick(states) : states.find(one => one.client.id === client);
  if (chosen === undefined) return undefined;
  const removes = chosen.state === 'connected';
  const id = chosen.client.id;
  const plan = removes ? await agents.planDisconnect(id) : await agents.planConnect(id);
  if (confirmed !== true && !(await isAgreed(plan, removes, documents))) return undefined;
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
}

async function isAgreed(
  { title, file, before, after }: AgentPlan,
  removes: boolean,
  documents: VirtualDocuments,
): Promise<boolean> {
  const { l10n } = vscode;
  const question = removes
    ? l10n.t('Remove Atlas Bridge from {0}?', title)
    : l10n.t('Connect {0} to Atlas Bridge?', title);
  const tab = l10n.t('{0}: Proposed Changes', title);
  return await confirmWithChanges({
    question,
    detail: removes
      ? l10n.t('The entry atlas-bridge is removed from {0}. Nothing else in the file changes.', file)
      : l10n.t('The entry atlas-bridge is added to {0}. Nothing else in the file changes.', file),
    accept: removes ? l10n.t('Remove Entry') : l10n.t('Write Entry'),
    async showChanges() {
      // One path for both sides: VS Code shows files of two paths as renamed.
      const left = documents.put(file, before ?? '', 'before');
      const right = documents.put(file, after ?? '', 'after');
      await showDiff(left, right, tab);
    },
    isOfChanges: ({ label }) => label === tab,
  });
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
    placeHolder: vscode.l10n.t('Choose an agent. You can review the changes first.'),
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
      return vscode.l10n.t('not found on this computer');
    case 'foreign':
      return vscode.l10n.t('{0} has a server with the same name that Atlas Bridge did not write', file);
    case 'unreadable':
      return vscode.l10n.t('{0} cannot be read', file);
  }
}
