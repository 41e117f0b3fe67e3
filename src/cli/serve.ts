import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeClock } from '../adapters/node/clock.ts';
import { stateFolder } from '../adapters/node/state-folder.ts';
import { loadOrCreateToken } from '../adapters/node/token-store.ts';
import type { Bridge } from '../app/app.ts';
import type { LoadPlutoToolset } from '../pluto/tools/pluto-toolset.ts';
import type { Logger } from '../ports/logger.ts';
import type { AnnouncedBridge } from '../protocol/announced-bridge.ts';
import { startListener } from '../transport/http/listener.ts';
import { createHttpRelay } from '../transport/mcp/relay/http-relay.ts';
import type { RelayTarget } from '../transport/mcp/relay/upstream.ts';
import { type AllSettings, settingDefinitions } from '../ports/settings.ts';
import { HTTP_LIMITS } from '../protocol/limits.ts';
import { readCommandSettings } from './command-settings.ts';
import { type CliIo, exitCodes } from './io.ts';
import { readArgonSettings } from './argon-settings.ts';
import { findServed } from './find-served.ts';
import { commandLog } from './log-level.ts';
import { startProjectBridge } from './project-bridge.ts';
import { runCommand } from './run-command.ts';
import { isLoopback, type ServeArgs, serveCommand } from './serve-args.ts';
import { type BridgeInUse, createSharedBridge, type SharedBridge, targetOf } from './shared-bridge.ts';

/** Interval of the checks whether the folder has another bridge. */
const CHECK_MS = 500;

/** `atlas-bridge serve`: runs the bridge of one project until Ctrl+C. Resolves with the exit code. */
export function runServe(args: readonly string[], io: CliIo, loadPluto: LoadPlutoToolset): Promise<number> {
  return runCommand(serveCommand, args, io, command => serve(command, io, loadPluto));
}

async function serve(command: ServeArgs, io: CliIo, loadPluto: LoadPlutoToolset): Promise<number> {
  const served = await findServed(resolve(io.cwd, command.project), command.dialect);
  if (served === undefined) {
    io.err(`error: '${command.project}' is not a folder or project file`);
    io.err('hint: pass the project file or the folder that contains it');
    return exitCodes.failed;
  }
  const { folder, projectFile } = served;
  const argon = await readArgonSettings(folder);
  const servePort = served.servePort ?? argon.port;
  for (const [name, address] of Object.entries({ serveAddress: served.serveAddress, 'host of argon.toml': argon.host }))
    if (address !== undefined && !isLoopback(address))
      io.err(`warning: ${name} '${address}' is ignored: only this computer may connect (docs/remote.md)`);
  if (argon.problem !== undefined) io.err(`warning: argon.toml is ignored: ${argon.problem}`);
  if (argon.ignored.length > 0)
    io.err(`note: these settings of argon.toml have no effect: ${argon.ignored.join(', ')}`);
  const tokenFile = join(stateFolder(folder, io.env), 'token');
  const log = commandLog(io, 'info');
  const token = await loadOrCreateToken(tokenFile, log, command.newToken);
  const { plugin, dialect } = command;
  const sourcemapKey = settingDefinitions.sourcemapAutoWrite.key;
  const settings = new Map(argon.hasSourcemap ? [[sourcemapKey, true], ...command.settings] : command.settings);
  if (command.isOldSpelling)
    io.err(
      `note: --dialect is the dialect of the project; to choose the Studio plugin, pass --plugin ${plugin} instead`,
    );
  const hasPortSetting = settings.has(settingDefinitions.port.key);
  const portOf = ({ port, rojoPort }: AllSettings): number => {
    if (command.port !== undefined) return command.port;
    // A project may name the port that is reserved for the plugin of Rojo.
    const isFree = plugin === 'rojo' || servePort !== rojoPort();
    if (servePort !== undefined && isFree && !hasPortSetting) return servePort;
    return plugin === 'rojo' ? HTTP_LIMITS.rojoPort : port();
  };
  await using shared = createSharedBridge(
    {
      folder,
      projectFile,
      log,
      start: lastPort =>
        startProjectBridge(
          {
            folder,
            projectFile,
            program: 'serve',
            settings,
            dialect,
            token,
            ports: all => ({
              port: portOf(all),
              dialect: plugin,
              rojoPort: command.hasRojoPort ? all.rojoPort() : undefined,
              lastPort,
            }),
            log,
            loadPluto,
          },
          io,
        ),
    },
    io,
  );
  let relay: HttpRelay | undefined;
  try {
    while (!io.stop.aborted) {
      const found = await shared.require();
      // The relay keeps running when this program takes over, so that its clients keep their address.
      if (found.kind === 'other') relay ??= await startRelay(folder, token, command, log);
      relay?.setTarget(targetOf(found));
      report(found, { command, folder, tokenFile, relayUrl: relay?.mcpUrl, io });
      await untilChanged(found, shared, io.stop);
    }
  } finally {
    await relay?.stop();
  }
  return exitCodes.done;
}

