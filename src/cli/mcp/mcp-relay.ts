import { dirname } from 'node:path';
import { stdin, stdout } from 'node:process';
import { firstThere } from '../../adapters/fs/project-reach.ts';
import { announcedBridges, bridgeFor } from '../../adapters/node/announced-bridges.ts';
import { nodeClock } from '../../adapters/node/clock.ts';
import { createLineLogger } from '../../adapters/node/logger.ts';
import { stateFolder, userStateFolder } from '../../adapters/node/state-folder.ts';
import { newToken } from '../../adapters/node/token-store.ts';

import { type Bridge, createBridge } from '../../app/app.ts';
import { defaultProjectNames } from '../../project/project-file/project-names.ts';
import { HTTP_LIMITS } from '../../protocol/limits.ts';
import { instructions } from '../../mcp/instructions.ts';
import type { Toolset } from '../../mcp/tool.ts';
import type { LoadPlutoToolset } from '../../pluto/tools/pluto-toolset.ts';
import { relayStdio } from '../../transport/mcp/relay/relay.ts';
import type { RelayTarget } from '../../transport/mcp/relay/upstream.ts';
import { findFolder } from '../find-folder.ts';
import { type CliIo, exitCodes } from '../io.ts';
import { nodeHost } from '../node-host.ts';

/**
 * `atlas-bridge mcp`: connects an MCP client on standard input and output to the bridge that runs for a folder. If none runs, it starts one,
 * without reviews, and stops it when VS Code starts its own and no sync is active.
 */
export async function runRelay(
  command: { readonly project: string; readonly toolset: Toolset | undefined },
  io: CliIo,
  loadPluto: LoadPlutoToolset,
): Promise<number> {
  const folder = await findFolder(io.cwd, command.project);
  if (folder === undefined) {
    io.err(`error: no such folder: '${command.project}'`);
    return exitCodes.failed;
  }
  const log = createLineLogger(line => io.err(line), 'warn');
  const suffix = command.toolset === undefined ? '' : `/${command.toolset}`;
  let own: Promise<OwnBridge> | undefined;

  const target = async (): Promise<RelayTarget> => {
    const mine = await own;
    const running = bridgeFor(folder, await announcedBridges(userStateFolder(io.env)));
    if (running !== undefined && mine?.bridge.engine.current() === undefined) {
      own = undefined;
      await mine?.bridge.stop();
      return { mcpUrl: `${running.mcpUrl}${suffix}`, token: running.token };
    }
    own ??= startOwn(folder, io, loadPluto).catch((error: unknown) => {
      // The next call tries again.
      own = undefined;
      throw error;
    });
    const { bridge, token } = await own;
    return { mcpUrl: `${bridge.mcpUrl}${suffix}`, token };
  };
  try {
    // The bridge decides later whether it has the pluto toolset.
    const text =
      command.toolset === undefined ? `${instructions.sync}\n\n${instructions.docs}` : instructions[command.toolset];
    const deps = { clock: nodeClock, log, version: io.version, instructions: text, target };
    await relayStdio(deps, { input: stdin, output: stdout }, io.stop);
  } finally {
    await (await own?.catch(() => undefined))?.bridge.stop();
  }
  return exitCodes.done;
}

interface OwnBridge {
  readonly bridge: Bridge;
  readonly token: string;
}

/** The nearest folder with a project file, from `folder` upwards, or else `folder`. */
async function projectFolderAbove(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await firstThere(at, defaultProjectNames())) !== undefined) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Starts a bridge for this client only, so it is not announced to others. */
async function startOwn(folder: string, io: CliIo, loadPluto: LoadPlutoToolset): Promise<OwnBridge> {
  const log = createLineLogger(line => io.err(line), 'warn');
  const project = await projectFolderAbove(folder);
  const host = await nodeHost(project, stateFolder(project, io.env), log, io.env);
  const token = newToken();
  const bridge = await createBridge(
    { ...host, loadPluto },
    {
      port: HTTP_LIMITS.defaultPort,
      rojoPort: undefined,
      tokens: [token],
      version: io.version,
    },
  );
  return { bridge, token };
}
