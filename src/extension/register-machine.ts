import { rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { ifFound } from '../base/errno.ts';
import { writeWholeFile } from '../adapters/fs/write-whole-file.ts';
import { findOnPath } from '../adapters/node/find-on-path.ts';
import { keepLauncher, launcherPath, launcherText } from '../adapters/node/launcher.ts';
import { createNodePluginFiles } from '../adapters/node/node-plugin-files.ts';
import { userStateFolder } from '../adapters/node/state-folder.ts';
import type { ForwardedPort } from '../vscode/forwarded-port.ts';
import { installPlugin } from '../setup/vscode/install-plugin.ts';
import { registerPluginCommands } from '../setup/vscode/plugin-commands.ts';
import { registerSetUp } from '../setup/vscode/register-set-up.ts';
import { createSettings } from '../vscode/settings.ts';
import { forgetToken } from '../vscode/mcp/token.ts';
import { DisposableStore } from '../base/disposable-store.ts';
import { type AgentConnections, createAgentConnections } from '../setup/agents/agent-connections.ts';
import { findings } from '../setup/findings.ts';
import { findRipgrep } from './find-ripgrep.ts';
import { lastPort } from './last-port.ts';
import { bundledPlugin, deliverPlugin } from './plugin-delivery.ts';
import type { SharedParts } from './shared-parts.ts';

/** What the extension keeps up on the machine, outside of any project. */
export interface MachineParts extends Disposable {
  /** Brings the plugin and the launcher up to this version where they are installed. Never rejects. */
  begin(): void;
}

/** What lies on the machine for Studio and for agents: the plugin, the launcher, the agents' files, and the doctor over them. */
export function registerMachine(parts: SharedParts, forwarded: ForwardedPort): MachineParts {
  const { context, lifecycle, served, log, version, cli, schedule } = parts;
  const store = new DisposableStore();
  const delivery = deliverPlugin(context, version);
  const install = () => installPlugin(delivery, bundledPlugin(context), forwarded.place);
  const plugin = store.add(
    registerPluginCommands({ delivery, install, version, place: forwarded.place, log: log.child('plugin') }),
  );
  const launcher = launcherPath(userStateFolder(process.env));
  const launched = launcherText(process.execPath, cli);
  const setUp = store.add(
    registerSetUp({
      lifecycle,
      delivery,
      install,
      forwarded,
      agents: connectAgents(context, launcher, served.projectFolder),
      version,
      preferredPort: () => createSettings(served.root()).port(),
      hasGit: async () => (await findOnPath('git', process.env['PATH'])) !== undefined,
      hasRipgrep: async () => (await findRipgrep(createSettings(served.root()))) !== undefined,
      keepLauncher: () => keepLauncher(launcher, launched),
      findings: findings,
      removeMachineState: () => removeMachineState(context, launcher),
      folder: served.candidateFolder,
      schedule,
      log: log.child('set-up'),
    }),
  );
  return {
    begin() {
      void plugin.update().then(() => setUp.refresh());
      keepLauncher(launcher, launched, true).catch((error: unknown) =>
        log.error('the launcher was not renewed', error),
      );
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

/** The files of agents on this machine, and what of them was written from here. */
function connectAgents(
  context: vscode.ExtensionContext,
  launcher: string,
  folder: () => vscode.Uri | undefined,
): AgentConnections {
  const receipt = vscode.Uri.joinPath(context.globalStorageUri, 'agents.json').fsPath;
  const home = homedir();
  return createAgentConnections({
    files: createNodePluginFiles(receipt, writeWholeFile),
    paths: () => ({ folder: folder()?.fsPath ?? home, home, launcher, platform: process.platform }),
  });
}

/** What the extension has put on the machine for itself. Answers what was there and is gone, for a person. */
async function removeMachineState(context: vscode.ExtensionContext, launcher: string): Promise<readonly string[]> {
  const hadLauncher = (await ifFound(stat(launcher))) !== undefined;
  await rm(launcher, { force: true });
  await lastPort(context.workspaceState).forget();
  await forgetToken(context.secrets);
  return hadLauncher ? [launcher] : [];
}