interface HttpRelay {
  readonly mcpUrl: string;
  setTarget(target: RelayTarget): void;
  stop(): Promise<void>;
}

async function startRelay(folder: string, token: string, command: ServeArgs, log: Logger): Promise<HttpRelay> {
  const settings = await readCommandSettings(folder, command.settings, log);
  let target: RelayTarget | undefined;
  const listener = await startListener({
    preferredPort: command.port ?? settings.port(),
    routes: createHttpRelay(() => target, [token]),
    clock: nodeClock,
    log: log.child('relay'),
  });
  return {
    mcpUrl: `${listener.url}/mcp`,
    setTarget(next) {
      target = next;
    },
    stop: () => listener.stop(),
  };
}

/** Waits until the folder has another bridge than `seen`, or none. */
async function untilChanged(seen: BridgeInUse, shared: SharedBridge, stop: AbortSignal): Promise<void> {
  for (;;) {
    // Rejects when the command is stopped.
    await pause(CHECK_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    const now = await shared.find();
    if (now === undefined || targetOf(now).mcpUrl !== targetOf(seen).mcpUrl) return;
  }
}

interface Report {
  readonly command: ServeArgs;
  readonly folder: string;
  readonly tokenFile: string;
  /** The address for MCP clients if there is a relay. */
  readonly relayUrl: string | undefined;
  readonly io: CliIo;
}

/** Prints the addresses. With `--json`, the line of a relay has `relaysTo` and no details of the project. */
function report(found: BridgeInUse, { command, folder, tokenFile, relayUrl, io }: Report): void {
  const mcpUrl = relayUrl ?? targetOf(found).mcpUrl;
  if (found.kind === 'other') {
    const studioUrl = new URL(found.other.mcpUrl).origin;
    if (command.json)
      return io.out(JSON.stringify({ studioUrl, mcpUrl, tokenFile, relaysTo: found.other.program }), 'data');
    return describeRelay(found.other, folder, { studioUrl, mcpUrl, tokenFile }).forEach(line => io.out(line));
  }
  const { bridge, preferredPort } = found.own;
  if (command.json) return io.out(JSON.stringify(addresses(bridge, mcpUrl, command, tokenFile)), 'data');
  return describe(bridge, folder, { mcpUrl, tokenFile, preferredPort }).forEach(line => io.out(line));
}

/** The first line with `--json`. `projectName` is null without a project; `plugin` is the Studio plugin on the port, `dialect` its old name. */
function addresses(bridge: Bridge, mcpUrl: string, { plugin }: ServeArgs, tokenFile: string): object {
  const project = bridge.session()?.info;
  return {
    studioUrl: bridge.studioUrl,
    mcpUrl,
    tokenFile,
    sessionId: bridge.sessionId,
    projectName: project?.name ?? null,
    plugin,
    dialect: plugin,
  };
}

function describe(
  bridge: Bridge,
  folder: string,
  {
    mcpUrl,
    tokenFile,
    preferredPort,
  }: Readonly<Record<'mcpUrl' | 'tokenFile', string>> & { readonly preferredPort: number },
): readonly string[] {
  const isOtherPort = preferredPort !== 0 && !bridge.studioUrl.endsWith(`:${preferredPort}`);
  return [
    `Serving ${describeProject(bridge)} in ${folder}`,
    `  Studio: ${bridge.studioUrl}${isOtherPort ? ` (port ${preferredPort} is taken)` : ''}`,
    ...(bridge.rojoUrl() === undefined ? [] : [`  Rojo:   ${bridge.rojoUrl()}`]),
    `  MCP:    ${mcpUrl} (bearer token in ${tokenFile})`,
    'Press Ctrl+C to stop.',
  ];
}

const programNames = {
  vscode: 'VS Code',
  serve: 'atlas-bridge serve',
  mcp: 'atlas-bridge mcp',
  sync: 'atlas-bridge sync',
} as const;

const describeRelay = (
  { program, owner }: AnnouncedBridge,
  folder: string,
  { studioUrl, mcpUrl, tokenFile }: Readonly<Record<'studioUrl' | 'mcpUrl' | 'tokenFile', string>>,
): readonly string[] => [
  `Relaying to the bridge that ${programNames[program]} (process ${owner.pid}) runs for ${folder}`,
  `  Studio: ${studioUrl}`,
  `  MCP:    ${mcpUrl} (bearer token in ${tokenFile})`,
  'When that bridge ends, this program takes over. Press Ctrl+C to stop.',
];

function describeProject(bridge: Bridge): string {
  const project = bridge.session();
  if (project !== undefined) return `project ${project.info.name}`;
  return `no project yet (${bridge.projectProblem()?.message ?? 'searching'})`;
}
