import { stdin, stdout } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeClock } from '../../adapters/node/clock.ts';
import { instructions } from '../../mcp/instructions.ts';
import type { LoadPlutoToolset } from '../../pluto/tools/pluto-toolset.ts';
import { relayStdio } from '../../transport/mcp/relay/relay.ts';
import type { RelayTarget } from '../../transport/mcp/relay/upstream.ts';
import { projectFolderAbove } from '../../app/find-project.ts';
import { findFolder } from '../find-folder.ts';
import { type CliIo, exitCodes } from '../io.ts';
import { commandLog } from '../log-level.ts';
import type { McpArgs } from './mcp-args.ts';
import { createClientBridge } from '../client-bridge.ts';
import { type SharedBridge, targetOf } from '../shared-bridge.ts';

/** Interval of the checks whether other clients still use this program's bridge. */
const CHECK_MS = 1_000;

/**
 * `atlas-bridge mcp`: connects an MCP client on standard input and output to the bridge of a folder. If none runs, it starts one, which lives
 * as long as its last client.
 */
export async function runRelay(
  command: Extract<McpArgs, { kind: 'relay' }>,
  io: CliIo,
  loadPluto: LoadPlutoToolset,
): Promise<number> {
  const given = await findFolder(io.cwd, command.project);
  if (given === undefined) {
    io.err(`error: no such folder: '${command.project}'`);
    return exitCodes.failed;
  }
  const log = commandLog(io, 'warn');
  const folder = await projectFolderAbove(given);
  const { settings, toolset, dialect } = command;
  await using shared = createClientBridge({ program: 'mcp', folder, settings, dialect, log, loadPluto }, io);
  // Without pluto: the bridge decides later whether it has that toolset.
  const text = toolset === undefined ? `${instructions.sync}\n\n${instructions.docs}` : instructions[toolset];
  const suffix = toolset === undefined ? '' : `/${toolset}`;
  const target = async (): Promise<RelayTarget> => {
    const found = await shared.require();
    const { mcpUrl: own, token } = targetOf(found);
    // The window may serve several projects of the folder, so the agent chooses one.
    const mcpUrl = found.kind === 'other' ? (found.other.projectsUrl ?? own) : own;
    return { mcpUrl: `${mcpUrl}${suffix}`, token };
  };
  const deps = { clock: nodeClock, log, version: io.version, instructions: text, target };
  await relayStdio(deps, { input: stdin, output: stdout }, io.stop);
  await untilUnused(shared, io.stop);
  return exitCodes.done;
}

/** Keeps this program's bridge running while clients of other programs use it. */
async function untilUnused(shared: SharedBridge, stop: AbortSignal): Promise<void> {
  for (;;) {
    const found = await shared.find();
    if (stop.aborted || found?.kind !== 'own' || found.own.bridge.mcpClients() === 0) return;
    // Rejects when the command is stopped.
    await pause(CHECK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
