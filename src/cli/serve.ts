import { join } from 'node:path';
import { announceBridge } from '../adapters/node/announced-bridges.ts';
import { nodeClock } from '../adapters/node/clock.ts';
import { createLineLogger, type LogLevel } from '../adapters/node/logger.ts';
import { loadOrCreateToken } from '../adapters/node/token-store.ts';

import { type Bridge, createBridge } from '../app/app.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import type { StudioDialect } from '../protocol/studio/messages.ts';
import type { CliCommand } from './args.ts';
import { findFolder } from './find-folder.ts';
import { type CliIo, exitCodes } from './io.ts';
import { nodeHost } from './node-host.ts';
import { findProject } from './open-project.ts';
import { stateFolder, userStateFolder } from '../adapters/node/state-folder.ts';

/** `atlas-bridge serve`: runs the bridge of one project folder until Ctrl+C. Resolves with the exit code. */
export async function runServe(
  command: Extract<CliCommand, { kind: 'serve' }>,
  io: CliIo,
  loadPluto: LoadPlutoToolset,
): Promise<number> {
  const folder = await findFolder(io.cwd, command.folder);
  if (folder === undefined) {
    io.err(`error: '${command.folder}' is not a folder\nhint: pass the folder that contains the project file`);
    return exitCodes.failed;
  }
  const found = await findProject(folder, undefined);
  const state = stateFolder(folder, io.env);
  const tokenFile = join(state, 'token');
  const token = await loadOrCreateToken(tokenFile);
  const log = createLineLogger(line => io.err(line), logLevel(io.env['ATLAS_BRIDGE_LOG']));
  const host = await nodeHost(found.folder, state, log, io.env);
  const bridge = await createBridge(
    { ...host, loadPluto },
    {
      port: command.port,
      dialect: command.dialect,
      rojoPort: command.rojoPort,
      tokens: [token],
      version: io.version,
    },
  );
  try {
    await using _announced = await announceBridge(userStateFolder(io.env), {
      folder,
      mcpUrl: bridge.mcpUrl,
      token,
      startedAt: nodeClock.date(),
    });
    if (command.json) io.out(JSON.stringify(addresses(bridge, command, tokenFile)));
    else for (const line of describe(bridge, folder, tokenFile, command.port)) io.out(line);
    await aborted(io.stop);
  } finally {
    await bridge.stop();
  }
  return exitCodes.done;
}

/** The first line with `--json`. `projectName` is null without a project; `dialect` is that of the Studio plugin on the port. */
function addresses(bridge: Bridge, { dialect }: { readonly dialect: StudioDialect }, tokenFile: string): object {
  const project = bridge.session()?.info;
  return {
    studioUrl: bridge.studioUrl,
    mcpUrl: bridge.mcpUrl,
    tokenFile,
    sessionId: bridge.sessionId,
    projectName: project?.name ?? null,
    dialect,
  };
}

function describe(bridge: Bridge, folder: string, tokenFile: string, preferredPort: number): readonly string[] {
  const isOtherPort = preferredPort !== 0 && !bridge.studioUrl.endsWith(`:${preferredPort}`);
  return [
    `Serving ${describeProject(bridge)} in ${folder}`,
    `  Studio: ${bridge.studioUrl}${isOtherPort ? ` (port ${preferredPort} is taken)` : ''}`,
    ...(bridge.rojoUrl === undefined ? [] : [`  Rojo:   ${bridge.rojoUrl}`]),
    `  MCP:    ${bridge.mcpUrl} (bearer token in ${tokenFile})`,
    'Press Ctrl+C to stop.',
  ];
}

function describeProject(bridge: Bridge): string {
  const project = bridge.session();
  if (project !== undefined) return `project ${project.info.name}`;
  return `no project yet (${bridge.projectProblem()?.message ?? 'searching'})`;
}

const logLevel = (text: string | undefined): LogLevel =>
  text === 'debug' || text === 'warn' || text === 'error' ? text : 'info';

function aborted(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise(resolve => stop.addEventListener('abort', () => resolve(), { once: true }));
}
