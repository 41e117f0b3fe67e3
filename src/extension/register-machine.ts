import { rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { ifFound } from '../base/errno.ts';
import { createWholeFile, removeWholeFile, replaceWholeFile } from '../adapters/fs/write-whole-file.ts';
import { repositoryOf } from '../adapters/fs/project-reach.ts';
import { findToolFiles } from '../adapters/node/find-tool-files.ts';
import { findOnPath } from '../adapters/node/find-on-path.ts';
import { createJsonStudioKeys, studioKeysFile } from '../adapters/node/json-studio-keys.ts';
import { writeLauncher, launcherPath, launcherText } from '../adapters/node/launcher.ts';
import { createNodePluginFiles } from '../adapters/node/node-plugin-files.ts';
import { userStateFolder } from '../adapters/node/state-folder.ts';
import type { ForwardedPort } from '../vscode/forwarded-port.ts';
import { installPlugin } from '../setup/vscode/install-plugin.ts';
import { registerPluginCommands } from '../setup/vscode/plugin-commands.ts';
import { registerSetUp } from '../setup/vscode/register-set-up.ts';
import { createSettings } from '../vscode/settings.ts';
import type { WindowPendingChanges } from '../vscode/pending-changes.ts';
import { forgetToken } from '../vscode/mcp/token.ts';
import { openCloudKey } from '../vscode/open-cloud-key.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import type { AgentConnections, AgentConnectionsDeps } from '../setup/agents/agent-connections.ts';
import type { SetUpFacts } from '../setup/findings.ts';
import type { FirstStepsDeps } from '../setup/vscode/first-steps.ts';
import type { SetUpFlows, SetUpFlowsDeps } from '../setup/vscode/set-up-flows.ts';
import type { FormattedFinding } from '../setup/vscode/finding-text.ts';
import { showOutcome } from '../sync/vscode/runs/show-outcome.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { forgetLastPorts } from './last-port.ts';
import { bundledPlugin, deliverPlugin } from './plugin-delivery.ts';
import type { SharedParts } from './shared-parts.ts';

/** The parts that the extension installs on this machine, outside of any project. */
export interface MachineParts extends Disposable {
  /** Updates the plugin and the launcher to this version if they are installed. Never throws. */
  begin(pending: WindowPendingChanges): void;
}

/** Parts that are loaded on demand, because most windows never need them. */
export interface LazyMachineParts {
  readonly agents: (deps: AgentConnectionsDeps) => Promise<AgentConnections>;
  readonly findings: (facts: SetUpFacts) => Promise<readonly FormattedFinding[]>;
  readonly firstSteps: (deps: FirstStepsDeps) => Promise<Disposable>;
  readonly flows: (deps: SetUpFlowsDeps) => Promise<SetUpFlows>;
}

/** Registers the set-up of this machine: the Studio plugin, the launcher, the agents' config files, and Doctor. */
export function registerMachine(parts: SharedParts, forwarded: ForwardedPort, lazy: LazyMachineParts): MachineParts {
  const { context, lifecycle, served, unserved, sharedProjects, log, version, cli, schedule } = parts;
  const store = new DisposableStore();
  const delivery = deliverPlugin(context, version);
  const install = () => installPlugin(delivery, bundledPlugin(context), forwarded.place);
  const changeKey = async (): Promise<void> => {
    await createJsonStudioKeys(studioKeysFile(userStateFolder(process.env))).rotate();
    for (const bridge of lifecycle.bridges()) bridge.disconnectStudios('the Studio key was changed');
  };
  const plugin = store.add(
    registerPluginCommands({ delivery, install, changeKey, version, place: forwarded.place, log: log.child('plugin') }),
  );
  const launcher = launcherPath(userStateFolder(process.env));
  const launcherScript = launcherText(process.execPath, cli);
  const setUp = store.add(
    registerSetUp({
      lifecycle,
      unserved,
      sharedProjects,
      delivery,
      install,
      forwarded,
      agents: connectAgents(context, launcher, served.projectFolder, lazy.agents),
      version,
      preferredPort: () => createSettings(served.root()).port(),
      rojoPort: () => createSettings(served.root()).rojoPort(),
      git: () => findGit(served.projectFolder()),
      hasRipgrep: async () => (await findRipgrep(createSettings(served.root()))) !== undefined,
      tools: () => findToolFiles(served.projectFolder()?.fsPath),
      keepLauncher: () => writeLauncher(launcher, launcherScript),
      findings: lazy.findings,
      loadFlows: lazy.flows,
      example: vscode.Uri.joinPath(context.extensionUri, 'examples', 'obby'),
      removeMachineState: () => removeMachineState(context, launcher),
      folder: served.candidateFolder,
      createFile: createWholeFile,
      schedule,
      log: log.child('set-up'),
    }),
  );
  return {
    begin(pending) {
      const deps: FirstStepsDeps = {
        lifecycle,
        pending,
        memory: context.workspaceState,
        presence: () => delivery.getPresence(),
        showOutcome: result => void showOutcome(result, parts.showLog),
        log,
      };
      lazy.firstSteps(deps).then(
        steps => store.add(steps),
        (error: unknown) => log.error('failed to offer the first steps', error),
      );
      void plugin.update().then(() => setUp.refresh());
      writeLauncher(launcher, launcherScript, true).catch((error: unknown) =>
        log.error('failed to update the launcher', error),
      );
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

async function findGit(folder: vscode.Uri | undefined): Promise<SetUpFacts['git']> {
  if ((await findOnPath('git', process.env['PATH'])) === undefined) return 'missing';
  return folder !== undefined && (await repositoryOf(folder.fsPath)) !== undefined ? 'found' : 'noRepository';
}

/** The MCP config files of agents on this machine, with a receipt of the entries that Atlas Bridge wrote. */
function connectAgents(
  context: vscode.ExtensionContext,
  launcher: string,
  folder: () => vscode.Uri | undefined,
  loadAgents: LazyMachineParts['agents'],
): AgentConnections {
  const receipt = vscode.Uri.joinPath(context.globalStorageUri, 'agents.json').fsPath;
  const home = homedir();
  const load = (): Promise<AgentConnections> =>
    loadAgents({
      files: createNodePluginFiles(receipt, { replace: replaceWholeFile, remove: removeWholeFile }),
      paths: () => ({ folder: folder()?.fsPath ?? home, home, launcher, platform: process.platform }),
    });
  return {
    list: async () => (await load()).list(),
    planConnect: async id => (await load()).planConnect(id),
    planDisconnect: async id => (await load()).planDisconnect(id),
    apply: async plan => (await load()).apply(plan),
    removeAll: async () => (await load()).removeAll(),
  };
}

/** Removes the launcher, the keys of Studio, the last port, the token and the API key. Returns the paths of the removed files. */
async function removeMachineState(context: vscode.ExtensionContext, launcher: string): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const file of [launcher, studioKeysFile(userStateFolder(process.env))]) {
    if ((await ifFound(stat(file))) !== undefined) removed.push(file);
    await rm(file, { force: true });
  }
  await forgetLastPorts(context.workspaceState);
  await forgetToken(context.secrets);
  await openCloudKey.forget(context.secrets);
  return removed;
}
