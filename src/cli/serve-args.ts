import { err, ok, type Result } from '../base/result.ts';
import { settingDefinitions } from '../ports/settings.ts';
import type { Dialect } from '../project/project-file/project-file.ts';
import type { StudioDialect } from '../protocol/studio/messages.ts';
import { readDialect } from './project-args.ts';
import { type Command, parseOptions } from './run-command.ts';
import { readSettingArgs, type SettingValues } from './setting-args.ts';
import { serveSpec } from './table/bridge-specs.ts';

export interface ServeArgs {
  /** The project file or its folder. */
  readonly project: string;
  /** `undefined`: as the project or the setting says. */
  readonly port: number | undefined;
  /** The Studio plugin on `port`. */
  readonly plugin: StudioDialect;
  /** Whether `--dialect` chooses the plugin, because `--plugin` is missing. */
  readonly isOldSpelling: boolean;
  /** Whether a second port serves the Rojo plugin if the setting names one; false with `--port` or a chosen plugin. */
  readonly hasRojoPort: boolean;
  /** Dialect of the project; `undefined`: as the project file says. */
  readonly dialect: Dialect | undefined;
  readonly settings: SettingValues;
  /** Whether the token of MCP clients is replaced. */
  readonly newToken: boolean;
  readonly json: boolean;
}

export const serveCommand: Command<ServeArgs> = { spec: serveSpec, read: readServeArgs };

/** Whether only this computer reaches the address. */
export const isLoopback = (address: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(address);

function readServeArgs(args: readonly string[]): Result<ServeArgs | 'help', string> {
  const parsed = parseOptions(args, serveSpec);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (values.help === true) return ok('help');
  const [project = '.', unexpected] = positionals;
  if (unexpected !== undefined)
    return err(
      `unexpected argument '${unexpected}': run one 'atlas-bridge serve' for each project; each takes the next free port`,
    );
  const { address } = values;
  if (address !== undefined && !isLoopback(address))
    return err(
      `cannot listen on '${address}': only this computer may connect; for Studio on another computer, forward the port (docs/remote.md)`,
    );
  const dialect = readDialect(values.dialect);
  if (!dialect.ok) return dialect;
  // Until 0.2, `--dialect` alone also chooses the plugin, which was its only meaning before.
  const plugin = values.plugin ?? dialect.value ?? 'atlas';
  if (plugin !== 'atlas' && plugin !== 'rojo') return err(`unknown plugin '${plugin}' (atlas or rojo)`);
  const settings = readSettingArgs(values.set);
  if (!settings.ok) return settings;
  const given = values.port;
  if (given !== undefined && (!/^\d{1,5}$/.test(given) || Number(given) > 65_535))
    return err(`invalid port '${given}' (0–65535)`);
  const set = new Map(settings.value);
  if (values['allow-unpaired'] === true) set.set(settingDefinitions.studioUnpaired.key, 'allow');
  if (values.sourcemap === true) set.set(settingDefinitions.sourcemapAutoWrite.key, true);
  return ok({
    project,
    port: given === undefined ? undefined : Number(given),
    plugin,
    isOldSpelling: values.plugin === undefined && values.dialect !== undefined,
    hasRojoPort: values.port === undefined && values.plugin === undefined && values.dialect === undefined,
    dialect: dialect.value,
    settings: set,
    newToken: values['new-token'] === true,
    json: values.json === true,
  });
}
