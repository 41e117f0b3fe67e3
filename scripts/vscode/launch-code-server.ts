import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeServerEntry } from '../set-up/code-server.ts';
import { run } from '../set-up/run.ts';
import { type Group, startGroup } from '../set-up/process-group.ts';
import { quietSettings } from './quiet-settings.ts';

export interface CodeServer extends AsyncDisposable {
  /** Ends in `/`; `?folder=` opens a folder. */
  readonly url: string;
  readonly group: Group;
  /** Where VS Code writes its logs, extension host included. */
  readonly logs: string;
}

export interface CodeServerOptions {
  /** A temporary folder for the profile and the configuration. */
  readonly dir: string;
  /** The folder that `installExtensions` returned; several servers may share it. */
  readonly extensions: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether VS Code asks for trust, as by default. Otherwise it trusts every folder. */
  readonly asksForTrust?: boolean;
  /** 0 = any free one. */
  readonly port?: number;
  /** Command that runs the server elsewhere, for example on another machine; by default it runs here. */
  readonly there?: (...command: readonly [string, ...string[]]) => readonly [string, ...string[]];
}

/** Installs `.vsix` files with VS Code into a folder in `dir`. Resolves with that folder. */
export async function installExtensions(dir: string, vsixFiles: readonly string[]): Promise<string> {
  const extensions = join(dir, 'extensions');
  const install = vsixFiles.flatMap(vsix => ['--install-extension', vsix]);
  const args = [codeServerEntry, ...profile(dir, extensions), ...install, '--force'];
  await run(process.execPath, args, { stdio: 'ignore' });
  return extensions;
}

function profile(dir: string, extensions: string): readonly string[] {
  const config = join(dir, 'config.yaml');
  writeFileSync(config, '');
  return ['--user-data-dir', join(dir, 'user-data'), '--extensions-dir', extensions, '--config', config];
}

/** Writes the settings of a profile: the quiet ones, and `settings`. */
export function writeSettings(
  userData: string,
  { settings, asksForTrust }: Pick<CodeServerOptions, 'settings' | 'asksForTrust'>,
): void {
  const trust = asksForTrust === true ? { 'security.workspace.trust.enabled': true } : {};
  // VS Code reads settings of machine scope only from the second file, and all others from the first.
  for (const place of ['User', 'Machine']) {
    mkdirSync(join(userData, place), { recursive: true });
    writeFileSync(join(userData, place, 'settings.json'), JSON.stringify({ ...quietSettings, ...trust, ...settings }));
  }
}

/** Starts VS Code's server with a new profile. Resolves when it listens. */
export async function launchCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const userData = join(options.dir, 'user-data');
  writeSettings(userData, options);
  // The extension starts as for its users, who have no compile cache.
  const env = { ...process.env, NODE_COMPILE_CACHE: undefined, ...options.env };
  const serve = ['--auth', 'none', '--bind-addr', `127.0.0.1:${options.port ?? 0}`];
  const quiet = [
    '--disable-telemetry',
    '--disable-update-check',
    // No window connects to a server of agents at a path without one, so VS Code does not start its own, which takes 1 to 2 s of CPU time.
    '--vscode-option=agent-host-bridge-path=/nonexistent',
    ...(options.asksForTrust === true ? [] : ['--disable-workspace-trust']),
  ];
  const own = profile(options.dir, options.extensions);
  const server = [process.execPath, codeServerEntry, ...own, ...serve, ...quiet] as const;
  const [command, ...args] = options.there?.(...server) ?? server;
  const group = startGroup(command, args, { env });
  try {
    const [, url = ''] = await group.printed(/HTTP server listening on (http:\S+)/, 30_000);
    return { url, group, logs: join(userData, 'logs'), [Symbol.asyncDispose]: () => group[Symbol.asyncDispose]() };
  } catch (error) {
    await group[Symbol.asyncDispose]();
    throw error;
  }
}
