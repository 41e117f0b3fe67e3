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
 * `atlas-bridge mcp`: the bridge that runs for a folder, for a client that speaks over the standard streams. Where none runs, one of its
 * own is started, without a person to ask; it makes way as soon as a window's is there and it has nothing to do.
 */
export async function runRelay(
  wish: { readonly project: string; readonly toolset: Toolset | undefined },
  io: CliIo,
  loadPluto: LoadPlutoToolset,
): Promise<number> {
  const folder = await findFolder(io.cwd, wish.project);
  if (folder === undefined) {
    io.err(`atlas-bridge: there is no folder ${wish.project}.`);
    return exitCodes.failed;
  }
  const log = createLineLogger(line => io.err(line), 'warn');
  const suffix = wish.toolset === undefined ? '' : `/${wish.toolset}`;
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
    // Whether a whole bridge has the pluto toolset is known only later.
    const told =
      wish.toolset === undefined ? `${instructions.sync}\n\n${instructions.docs}` : instructions[wish.toolset];
    const deps = { clock: nodeClock, log, version: io.version, instructions: told, target };
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

/** The nearest folder that holds a project file, from `folder` upwards; `folder` where there is none. */
async function projectFolderAbove(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await firstThere(at, defaultProjectNames())) !== undefined) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Not announced: it is there for one client, and ends with it. */
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
